"""Media files: uploads, what is kept of them, partners, uses, deletion, quotas (contract of media)."""

import hashlib
from pathlib import Path

import pytest

from common.media_store import MediaStore
from tests.support.clients.management import EDGE_URL, Management, User, data_of, management_service
from tests.support.clients.media import upload_image, upload_media
from tests.support.media_files import animation, font, lottie, mp4, picture, png_of_stated_size


def test_image_is_uploaded_listed_and_read(alice: User, project_id: str, management: Management) -> None:
    result = upload_media(alice, project_id, picture("JPEG", (1000, 500)), "image/jpeg")
    media = data_of(result, 201)
    assert {name: media[name] for name in ("project_id", "name", "alt", "kind", "content_type", "width", "height")} == {
        "project_id": project_id,
        "name": "Logo",
        "alt": "",
        "kind": "image",
        "content_type": "image/jpeg",
        "width": 1000,
        "height": 500,
    }
    assert [(file["content_type"], file["width"]) for file in media["renditions"]] == [
        ("image/webp", 480),
        ("image/webp", 960),
        ("image/webp", 1000),
        ("image/jpeg", 1000),
    ]
    assert media["url"] == media["renditions"][-1]["url"]
    assert media["url"].startswith(f"{EDGE_URL}/media/{project_id}/")
    assert media["created_by"] == management.user_id("alice")
    assert media["placeholder_color"] == "#fe0000"
    assert "uses" not in media
    assert data_of(alice.get("/api/media", params={"projectId": project_id})) == [media]
    read = alice.get(f"/api/media/{media['id']}")
    assert read.headers["ETag"] == result.headers["ETag"]
    assert data_of(read) == {**media, "uses": {"flows": [], "themes": []}}


@pytest.mark.parametrize(
    ("content", "content_type", "expected"),
    [
        (animation("GIF"), "image/gif", {"kind": "animation", "content_type": "image/webp", "duration_seconds": 0.6}),
        (lottie(), "application/json", {"kind": "lottie", "content_type": "application/json", "duration_seconds": 2.0}),
        (font(), "font/ttf", {"kind": "font", "family": "Brand Sans", "weight": 700, "style": "normal", "width": None}),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>',
            "image/svg+xml; charset=utf-8",
            {"kind": "image", "content_type": "image/svg+xml", "width": 4},
        ),
    ],
)
def test_other_kinds_are_uploaded(
    alice: User, project_id: str, content: bytes, content_type: str, expected: dict[str, object]
) -> None:
    media = data_of(upload_media(alice, project_id, content, content_type), 201)
    assert {name: media[name] for name in expected} == expected


def test_video_needs_a_poster_of_the_project(alice: User, project_id: str) -> None:
    assert upload_media(alice, project_id, mp4(), "video/mp4").json["details"][0]["field"] == "poster_media_id"
    foreign = upload_image(alice, str(alice.create_project()["id"]))
    text = data_of(upload_media(alice, project_id, font(), "font/ttf"), 201)
    for poster in (foreign["id"], text["id"], "media_unknown"):
        refused = upload_media(alice, project_id, mp4(), "video/mp4", params={"poster_media_id": poster})
        assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "poster_media_id")
    poster = upload_image(alice, project_id)
    video = data_of(upload_media(alice, project_id, mp4(), "video/mp4", params={"poster_media_id": poster["id"]}), 201)
    assert (video["kind"], video["poster_media_id"], video["duration_seconds"]) == ("video", poster["id"], 3.0)
    assert alice.put(f"/api/media/{video['id']}", {"poster_media_id": None}).status_code == 400


@pytest.mark.parametrize(
    ("content", "content_type", "status", "words"),
    [
        (b"<html>", "text/html", 415, "Content-Type must be one of"),
        (picture("PNG"), "image/jpeg", 400, "file is not a JPEG file"),
        (picture("PNG")[:60], "image/png", 400, "file is a damaged PNG file"),
        (b"", "image/png", 400, "file is required"),
        (b"<svg " + b" " * 300_000, "image/svg+xml", 413, "262144 bytes"),
        (png_of_stated_size(20_000, 20_000), "image/png", 400, "20000 x 20000 pixels"),
    ],
)
def test_file_that_is_not_accepted_leaves_nothing(
    alice: User, project_id: str, content: bytes, content_type: str, status: int, words: str
) -> None:
    refused = upload_media(alice, project_id, content, content_type)
    assert (refused.status_code, words in refused.json["error"]) == (status, True), refused.text
    assert data_of(alice.get("/api/media", params={"projectId": project_id})) == []


