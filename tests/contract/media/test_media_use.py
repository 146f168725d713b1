"""Media files in screens: the check of a write, and what devices get (contract of media, Use)."""

import gzip
from typing import Any

import orjson
import pytest

from publisher.compiler import compile_snapshot
from publisher.media import MediaAddresses
from publisher.project_reader import read_projects
from publisher.project_records import ProjectRecord
from tests.support.clients.management import EDGE_URL, Management, User, data_of
from tests.support.clients.media import upload_image, upload_media
from tests.support.data.pages import MANIFEST
from tests.support.media_files import font, mp4, picture

Json = dict[str, Any]
ADDRESSES = MediaAddresses(f"{EDGE_URL}/media", "../../../../media")


def _screen(**content: object) -> Json:
    return {"type": "welcome", "content": {"title": "Hi", **content}}


def _published(management: Management, project_id: str) -> tuple[Json, str]:
    """Return the content of the first screen as apps get it, and the page."""
    with management.database.repeatable_read() as session:
        (record,), unreadable = read_projects(session, [project_id])
    assert not unreadable
    assert isinstance(record, ProjectRecord)
    snapshot = compile_snapshot(record, (), MANIFEST, ADDRESSES)
    config = orjson.loads(snapshot.config.body)
    resolved = orjson.loads(snapshot.flow_parts[0].body.removesuffix(b",") + b"}")
    assert resolved["flow"]["screens"] == config["flows"][0]["screens"]
    (page,) = snapshot.pages or ()
    content: Json = config["flows"][0]["screens"][0]["content"]
    return content, gzip.decompress(page.gzip).decode()


def test_devices_get_addresses_sizes_and_the_dark_partner(alice: User, project_id: str, management: Management) -> None:
    media = data_of(upload_media(alice, project_id, picture("JPEG", (1000, 500)), "image/jpeg"), 201)
    dark = upload_image(alice, project_id)
    data_of(alice.put(f"/api/media/{media['id']}", {"alt": "Our shop", "dark_media_id": dark["id"]}))
    content = {"image": {"media_id": media["id"]}, "items": [{"logo": {"media_id": dark["id"], "alt": "Sign"}}]}
    alice.create_flow(project_id, screens=[_screen(**content)], status="active", is_default=True)
    shown, page = _published(management, project_id)
    small, middle, large, main = media["renditions"]
    sign = {"url": dark["url"], "width": 64, "height": 48, "placeholder": dark["placeholder_color"]}
    sign["srcset"] = [{"url": dark["renditions"][0]["url"], "width": 64}]
    assert shown["image"] == {
        "url": main["url"],
        "srcset": [{"url": file["url"], "width": file["width"]} for file in (small, middle, large)],
        "width": 1000,
        "height": 500,
        "alt": "Our shop",
        "placeholder": media["placeholder_color"],
        "dark": {**sign, "alt": "Our shop"},
    }
    assert shown["items"][0]["logo"] == {**sign, "alt": "Sign"}
    assert main["url"].replace(EDGE_URL, "../../../..") in page
    assert EDGE_URL not in page
    # The version keeps the ids.
    flow = data_of(alice.get("/api/flows", params={"projectId": project_id}))[0]
    version = data_of(alice.get(f"/api/flows/{flow['id']}/versions/1"))
    assert version["document"]["screens"][0]["content"]["image"] == {"media_id": media["id"]}


def test_video_has_the_address_of_its_poster(alice: User, project_id: str, management: Management) -> None:
    poster = upload_image(alice, project_id)
    video = data_of(upload_media(alice, project_id, mp4(), "video/mp4", params={"poster_media_id": poster["id"]}), 201)
    alice.create_flow(
        project_id, screens=[_screen(background={"media_id": video["id"], "overlay": 0.4})], status="active"
    )
    shown, _ = _published(management, project_id)
    background = shown["background"]
    assert (background["kind"], background["url"], background["poster"]) == ("video", video["url"], poster["url"])
    assert (background["overlay"], "media_id" in background) == (0.4, False)


