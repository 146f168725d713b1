"""The store of media files: a folder and a bucket of a real S3 server behave alike."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cli.doctor.checks.media import check_media_store
from cli.doctor.installation import Installation
from cli.settings import CommandSettings
from common.errors import SettingsError
from common.media_names import object_name
from common.media_store import MediaStore, MediaStoreError
from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.support.polling import eventually

NAME, OTHER = object_name("ab" * 32, "png"), object_name("cd" * 32, "mp4")


@pytest.fixture(scope="module")
def s3_url() -> Iterator[str]:
    """Run an S3 server, and return its address."""
    port = free_port()
    program = [sys.executable, "-m", "moto.server", "-H", LOOPBACK, "-p", str(port)]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:  # noqa: S603 - our own program
        try:
            url = f"http://{LOOPBACK}:{port}"
            eventually(lambda: _answers(url), within=60)
            yield url
        finally:
            server.terminate()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/moto-api/").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture(params=["folder", "bucket"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "folder":
        return f"{tmp_path.as_uri()}/media%20files"
    endpoint = request.getfixturevalue("s3_url")
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ENDPOINT_URL", endpoint),
    ):
        monkeypatch.setenv(name, value)
    bucket = tmp_path.name.replace("_", "-").lower()
    assert httpx.put(f"{endpoint}/{bucket}").status_code == 200
    return f"s3://{bucket}/prefix"


def test_objects_are_written_read_listed_and_deleted(url: str) -> None:
    store = MediaStore(url)
    store.put("proj_1", NAME, [b"01234", b"56789"], 10)
    # It is there already, so nothing is written.
    store.put("proj_1", NAME, [b"never read"], 10)
    store.put("proj_2", OTHER, iter([bytes(1024 * 1024)] * 7), 7 * 1024 * 1024)
    assert store.read("proj_1", NAME) == b"0123456789"
    assert store.read("proj_2", NAME) is None
    assert len(store.read("proj_2", OTHER) or b"") == 7 * 1024 * 1024
    assert {(project, name) for page in store.names() for project, name, _ in page} == {
        ("proj_1", NAME),
        ("proj_2", OTHER),
    }
    assert asyncio.run(_part(store)) == (10, b"3456", None)
    store.delete("proj_1", [NAME, OTHER])
    store.delete("proj_2", [OTHER])
    assert list(store.names()) in ([], [[]])


async def _part(store: MediaStore) -> tuple[int, bytes, object]:
    found = await store.open("proj_1", NAME, 3, 7)
    assert found is not None
    return found.size, b"".join([portion async for portion in found.content]), await store.open("proj_1", OTHER)


def test_doctor_writes_reads_and_deletes_a_probe(url: str) -> None:
    installation = Installation(CommandSettings(media_store=url))
    assert [result.level.value for result in check_media_store(installation)] == ["ok"]
    assert list(MediaStore(url).names()) in ([], [[]])


def test_store_that_is_away_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{LOOPBACK}:{free_port()}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
        monkeypatch.setenv(name, "us-east-1")
    with pytest.raises(MediaStoreError):
        MediaStore("s3://bucket").put("proj_1", NAME, [b"a"], 1)
    installation = Installation(CommandSettings(media_store="s3://bucket"))
    assert [result.level.value for result in check_media_store(installation)] == ["error"]


@pytest.mark.parametrize("url", ["media", "/var/media", "http://a/b", "file://media", "file:///", "s3:///prefix"])
def test_url_without_a_folder_or_bucket_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must"):
        CommandSettings(media_store=url)


def test_folder_that_cannot_be_made_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="ONBOARDING_MEDIA_STORE"):
        MediaStore(f"{tmp_path.as_uri()}/file/media")