def test_upload_with_an_idempotency_key_is_executed_once(alice: User, project_id: str) -> None:
    headers = {"Idempotency-Key": "one"}
    first = data_of(upload_media(alice, project_id, picture("PNG"), headers=headers), 201)
    assert data_of(upload_media(alice, project_id, picture("PNG"), headers=headers), 201) == first
    other = upload_media(alice, project_id, picture("PNG", (9, 9)), headers=headers)
    assert other.status_code == 409
    assert len(data_of(alice.get("/api/media", params={"projectId": project_id}))) == 1


def test_name_alt_partner_and_focal_point_change(alice: User, project_id: str, management: Management) -> None:
    media, dark = upload_image(alice, project_id), upload_image(alice, project_id, name="Night")
    before = management.publication_of(project_id)
    assert data_of(alice.put(f"/api/media/{media['id']}", {"name": "Sign"}))["name"] == "Sign"
    assert management.publication_of(project_id) == before
    body = {"alt": "Our logo", "dark_media_id": dark["id"], "focal_point": {"x": 0.5, "y": 1}}
    changed = data_of(alice.put(f"/api/media/{media['id']}", body))
    assert {name: changed[name] for name in body} == {**body, "focal_point": {"x": 0.5, "y": 1.0}}
    assert management.publication_of(project_id) > before
    cleared = data_of(alice.put(f"/api/media/{media['id']}", {"dark_media_id": None, "focal_point": None}))
    assert (cleared["dark_media_id"], cleared["focal_point"], cleared["alt"]) == (None, None, "Our logo")


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"alt": "x" * 301},
        {"focal_point": {"x": 2, "y": 0}},
        {"dark_media_id": "media_x"},
        {"kind": 1, "a": 2},
    ],
)
def test_bad_changes_are_refused(alice: User, project_id: str, body: dict[str, object]) -> None:
    assert alice.put(f"/api/media/{upload_image(alice, project_id)['id']}", body).status_code == 400


def test_dark_partner_is_another_file_of_the_same_kind(alice: User, project_id: str) -> None:
    media = upload_image(alice, project_id)
    text = data_of(upload_media(alice, project_id, font(), "font/ttf"), 201)
    for partner in (media["id"], text["id"]):
        assert alice.put(f"/api/media/{media['id']}", {"dark_media_id": partner}).status_code == 400


def test_file_whose_partner_was_deleted_can_be_put_back(alice: User, project_id: str) -> None:
    media, dark = upload_image(alice, project_id), upload_image(alice, project_id)
    data_of(alice.put(f"/api/media/{media['id']}", {"dark_media_id": dark["id"]}))
    assert alice.delete(f"/api/media/{dark['id']}").status_code == 200
    read = data_of(alice.get(f"/api/media/{media['id']}"))
    assert data_of(alice.put(f"/api/media/{media['id']}", read))["dark_media_id"] == dark["id"]


def test_list_filters_by_kind_and_name(alice: User, project_id: str) -> None:
    upload_image(alice, project_id, name="Sunrise")
    data_of(upload_media(alice, project_id, font(), "font/ttf", params={"name": "Brand"}), 201)
    for filters, names in (
        ({"kind": "font"}, ["Brand"]),
        ({"search": "RISE"}, ["Sunrise"]),
        ({"sort": "name"}, ["Brand", "Sunrise"]),
        ({"digest": hashlib.sha256(picture("PNG")).hexdigest()}, ["Sunrise"]),
        ({"digest": "0" * 64}, []),
    ):
        listed = data_of(alice.get("/api/media", params={"projectId": project_id, **filters}))
        assert [media["name"] for media in listed] == names


