"""Media files at the edge: headers, ranges, caches that serve without the store, limits of unknown names."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from common.media_names import object_name
from common.media_store import MediaStore
from edge_api.media.files import MAX_CACHED_FILE_BYTES
from tests.integration.edge_api.running_edge import edge_settings, running_edge

PROJECT = "proj_01h455vb4pex5vsknk084sn02q"
SMALL, LARGE = b"0123456789", bytes(range(256)) * (MAX_CACHED_FILE_BYTES // 256 + 1)


@pytest.fixture
def store(tmp_path: Path) -> MediaStore:
    return MediaStore(f"file://{tmp_path}/store")


@pytest.fixture
def edge(redis_url: str, tmp_path: Path) -> Iterator[httpx.Client]:
    settings = edge_settings(redis_url, media_store=f"file://{tmp_path}/store", edge_snapshot_folder=tmp_path / "edge")
    with running_edge(settings) as client:
        yield client


def _put(store: MediaStore, content: bytes, extension: str = "webp") -> str:
    """Store a file, and return its path on the edge."""
    name = object_name(hashlib.sha256(content).hexdigest(), extension)
    store.put(PROJECT, name, [content], len(content))
    return f"/media/{PROJECT}/{name}"


@pytest.mark.both_http_ways
@pytest.mark.parametrize(
    ("extension", "content_type", "origin", "policy"),
    [
        ("webp", "image/webp", None, None),
        ("woff2", "font/woff2", "*", None),
        ("json", "application/json", "*", None),
        ("svg", "image/svg+xml", None, "sandbox; default-src 'none'; style-src 'unsafe-inline'"),
    ],
)
def test_file_is_immutable_and_embeddable(
    edge: httpx.Client, store: MediaStore, extension: str, content_type: str, origin: str | None, policy: str | None
) -> None:
    response = edge.get(_put(store, b'{"v":1}', extension))
    assert (response.status_code, response.content) == (200, b'{"v":1}')
    headers = response.headers
    assert headers["Content-Type"] == content_type
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert (headers.get("Access-Control-Allow-Origin"), headers.get("Content-Security-Policy")) == (origin, policy)
    assert "X-RateLimit-Limit" not in headers


@pytest.mark.parametrize("content", [SMALL, LARGE])
def test_ranges_conditions_and_head_are_honoured(edge: httpx.Client, store: MediaStore, content: bytes) -> None:
    path, size = _put(store, content), len(content)
    tag = edge.get(path).headers["ETag"]
    assert tag == f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    for wanted, start, end in (
        ("bytes=0-0", 0, 1),
        ("bytes=3-5", 3, 6),
        ("bytes=7-", 7, size),
        ("bytes=-4", size - 4, size),
        ("bytes=0-999999999", 0, size),
        (f"bytes=-{size + 5}", 0, size),
    ):
        for condition in ({}, {"If-Range": tag}):
            part = edge.get(path, headers={"Range": wanted, **condition})
            assert (part.status_code, part.content) == (206, content[start:end])
            assert part.headers["Content-Range"] == f"bytes {start}-{end - 1}/{size}"
    for ignored in ("bytes=5-3", "bytes=0-1,3-4", "pages=1-2", "bytes=-", "bytes=a-b"):
        assert edge.get(path, headers={"Range": ignored}).status_code == 200
    assert edge.get(path, headers={"Range": "bytes=0-1", "If-Range": '"other"'}).status_code == 200
    for impossible in (f"bytes={size}-", "bytes=-0"):
        refused = edge.get(path, headers={"Range": impossible})
        assert (refused.status_code, refused.headers["Content-Range"]) == (416, f"bytes */{size}")
    for known in (tag, f"W/{tag}", f'"a", {tag}', "*"):
        assert edge.get(path, headers={"If-None-Match": known}).status_code == 304
    head = edge.head(path)
    assert (head.status_code, head.content, head.headers["Content-Length"]) == (200, b"", str(size))


def test_files_are_served_while_the_store_is_away_and_after_a_restart(
    redis_url: str, tmp_path: Path, store: MediaStore
) -> None:
    settings = edge_settings(redis_url, media_store=f"file://{tmp_path}/store", edge_snapshot_folder=tmp_path / "edge")
    paths = [_put(store, SMALL), _put(store, LARGE)]
    with running_edge(settings) as edge:
        assert [edge.get(path).content for path in paths] == [SMALL, LARGE]
        store.delete(PROJECT, [path.rpartition("/")[2] for path in paths])
        assert [edge.get(path).content for path in paths] == [SMALL, LARGE]
    with running_edge(settings) as edge:
        assert [edge.get(path).content for path in paths] == [SMALL, LARGE]


def test_damaged_copy_is_loaded_again(redis_url: str, tmp_path: Path, store: MediaStore) -> None:
    settings = edge_settings(redis_url, media_store=f"file://{tmp_path}/store", edge_snapshot_folder=tmp_path / "edge")
    path = _put(store, SMALL)
    with running_edge(settings) as edge:
        edge.get(path)
    (copy,) = (tmp_path / "edge" / "media").rglob("*.webp")
    copy.write_bytes(b"damaged")
    with running_edge(settings) as edge:
        assert edge.get(path).content == SMALL


def test_files_are_served_without_copies(redis_url: str, tmp_path: Path, store: MediaStore) -> None:
    with running_edge(edge_settings(redis_url, media_store=f"file://{tmp_path}/store")) as edge:
        path = _put(store, LARGE)
        assert edge.get(path).content == LARGE
        assert edge.get(path, headers={"Range": "bytes=5-9"}).content == LARGE[5:10]


def test_copies_stay_below_their_limit(redis_url: str, tmp_path: Path, store: MediaStore) -> None:
    settings = edge_settings(
        redis_url,
        media_store=f"file://{tmp_path}/store",
        edge_snapshot_folder=tmp_path / "edge",
        edge_media_folder_mb=64,
    )
    with running_edge(settings) as edge:
        for number in range(10):
            content = bytes([number]) * 10 * 1024 * 1024
            assert edge.get(_put(store, content, "mp4")).content == content
    stored = sum(path.stat().st_size for path in (tmp_path / "edge" / "media").rglob("*.mp4"))
    assert stored <= 74 * 1024 * 1024


@pytest.mark.parametrize(
    "path",
    [
        f"/media/{PROJECT}/{'0' * 32}.webp",
        f"/media/{PROJECT}/{'0' * 32}.html",
        f"/media/{PROJECT}/..%2f..%2fsecret",
        f"/media/../{'0' * 32}.webp",
        f"/media/proj_x/{'0' * 32}.webp",
        f"/media/{PROJECT}/{'0' * 31}.webp",
    ],
)
def test_unknown_name_is_not_found(edge: httpx.Client, path: str) -> None:
    assert (edge.get(path).status_code, edge.get(path).json()["code"]) == (404, "NOT_FOUND")


def test_an_address_past_its_limit_of_unknown_names_still_gets_files(
    redis_url: str, tmp_path: Path, store: MediaStore
) -> None:
    settings = edge_settings(redis_url, media_store=f"file://{tmp_path}/store", rate_limit_unauthenticated=3)
    path = _put(store, SMALL)
    with running_edge(settings) as edge:
        statuses = [edge.get(f"/media/{PROJECT}/{number:032x}.webp").status_code for number in range(5)]
        assert statuses == [404, 404, 404, 429, 429]
        assert edge.get(path).content == SMALL
