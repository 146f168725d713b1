"""The row that orders the screens of a flow (contract, section 3)."""

import itertools
from typing import Any

import pytest

from tests.support.clients.management import User, data_of


@pytest.fixture
def flow(alice: User) -> dict[str, Any]:
    """Return a flow of alice's with the screens a, b and c."""
    return _flow_with_screens(alice, alice.create_project()["id"], "abc")


def _flow_with_screens(user: User, project_id: str, names: str) -> dict[str, Any]:
    screens = [{"type": "feature", "name": name} for name in names]
    return user.create_flow(project_id, screens=screens)


def _ids(flow: dict[str, Any]) -> list[str]:
    return [screen["id"] for screen in flow["screens"]]


def test_any_order_is_possible(alice: User, flow: dict[str, Any]) -> None:
    for screen_ids in itertools.permutations(_ids(flow)):
        ordered = data_of(alice.put(f"/api/flows/{flow['id']}/screens/order", {"screen_ids": screen_ids}))
        assert ordered.keys() == flow.keys()
        assert _ids(ordered) == list(screen_ids)
        assert [screen["order"] for screen in ordered["screens"]] == [0, 1, 2]
        listed = data_of(alice.get("/api/screens", params={"flowId": flow["id"]}))
        assert [screen["id"] for screen in listed] == list(screen_ids)


def test_a_flow_without_screens_has_one_order(alice: User, flow: dict[str, Any]) -> None:
    empty = _flow_with_screens(alice, flow["project_id"], "")
    assert data_of(alice.put(f"/api/flows/{empty['id']}/screens/order", {"screen_ids": []}))["screens"] == []


def test_every_screen_of_the_flow_and_no_other_must_be_named_once(alice: User, flow: dict[str, Any]) -> None:
    a, b, c = _ids(flow)
    (foreign,) = _ids(_flow_with_screens(alice, flow["project_id"], "x"))
    for screen_ids in ([], [a, b], [a, b, b], [a, b, c, c], [a, b, foreign], [a, b, c, foreign], [a, b, "screen_x"]):
        refused = alice.put(f"/api/flows/{flow['id']}/screens/order", {"screen_ids": screen_ids})
        assert refused.status_code == 400
        assert refused.json["details"] == [
            {
                "field": "screen_ids",
                "code": "INVALID_PARAMETER",
                "message": "must name every screen of the flow exactly once",
            }
        ]
    assert _ids(data_of(alice.get(f"/api/flows/{flow['id']}"))) == [a, b, c]


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "MISSING_PARAMETER", "screen_ids"),
        ({"screen_ids": None}, "MISSING_PARAMETER", "screen_ids"),
        ({"screen_ids": "a"}, "INVALID_PARAMETER", "screen_ids"),
        ({"screen_ids": [1]}, "INVALID_PARAMETER", "screen_ids.0"),
        ({"screen_ids": ["a"] * 101}, "INVALID_PARAMETER", "screen_ids"),
        ({"screen_ids": [], "other": 1}, "INVALID_PARAMETER", "other"),
    ],
)
def test_a_bad_body_is_refused(alice: User, flow: dict[str, Any], body: object, code: str, field: str) -> None:
    refused = alice.put(f"/api/flows/{flow['id']}/screens/order", body)
    assert (refused.status_code, refused.json["code"], refused.json["details"][0]["field"]) == (400, code, field)
