"""Flows over the API (contract, sections 1 and 3)."""

import pytest

from common.ids import IdPrefix, new_id
from common.timestamps import parse_timestamp
from tests.support.clients.management import User, data_of

MEMBERS = {
    "id", "project_id", "name", "description", "status", "is_default", "theme_id", "priority", "targeting", "screens",
    "stats", "created_at", "updated_at",
}  # fmt: skip
IOS = {"attribute": "platform", "operator": "eq", "value": "ios"}


def _default_of(user: User, project_id: str) -> str | None:
    default: str | None = data_of(user.get(f"/api/projects/{project_id}"))["settings"]["default_flow_id"]
    return default


def test_a_new_flow_has_exactly_the_members_of_the_contract(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id)
    assert flow.keys() == MEMBERS
    assert flow["id"].startswith("flow_")
    assert parse_timestamp(flow["created_at"]) <= parse_timestamp(flow["updated_at"])
    shown = {name: flow[name] for name in MEMBERS - {"id", "created_at", "updated_at"}}
    assert shown == {
        "project_id": project_id,
        "name": "Welcome",
        "description": None,
        "status": "draft",
        "is_default": False,
        "theme_id": None,
        "priority": 0,
        "targeting": {"percentage": 100, "conditions": []},
        "screens": [],
        "stats": {"total_views": 0, "completion_rate": 0},
    }


def test_created_flow_returns_all_its_members(alice: User, project_id: str) -> None:
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    given = {
        "description": "For newcomers",
        "status": "active",
        "theme_id": theme["id"],
        "priority": -5,
        "targeting": {"percentage": 12.5, "conditions": [IOS, {"attribute": "attributes.plan", "operator": "exists"}]},
        "is_default": True,
    }
    flow = alice.create_flow(project_id, **given)
    assert {name: flow[name] for name in given} == given
    read = data_of(alice.get(f"/api/flows/{flow['id']}"))
    assert read == flow
    assert _default_of(alice, project_id) == flow["id"]


def test_screens_made_with_a_flow_stand_in_order_and_show_their_content_by_id(alice: User, project_id: str) -> None:
    screens = [
        {"type": "welcome", "name": "Hello", "content": {"title": "Hi", "big": 1e30}, "settings": {"skip": True}},
        {"type": "paywall"},
    ]
    flow = alice.create_flow(project_id, screens=screens)
    summary = [{"type": "welcome", "name": "Hello", "order": 0}, {"type": "paywall", "name": None, "order": 1}]
    assert [{k: v for k, v in screen.items() if k != "id"} for screen in flow["screens"]] == summary
    read = data_of(alice.get(f"/api/flows/{flow['id']}"))["screens"]
    assert [screen.keys() for screen in read] == [{"id", "type", "name", "order", "content", "settings"}] * 2
    assert read[0]["content"] == {"title": "Hi", "big": 1e30}
    assert read[0]["settings"] == {"skip": True}
    assert read[1]["content"] == read[1]["settings"] == {}
    listed = data_of(alice.get("/api/flows", params={"projectId": project_id}))
    assert listed[0]["screens"] == flow["screens"]


def test_patch_changes_only_the_members_in_its_body(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id, description="Old", targeting={"percentage": 50, "conditions": [IOS]})
    path = f"/api/flows/{flow['id']}"
    assert data_of(alice.put(path, {"targeting": {"percentage": 60}}))["targeting"] == {
        "percentage": 60,
        "conditions": [IOS],
    }
    assert data_of(alice.put(path, {"targeting": {"conditions": []}}))["targeting"] == {
        "percentage": 60,
        "conditions": [],
    }
    changed = data_of(alice.put(path, {"description": None, "name": " New  "}))
    assert (changed["description"], changed["name"]) == (None, "New")
    assert parse_timestamp(changed["updated_at"]) > parse_timestamp(changed["created_at"])
    assert data_of(alice.put(path, {})) == changed


@pytest.mark.parametrize("old", ["draft", "active", "archived"])
@pytest.mark.parametrize("new", ["draft", "active", "archived"])
def test_any_status_may_become_any_other(alice: User, project_id: str, old: str, new: str) -> None:
    flow = alice.create_flow(project_id, status=old)
    assert data_of(alice.put(f"/api/flows/{flow['id']}", {"status": new}))["status"] == new


def test_making_another_flow_the_default_takes_it_from_the_first(alice: User, project_id: str) -> None:
    first = alice.create_flow(project_id, is_default=True)
    second = alice.create_flow(project_id)
    assert data_of(alice.put(f"/api/flows/{second['id']}", {"is_default": True}))["is_default"] is True
    assert data_of(alice.get(f"/api/flows/{first['id']}"))["is_default"] is False
    assert _default_of(alice, project_id) == second["id"]


def test_the_default_is_unset_on_that_flow_only(alice: User, project_id: str) -> None:
    default, other = alice.create_flow(project_id, is_default=True), alice.create_flow(project_id)
    data_of(alice.put(f"/api/flows/{other['id']}", {"is_default": False}))
    assert _default_of(alice, project_id) == default["id"]
    data_of(alice.put(f"/api/flows/{default['id']}", {"is_default": False}))
    assert _default_of(alice, project_id) is None


def test_archiving_the_default_flow_unsets_it_even_when_the_body_echoes_it(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id, is_default=True)
    archived = data_of(alice.put(f"/api/flows/{flow['id']}", {**flow, "status": "archived"}))
    assert (archived["status"], archived["is_default"]) == ("archived", False)
    assert _default_of(alice, project_id) is None


def test_an_archived_flow_cannot_be_made_the_default(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id, status="archived")
    refusals = [
        alice.put(f"/api/flows/{flow['id']}", {"is_default": True}),
        alice.post("/api/flows", {"projectId": project_id, "name": "A", "status": "archived", "is_default": True}),
    ]
    assert [(r.status_code, r.json["details"][0]["field"]) for r in refusals] == [(400, "is_default")] * 2
    listed = data_of(alice.get("/api/flows", params={"projectId": project_id}))
    assert [one["name"] for one in listed] == ["Welcome"]


def test_deleting_the_default_flow_unsets_it_and_takes_its_screens(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id, is_default=True, screens=[{"type": "welcome"}])
    screen_id = flow["screens"][0]["id"]
    deleted = alice.delete(f"/api/flows/{flow['id']}")
    assert (deleted.status_code, deleted.json.keys()) == (200, {"success", "message"})
    assert _default_of(alice, project_id) is None
    assert alice.get(f"/api/flows/{flow['id']}").json["code"] == "INVALID_FLOW"
    assert alice.get(f"/api/screens/{screen_id}").json["code"] == "NOT_FOUND"


@pytest.mark.parametrize("theme_id", ["theme_nothing", "x"])
def test_theme_of_a_flow_belongs_to_the_project(alice: User, project_id: str, theme_id: str) -> None:
    other = alice.create_project("Other")["id"]
    foreign = data_of(alice.post("/api/themes", {"projectId": other, "name": "Dark"}), 201)["id"]
    flow = alice.create_flow(project_id)
    for wrong in (theme_id, foreign, new_id(IdPrefix.THEME)):
        created = alice.post("/api/flows", {"projectId": project_id, "name": "A", "themeId": wrong})
        changed = alice.put(f"/api/flows/{flow['id']}", {"theme_id": wrong})
        assert {(r.status_code, r.json["code"]) for r in (created, changed)} == {(404, "NOT_FOUND")}
