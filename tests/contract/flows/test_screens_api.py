"""Screens over the API (contract, sections 1 and 3)."""

from typing import Any

import pytest

from tests.support.clients.management import User, data_of

MEMBERS = {
    "id", "flow_id", "project_id", "type", "name", "order", "content", "settings", "created_at", "updated_at",
}  # fmt: skip


@pytest.fixture
def flow(alice: User) -> dict[str, Any]:
    """Return a flow of alice's, without screens."""
    return alice.create_flow(alice.create_project()["id"])


def _create(user: User, flow_id: str, name: str | None = None, **members: object) -> dict[str, Any]:
    body = {"flowId": flow_id, "type": "feature", "name": name, **members}
    screen: dict[str, Any] = data_of(user.post("/api/screens", body), 201)
    return screen


def _names(user: User, flow_id: str, **params: object) -> list[str]:
    return [screen["name"] for screen in data_of(user.get("/api/screens", params={"flowId": flow_id, **params}))]


def _orders(user: User, flow_id: str) -> list[tuple[str, int]]:
    screens = data_of(user.get("/api/screens", params={"flow_id": flow_id}))
    return [(screen["name"], screen["order"]) for screen in screens]


def test_a_new_screen_has_exactly_the_members_of_the_contract(alice: User, flow: dict[str, Any]) -> None:
    screen = data_of(alice.post("/api/screens", {"flow_id": flow["id"], "type": "welcome"}), 201)
    assert screen.keys() == MEMBERS
    assert screen["id"].startswith("screen_")
    shown = {name: screen[name] for name in MEMBERS - {"id", "created_at", "updated_at"}}
    assert shown == {
        "flow_id": flow["id"],
        "project_id": flow["project_id"],
        "type": "welcome",
        "name": None,
        "order": 0,
        "content": {},
        "settings": {},
    }
    assert data_of(alice.get(f"/api/screens/{screen['id']}")) == screen
    assert data_of(alice.get("/api/screens", params={"flowId": flow["id"]})) == [screen]


def test_new_screen_without_a_position_goes_last(alice: User, flow: dict[str, Any]) -> None:
    for name in "ab":
        _create(alice, flow["id"], name)
    assert _create(alice, flow["id"], "c")["order"] == 2
    assert _create(alice, flow["id"], "d", order=None)["order"] == 3


def test_inserting_a_screen_shifts_the_rest(alice: User, flow: dict[str, Any]) -> None:
    for name in "abc":
        _create(alice, flow["id"], name)
    assert _create(alice, flow["id"], "new", order=1)["order"] == 1
    assert _orders(alice, flow["id"]) == [("a", 0), ("new", 1), ("b", 2), ("c", 3)]


def test_an_order_past_the_end_means_the_end(alice: User, flow: dict[str, Any]) -> None:
    first = _create(alice, flow["id"], "a", order=50)
    assert _create(alice, flow["id"], "b", order=2**31 - 1)["order"] == 1
    assert data_of(alice.put(f"/api/screens/{first['id']}", {"order": 99}))["order"] == 1
    assert _orders(alice, flow["id"]) == [("b", 0), ("a", 1)]


def test_moving_a_screen_shifts_the_ones_in_between(alice: User, flow: dict[str, Any]) -> None:
    ids = {name: _create(alice, flow["id"], name)["id"] for name in "abcd"}
    moves = (("a", 2, "bcad"), ("a", 3, "bcda"), ("d", 0, "dbca"), ("c", 1, "dcba"), ("b", 2, "dcba"), ("c", 9, "dbac"))
    for moved, to, expected in moves:
        data_of(alice.put(f"/api/screens/{ids[moved]}", {"order": to}))
        assert _orders(alice, flow["id"]) == [(name, order) for order, name in enumerate(expected)]


def test_deleting_a_screen_closes_the_gap(alice: User, flow: dict[str, Any]) -> None:
    ids = [_create(alice, flow["id"], name)["id"] for name in "abc"]
    deleted = alice.delete(f"/api/screens/{ids[0]}")
    assert (deleted.status_code, deleted.json.keys()) == (200, {"success", "message"})
    assert _orders(alice, flow["id"]) == [("b", 0), ("c", 1)]
    assert alice.get(f"/api/screens/{ids[0]}").json["code"] == "NOT_FOUND"


def test_patch_changes_only_the_members_in_its_body(alice: User, flow: dict[str, Any]) -> None:
    screen = _create(alice, flow["id"], "Hello", content={"title": "Hi"}, settings={"skip": True})
    path = f"/api/screens/{screen['id']}"
    changed = data_of(alice.put(path, {"type": "custom", "name": None, "content": {"n": [1, 2.5, None]}}))
    assert (changed["type"], changed["name"], changed["content"]) == ("custom", None, {"n": [1, 2.5, None]})
    assert changed["settings"] == {"skip": True}
    assert changed["updated_at"] >= screen["updated_at"]
    assert data_of(alice.put(path, {})) == changed


def test_numbers_beyond_64_bits_come_back(alice: User, flow: dict[str, Any]) -> None:
    screen = _create(alice, flow["id"], content={"large": 1e300, "whole": 10**25})
    assert data_of(alice.get(f"/api/screens/{screen['id']}"))["content"] == {"large": 1e300, "whole": 1e25}


@pytest.mark.parametrize("content", ['{"a": "\\u0000"}', '{"a": "\\ud800"}', '{"a": 1e999}', "[" * 40 + "]" * 40])
def test_invalid_screen_is_rejected(alice: User, flow: dict[str, Any], content: str) -> None:
    body = f'{{"flowId": "{flow["id"]}", "type": "custom", "content": {{"x": {content}}}}}'
    result = alice.request("POST", "/api/screens", body=body, headers={"Content-Type": "application/json"})
    assert (result.status_code, result.json["code"]) == (400, "INVALID_PARAMETER")


def test_a_flow_takes_at_most_a_hundred_screens(alice: User, flow: dict[str, Any]) -> None:
    full = data_of(
        alice.post(
            "/api/flows", {"projectId": flow["project_id"], "name": "Full", "screens": [{"type": "welcome"}] * 100}
        ),
        201,
    )
    result = alice.post("/api/screens", {"flowId": full["id"], "type": "welcome", "order": 0})
    assert (result.status_code, result.json["code"]) == (409, "CONFLICT")
    assert alice.get("/api/screens", params={"flowId": full["id"]}).json["pagination"]["total"] == 100


def test_screens_are_filtered_by_type_and_sorted(alice: User, flow: dict[str, Any]) -> None:
    for name, kind in (("b", "welcome"), ("a", "paywall"), ("c", "welcome")):
        _create(alice, flow["id"], name, type=kind)
    assert _names(alice, flow["id"], type="welcome") == ["b", "c"]
    assert _names(alice, flow["id"], sort="-order") == ["c", "a", "b"]
    assert _names(alice, flow["id"], sort="name") == ["a", "b", "c"]
    assert _names(alice, flow["id"], sort="-created_at", limit=2, page=2) == ["b"]
    assert _names(alice, flow["id"], type="signup") == []


def test_list_leaves_out_large_content_and_says_so(alice: User, flow: dict[str, Any]) -> None:
    content = {"text": "x" * 100_000}
    large, small = _create(alice, flow["id"], content=content), _create(alice, flow["id"], content={"text": "x"})
    listed = data_of(alice.get("/api/screens", params={"flowId": flow["id"]}))
    assert [(screen["content"], screen.get("content_omitted")) for screen in listed] == [
        ({}, True),
        (small["content"], None),
    ]
    assert data_of(alice.get(f"/api/screens/{large['id']}"))["content"] == content
