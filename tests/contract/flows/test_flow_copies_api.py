"""The row that copies a flow (contract, section 3)."""

from typing import Any

import pytest

from tests.support.clients.management import User, data_of

CONDITIONS = [{"attribute": "platform", "operator": "eq", "value": "ios"}]


@pytest.fixture
def flow(alice: User) -> dict[str, Any]:
    """Return the default flow of a project of alice's: active, with two screens and everything set."""
    project_id = alice.create_project()["id"]
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    body = {
        "projectId": project_id,
        "name": "Welcome",
        "description": "First steps",
        "status": "active",
        "theme_id": theme["id"],
        "priority": 7,
        "targeting": {"percentage": 12.5, "conditions": CONDITIONS},
        "is_default": True,
        "screens": [
            {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {"skippable": True}},
            {"type": "paywall", "name": None, "content": {"plans": [1, None]}},
        ],
    }
    made: dict[str, Any] = data_of(alice.post("/api/flows", body), 201)
    return made


def _duplicate(user: User, flow_id: str, body: object = None) -> dict[str, Any]:
    copy: dict[str, Any] = data_of(user.post(f"/api/flows/{flow_id}/duplicate", body), 201)
    return copy


def test_a_copy_is_a_draft_with_all_that_the_original_has(alice: User, flow: dict[str, Any]) -> None:
    copy = _duplicate(alice, flow["id"])
    assert copy.keys() == flow.keys()
    assert copy["id"] != flow["id"]
    own = {"id", "screens", "created_at", "updated_at"}
    assert {name: value for name, value in copy.items() if name not in own} == {
        **{name: value for name, value in flow.items() if name not in own},
        "name": "Welcome (copy)",
        "status": "draft",
        "is_default": False,
    }


def test_the_screens_of_a_copy_are_its_own(alice: User, flow: dict[str, Any]) -> None:
    copy = _duplicate(alice, flow["id"])
    original, copied = (data_of(alice.get(f"/api/flows/{id_}"))["screens"] for id_ in (flow["id"], copy["id"]))
    assert [{**screen, "id": None} for screen in copied] == [{**screen, "id": None} for screen in original]
    assert not {screen["id"] for screen in copied} & {screen["id"] for screen in original}
    alice.delete(f"/api/screens/{copied[0]['id']}")
    assert len(data_of(alice.get(f"/api/flows/{flow['id']}"))["screens"]) == 2


def test_copying_changes_nothing_of_the_original(alice: User, flow: dict[str, Any]) -> None:
    _duplicate(alice, flow["id"])
    assert alice.get(f"/api/flows/{flow['id']}").json["data"]["is_default"] is True
    project = data_of(alice.get(f"/api/projects/{flow['project_id']}"))
    assert project["settings"]["default_flow_id"] == flow["id"]


@pytest.mark.parametrize(
    ("name", "name_of_copy"),
    [
        ("A" * 93, "A" * 93 + " (copy)"),
        ("A" * 100, "A" * 93 + " (copy)"),
        ("A" * 90 + "   BCDEFGH", "A" * 90 + " (copy)"),
        ("\N{PARTY POPPER}" * 100, "\N{PARTY POPPER}" * 93 + " (copy)"),
        ("Welcome (copy)", "Welcome (copy) (copy)"),
    ],
)
def test_the_name_of_a_copy_is_never_too_long(alice: User, flow: dict[str, Any], name: str, name_of_copy: str) -> None:
    data_of(alice.put(f"/api/flows/{flow['id']}", {"name": name}))
    assert _duplicate(alice, flow["id"])["name"] == name_of_copy


def test_copy_accepts_an_empty_body_only(alice: User, flow: dict[str, Any]) -> None:
    _duplicate(alice, flow["id"], {})
    refused = alice.post(f"/api/flows/{flow['id']}/duplicate", {"name": "Other"})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "name")
