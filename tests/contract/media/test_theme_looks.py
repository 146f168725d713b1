"""Looks of themes over the API, their media files, and what devices get of them (media, sections Use and Looks)."""

import gzip
from typing import Any

import orjson
from sqlalchemy import update

from management_api.db.models.documents import MAX_PUBLISHED_BYTES, MEDIA_BYTES
from management_api.db.models.flows import Flow
from publisher.compiler import compile_snapshot
from publisher.media import MediaAddresses
from publisher.project_reader import read_projects
from publisher.project_records import ProjectRecord
from tests.support.clients.management import EDGE_URL, Management, User, data_of
from tests.support.clients.media import upload_image, upload_media
from tests.support.data.pages import MANIFEST
from tests.support.media_files import animation, font

Json = dict[str, Any]
LOOKS: Json = {
    "appearance": "dark",
    "background": {"gradient": ["#101820", "#203040"], "angle": 30},
    "logo": "https://shop.example/logo.svg",
    "button": {"style": "soft", "shape": "pill", "shadow": True, "height": 48},
    "choice": "chip",
    "progress": "dots",
    "transition": "lift",
    "spacing": "airy",
}


FONTS = ("fontMediaId", "headingFontMediaId")


def create(user: User, project_id: str, **members: object) -> Json:
    theme: Json = data_of(user.post("/api/themes", {"projectId": project_id, "name": "Brand", **members}), 201)
    return theme


def published(management: Management, project_id: str) -> tuple[Json, str]:
    """Return the theme of the first flow as apps get it, and the page."""
    with management.database.repeatable_read() as session:
        (record,), unreadable = read_projects(session, [project_id])
    assert not unreadable
    assert isinstance(record, ProjectRecord)
    snapshot = compile_snapshot(record, (), MANIFEST, MediaAddresses(f"{EDGE_URL}/media", "../../../../media"))
    (configured,) = orjson.loads(snapshot.config.body)["themes"]
    theme: Json = orjson.loads(snapshot.flow_parts[0].body.removesuffix(b",") + b"}")["flow"]["theme"]
    assert configured == {**theme, "isDefault": configured["isDefault"]}
    (page,) = snapshot.pages or ()
    return theme, gzip.decompress(page.gzip).decode()