def test_references_are_checked_on_every_way_to_write(alice: User, project_id: str) -> None:
    media = upload_image(alice, project_id)
    foreign = upload_image(alice, str(alice.create_project()["id"]))
    text = data_of(upload_media(alice, project_id, font(), "font/ttf"), 201)
    flow = alice.create_flow(project_id, screens=[_screen(image={"media_id": media["id"]})])
    (screen,) = data_of(alice.get(f"/api/flows/{flow['id']}"))["screens"]
    wrong = [_screen(image={"media_id": media_id}) for media_id in (foreign["id"], text["id"], "media_x", 7, None)]
    long_alt = _screen(image={"media_id": media["id"], "alt": "x" * 301})
    options = [_screen(options=[{"label": "A", "media_id": media_id}]) for media_id in (foreign["id"], text["id"])]
    for body in (*wrong, *options, _screen(items=[{"poster": {"media_id": "gone"}}]), long_alt):
        writes = {
            "screens.0.content.": alice.post("/api/flows", {"projectId": project_id, "name": "A", "screens": [body]}),
            "document.screens.0.content.": alice.put(
                f"/api/flows/{flow['id']}/draft", {"document": {"name": "A", "screens": [body]}}
            ),
            "content.": alice.put(f"/api/screens/{screen['id']}", {"content": body["content"]}),
            "content. ": alice.post("/api/screens", {"flowId": flow["id"], **body}),
        }
        for field, refused in writes.items():
            assert refused.status_code == 400, (field, refused.text)
            assert refused.json["details"][0]["field"].startswith(field.strip())
    free = _screen(notes={"media_id": "of the app itself"}, image="https://example.com/a.png")
    data_of(alice.put(f"/api/screens/{screen['id']}", {"content": free["content"]}))


def test_restored_version_shows_a_file_that_was_deleted_since(
    alice: User, project_id: str, management: Management
) -> None:
    media = upload_image(alice, project_id)
    flow = alice.create_flow(project_id, screens=[_screen(image={"media_id": media["id"]})], status="active")
    (screen,) = data_of(alice.get(f"/api/flows/{flow['id']}"))["screens"]
    data_of(alice.put(f"/api/screens/{screen['id']}", {"content": {"title": "Hi"}}))
    assert alice.delete(f"/api/media/{media['id']}").status_code == 200
    other = alice.post(
        "/api/flows", {"projectId": project_id, "name": "B", "screens": [_screen(image={"media_id": media["id"]})]}
    )
    assert other.status_code == 400
    data_of(alice.post(f"/api/flows/{flow['id']}/versions/1/restore", {}), 201)
    assert _published(management, project_id)[0]["image"]["url"] == media["url"]
    # The restored flow can be edited further.
    draft = {"name": "A", "screens": [_screen(image={"media_id": media["id"]}, subtitle="New")]}
    data_of(alice.put(f"/api/flows/{flow['id']}/draft", {"document": draft}), 201)


def test_references_count_as_what_devices_get(alice: User, project_id: str) -> None:
    reference = {"image": {"media_id": upload_image(alice, project_id)["id"]}}
    # They have some 300 KB themselves.
    screens = [_screen(items=[reference] * 2_200) for _ in range(2)]
    refused = alice.post("/api/flows", {"projectId": project_id, "name": "A", "screens": screens})
    assert (refused.status_code, "at most 16777216 bytes" in refused.json["error"]) == (409, True)
    alice.create_flow(project_id, screens=screens[:1])


@pytest.mark.parametrize("depth", [40, 400])
def test_nested_contents_are_no_error_of_the_service(alice: User, project_id: str, depth: int) -> None:
    nested: object = {"media_id": "x"}
    for _ in range(depth):
        nested = {"a": [nested]}
    response = alice.post("/api/flows", {"projectId": project_id, "name": "A", "screens": [_screen(deep=nested)]})
    assert response.status_code in (201, 400)
