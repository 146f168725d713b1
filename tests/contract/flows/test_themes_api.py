"""Themes over the API (contract, sections 1 and 3)."""

from typing import Any

from common.ids import IdPrefix, new_id
from tests.support.clients.management import Management, User, data_of

MEMBERS = {
    "id", "project_id", "name", "description", "is_default", "colors", "typography", "borderRadius",
    "created_at", "updated_at",
}  # fmt: skip
LOOKS: dict[str, Any] = {
    "colors": {"primary": "#ff0066", "shade": "#abc", "veil": "#11223380"},
    "typography": {"title": {"family": "Inter", "size": 24}},
    "borderRadius": {"card": 12, "button": "pill"},
}


def _create(user: User, project_id: str, name: str = "Dark", **members: object) -> dict[str, Any]:
    body = {"projectId": project_id, "name": name, **members}
    theme: dict[str, Any] = data_of(user.post("/api/themes", body), 201)
    return theme


def _defaults(user: User, project_id: str) -> list[str]:
    themes = data_of(user.get("/api/themes", params={"projectId": project_id}))
    return [theme["name"] for theme in themes if theme["is_default"]]


def test_a_new_theme_has_exactly_the_members_of_the_contract(alice: User, project_id: str) -> None:
    theme = data_of(alice.post("/api/themes", {"project_id": project_id, "name": "Dark"}), 201)
    assert theme.keys() == MEMBERS
    assert theme["id"].startswith("theme_")
    shown = {name: theme[name] for name in MEMBERS - {"id", "created_at", "updated_at"}}
    assert shown == {
        "project_id": project_id,
        "name": "Dark",
        "description": None,
        "is_default": False,
        "colors": {},
        "typography": {},
        "borderRadius": {},
    }
    assert data_of(alice.get(f"/api/themes/{theme['id']}")) == theme
    assert data_of(alice.get("/api/themes", params={"projectId": project_id})) == [theme]


def test_created_theme_returns_all_its_members(alice: User, project_id: str) -> None:
    theme = _create(alice, project_id, description="At night", is_default=True, **LOOKS)
    assert {name: theme[name] for name in LOOKS} == LOOKS
    assert (theme["description"], theme["is_default"]) == ("At night", True)


def test_patch_changes_only_the_members_in_its_body(alice: User, project_id: str) -> None:
    theme = _create(alice, project_id, description="Old", **LOOKS)
    path = f"/api/themes/{theme['id']}"
    changed = data_of(alice.put(path, {"name": "Darker", "description": None, "borderRadius": {"card": 0}}))
    assert (changed["name"], changed["description"], changed["borderRadius"]) == ("Darker", None, {"card": 0})
    assert (changed["colors"], changed["typography"]) == (LOOKS["colors"], LOOKS["typography"])
    assert data_of(alice.put(path, {})) == changed


def test_at_most_one_theme_is_the_default(alice: User, project_id: str) -> None:
    first = _create(alice, project_id, "First", is_default=True)
    second = _create(alice, project_id, "Second", is_default=True)
    assert _defaults(alice, project_id) == ["Second"]
    data_of(alice.put(f"/api/themes/{first['id']}", {"is_default": True}))
    assert _defaults(alice, project_id) == ["First"]
    data_of(alice.put(f"/api/themes/{second['id']}", {"is_default": False}))
    assert _defaults(alice, project_id) == ["First"]
    data_of(alice.put(f"/api/themes/{first['id']}", {"is_default": False}))
    assert _defaults(alice, project_id) == []


def test_the_default_theme_of_another_project_stays(alice: User, project_id: str) -> None:
    other = alice.create_project("Other")["id"]
    _create(alice, other, "Theirs", is_default=True)
    _create(alice, project_id, "Mine", is_default=True)
    assert _defaults(alice, other) == ["Theirs"]


def test_theme_with_a_base_copies_its_styles_and_overrides_given_members(alice: User, project_id: str) -> None:
    origin = _create(alice, project_id, is_default=True, description="Old", **LOOKS)
    copy = _create(alice, project_id, "Copy", based_on=origin["id"], colors={"primary": "#000"})
    assert copy["colors"] == {"primary": "#000"}
    assert (copy["typography"], copy["borderRadius"]) == (LOOKS["typography"], LOOKS["borderRadius"])
    assert (copy["is_default"], copy["description"]) == (False, None)


def test_base_of_a_theme_belongs_to_the_project(alice: User, project_id: str) -> None:
    foreign = _create(alice, alice.create_project("Other")["id"])["id"]
    for wrong in (foreign, "x", new_id(IdPrefix.THEME)):
        result = alice.post("/api/themes", {"projectId": project_id, "name": "Copy", "based_on": wrong})
        assert (result.status_code, result.json["code"]) == (404, "NOT_FOUND")


def test_deleting_a_theme_unsets_it_in_flows_with_a_bounded_number_of_statements(
    management: Management, alice: User, project_id: str
) -> None:
    executed = []
    for flows in (1, 8):
        theme = _create(alice, project_id)
        ids = {alice.create_flow(project_id, name=f"Flow {n}", themeId=theme["id"])["id"] for n in range(flows)}
        # The last version of one of them is a direct write of this user, and is replaced.
        replaced = min(ids)
        data_of(alice.put(f"/api/flows/{replaced}", {"name": "Renamed"}))
        with management.counted_statements() as statements:
            deleted = alice.delete(f"/api/themes/{theme['id']}")
        executed.append(len(statements))
        assert (deleted.status_code, deleted.json.keys()) == (200, {"success", "message"})
        assert alice.get(f"/api/themes/{theme['id']}").json["code"] == "NOT_FOUND"
        entries = data_of(alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": flows + 1}))
        assert {
            entry["entity_id"]: (entry["before"], entry["after"]) for entry in entries if entry["entity_type"] == "flow"
        } == {flow_id: ({"theme_id": theme["id"]}, {"theme_id": None}) for flow_id in ids}
        for flow_id in ids:
            assert data_of(alice.get(f"/api/flows/{flow_id}"))["theme_id"] is None
            versions = data_of(alice.get(f"/api/flows/{flow_id}/versions"))
            assert [(version["number"], version["origin"]) for version in versions] == [(2, "direct"), (1, "created")]
            newest, first = (data_of(alice.get(f"/api/flows/{flow_id}/versions/{n}"))["document"] for n in (2, 1))
            assert newest == {**first, "name": "Renamed" if flow_id == replaced else first["name"], "theme_id": None}
    assert executed[0] == executed[1]


def test_every_bad_colour_is_named(alice: User, project_id: str) -> None:
    colors = {"a": "#12", "b": "#fff", "c": "blue"}
    result = alice.post("/api/themes", {"projectId": project_id, "name": "Dark", "colors": colors})
    assert result.status_code == 400
    assert [detail["field"] for detail in result.json["details"]] == ["colors.a", "colors.c"]