def test_looks_are_kept_copied_replaced_and_unset(alice: User, project_id: str, management: Management) -> None:
    colors = {"primary": "#123", "dark": {"primary": "#abc"}}
    theme = create(alice, project_id, is_default=True, colors=colors, typography={"align": "center"}, **LOOKS)
    assert {name: theme[name] for name in LOOKS} == LOOKS
    path = f"/api/themes/{theme['id']}"
    assert data_of(alice.put(path, theme)) == theme
    copy = create(alice, project_id, based_on=theme["id"], choice="list", logo=None)
    shown = {name: value for name, value in LOOKS.items() if name != "logo"} | {"choice": "list"}
    assert {name: copy[name] for name in copy if name in LOOKS} == shown
    assert (copy["colors"], copy["typography"]) == (colors, {"align": "center"})
    alice.delete(f"/api/themes/{copy['id']}")

    changed = data_of(alice.put(path, {"background": None, "button": {"height": 60}}))
    assert "background" not in changed
    assert (changed["button"], changed["choice"]) == ({"height": 60}, "chip")
    entry = data_of(alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": 1}))[0]
    before, after = entry["before"]["looks"], entry["after"]["looks"]
    assert (before, after["button"]) == ({**LOOKS, "dark": colors["dark"]}, {"height": 60})
    alice.create_flow(project_id, screens=[{"type": "welcome", "content": {"title": "Hi"}}], status="active")
    on_devices, page = published(management, project_id)
    members = {name: value for name, value in changed.items() if name in {*LOOKS, "colors", "typography"}}
    assert {name: on_devices[name] for name in on_devices if name in {*LOOKS, "colors", "typography"}} == members
    assert '"button":{"height":60}' in page
    assert '<meta name="color-scheme" content="dark">' in page


def test_theme_without_looks_is_published_as_before(alice: User, project_id: str, management: Management) -> None:
    theme = create(alice, project_id, is_default=True, colors={"primary": "#123456"}, typography={"fontFamily": "Lora"})
    alice.create_flow(project_id, screens=[{"type": "welcome", "content": {"title": "Hi"}}], status="active")
    style = {"colors": {"primary": "#123456"}, "typography": {"fontFamily": "Lora"}, "borderRadius": {}}
    shown, page = published(management, project_id)
    assert orjson.dumps(shown) == orjson.dumps({"id": theme["id"], "name": "Brand", **style})
    assert f'"theme":{orjson.dumps(style).decode()},' in page


def test_files_of_a_theme_reach_devices_and_cannot_be_deleted(
    alice: User, project_id: str, management: Management
) -> None:
    logo, dark = upload_image(alice, project_id), upload_image(alice, project_id)
    moving = data_of(upload_media(alice, project_id, animation("GIF"), "image/gif"), 201)
    brand = data_of(upload_media(alice, project_id, font(), "font/ttf"), 201)
    typography = {"fontMediaId": brand["id"], "headingFontMediaId": brand["id"], "own": {"media_id": "free"}}
    background = {"media_id": moving["id"], "overlay": 0.4, "position": "top"}
    theme = create(
        alice,
        project_id,
        is_default=True,
        logo={"media_id": logo["id"], "alt": "Shop"},
        background=background,
        typography=typography,
    )
    assert (theme["background"], theme["typography"]) == (background, typography)
    alice.create_flow(project_id, screens=[{"type": "welcome", "content": {"title": "Hi"}}], status="active")
    data_of(alice.put(f"/api/media/{logo['id']}", {"dark_media_id": dark["id"]}))

    shown, page = published(management, project_id)
    assert (shown["logo"]["url"], shown["logo"]["alt"]) == (logo["url"], "Shop")
    assert shown["logo"]["dark"]["url"] == dark["url"]
    assert {name: shown["background"][name] for name in ("url", "kind", "overlay", "position")} == {
        "url": moving["url"],
        "kind": "animation",
        "overlay": 0.4,
        "position": "top",
    }
    body = shown["typography"]["fontMediaId"]
    assert {name: body[name] for name in ("url", "kind", "family", "weight", "style")} == {
        "url": brand["url"],
        "kind": "font",
        "family": "Brand Sans",
        "weight": 700,
        "style": "normal",
    }
    assert (shown["typography"]["headingFontMediaId"], shown["typography"]["own"]) == (body, {"media_id": "free"})
    font_link = f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{brand["url"]}">'
    assert page.count(font_link.replace(EDGE_URL, "../../../..")) == 1
    assert "color-scheme" not in page

    for media in (logo, dark, moving, brand):
        uses = data_of(alice.get(f"/api/media/{media['id']}"))["uses"]
        assert uses == {"flows": [], "themes": [{"id": theme["id"], "name": "Brand"}]}
        refused = alice.delete(f"/api/media/{media['id']}")
        assert (refused.status_code, refused.json["details"][0]["field"]) == (409, theme["id"])
    data_of(alice.put(f"/api/themes/{theme['id']}", {"logo": None, "background": "#fff", "typography": {}}))
    assert [alice.delete(f"/api/media/{media['id']}").status_code for media in (logo, moving, brand)] == [200] * 3


def test_files_of_a_theme_count_for_each_of_its_flows(alice: User, project_id: str, management: Management) -> None:
    image = upload_image(alice, project_id)
    used, other = create(alice, project_id), create(alice, project_id)
    flows = [alice.create_flow(project_id, themeId=used["id"])["id"] for _ in range(2)]
    with management.database.transaction() as session:
        size = MAX_PUBLISHED_BYTES - 3 * MEDIA_BYTES
        session.execute(update(Flow).where(Flow.id == flows[0]).values(document_bytes=size))
    looks = {"background": {"media_id": image["id"]}, "logo": {"media_id": image["id"]}}
    assert alice.put(f"/api/themes/{other['id']}", looks).status_code == 200
    refused = alice.put(f"/api/themes/{used['id']}", looks)
    assert (refused.status_code, str(MAX_PUBLISHED_BYTES) in refused.json["error"]) == (409, True)
    assert alice.put(f"/api/themes/{used['id']}", {"logo": looks["logo"]}).status_code == 200
    assert alice.put(f"/api/flows/{flows[1]}", {"themeId": other["id"]}).status_code == 409


def test_files_of_a_theme_are_of_its_project_and_fit(alice: User, project_id: str) -> None:
    theme = create(alice, project_id)
    image, foreign = upload_image(alice, project_id), upload_image(alice, str(alice.create_project()["id"]))
    brand = data_of(upload_media(alice, project_id, font(), "font/ttf"), 201)
    wrong: list[tuple[str, Json]] = []
    for media_id in (foreign["id"], "media_x"):
        wrong += [(f"{member}.media_id", {member: {"media_id": media_id}}) for member in ("background", "logo")]
        wrong += [(f"typography.{member}", {"typography": {member: media_id}}) for member in FONTS]
    wrong.append(("logo.media_id", {"logo": {"media_id": brand["id"]}}))
    wrong.append(("background.media_id", {"background": {"media_id": brand["id"]}}))
    wrong += [(f"typography.{member}", {"typography": {member: image["id"]}}) for member in FONTS]
    for field, look in wrong:
        for refused in (
            alice.post("/api/themes", {"projectId": project_id, "name": "A", **look}),
            alice.put(f"/api/themes/{theme['id']}", look),
        ):
            assert (refused.status_code, refused.json["details"][0]["field"]) == (400, field)