def test_used_file_is_not_deleted(alice: User, project_id: str) -> None:
    media, partner = upload_image(alice, project_id), upload_image(alice, project_id)
    data_of(alice.put(f"/api/media/{media['id']}", {"dark_media_id": partner["id"]}))
    screens = [{"type": "welcome", "content": {"title": "Hi", "image": {"media_id": media["id"]}}}]
    flow = alice.create_flow(project_id, "Tour", screens=screens)
    theme = data_of(
        alice.post(
            "/api/themes",
            {"projectId": project_id, "name": "Ink", "logo": {"media_id": media["id"]}},
        ),
        201,
    )
    uses = {"flows": [{"id": flow["id"], "name": "Tour"}], "themes": [{"id": theme["id"], "name": "Ink"}]}
    for used in (media, partner):
        assert data_of(alice.get(f"/api/media/{used['id']}"))["uses"] == uses
        refused = alice.delete(f"/api/media/{used['id']}")
        assert refused.status_code == 409
        assert [detail["field"] for detail in refused.json["details"]] == [flow["id"], theme["id"]]
    assert alice.delete(f"/api/themes/{theme['id']}").status_code == 200
    document = {"name": "Tour", "screens": [{"type": "welcome", "content": {"title": "Hi"}}]}
    data_of(alice.put(f"/api/flows/{flow['id']}/draft", {"document": document}), 201)
    assert alice.delete(f"/api/media/{media['id']}").status_code == 409
    data_of(alice.post(f"/api/flows/{flow['id']}/publish", {}), 201)
    # The first version has the file, which forbids nothing.
    assert alice.delete(f"/api/media/{media['id']}").status_code == 200


def test_deleted_file_is_gone(alice: User, project_id: str) -> None:
    media = upload_image(alice, project_id)
    etag = alice.get(f"/api/media/{media['id']}").headers["ETag"]
    assert alice.delete(f"/api/media/{media['id']}", headers={"If-Match": '"0"'}).status_code == 412
    assert alice.delete(f"/api/media/{media['id']}", headers={"If-Match": etag}).status_code == 200
    for request in (alice.get, alice.delete):
        assert request(f"/api/media/{media['id']}").status_code == 404
    assert alice.put(f"/api/media/{media['id']}", {"alt": "a"}).status_code == 404
    assert data_of(alice.get("/api/media", params={"projectId": project_id})) == []
    actions = [entry["action"] for entry in data_of(alice.get(f"/api/projects/{project_id}/audit-log"))]
    assert actions[:2] == ["media.delete", "media.create"]


def test_quotas_of_files_and_bytes_are_kept(database_url: str, master_key: str, tmp_path: Path) -> None:
    with management_service(
        database_url, master_key, tmp_path, max_media_per_project=2, max_media_bytes_per_project=40_000
    ) as service:
        alice = service.user("alice")
        project_id = str(alice.create_project()["id"])
        large = upload_media(alice, project_id, picture("PNG", (300, 300)) + bytes(50_000))
        assert (large.status_code, large.json["details"][0]["field"]) == (409, "file")
        upload_image(alice, project_id)
        second = upload_image(alice, project_id)
        assert upload_media(alice, project_id, picture("PNG")).status_code == 409
        assert alice.delete(f"/api/media/{second['id']}").status_code == 200
        upload_image(alice, project_id)


def test_without_a_store_uploads_are_unavailable(database_url: str, master_key: str, tmp_path: Path) -> None:
    with management_service(database_url, master_key, tmp_path, media_store=None) as service:
        alice = service.user("alice")
        refused = upload_media(alice, str(alice.create_project()["id"]), picture("PNG"))
        assert (refused.status_code, refused.json["code"]) == (503, "UNAVAILABLE")


def test_objects_are_in_the_store_under_the_names_of_the_addresses(
    database_url: str, master_key: str, tmp_path: Path
) -> None:
    with management_service(database_url, master_key, tmp_path) as service:
        alice = service.user("alice")
        project_id = str(alice.create_project()["id"])
        media = upload_image(alice, project_id)
        store = MediaStore(f"file://{tmp_path}/media")
        for rendition in media["renditions"]:
            content = store.read(project_id, rendition["url"].rpartition("/")[2])
            assert content is not None
            assert len(content) == rendition["bytes"]
