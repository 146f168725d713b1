"""Drafts of flows: save, compare, validate, approve, publish (contract, section 7)."""

from datetime import timedelta
from typing import Any

import pytest

from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp, utc_now
from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of

HELLO = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}}
DOCUMENT = {"name": "Second", "screens": [HELLO]}


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    """Return the id of an active flow with one screen."""
    return str(alice.create_flow(project_id, status="active", screens=[HELLO])["id"])


def save(user: User, flow_id: str, document: dict[str, Any], status: int = 201, **members: object) -> dict[str, Any]:
    result = user.put(f"/api/flows/{flow_id}/draft", {"document": document, **members})
    draft: dict[str, Any] = data_of(result, status)
    return draft


def set_settings(user: User, project_id: str, **settings: object) -> None:
    data_of(user.put(f"/api/projects/{project_id}", {"settings": settings}))


def test_draft_has_the_defaults_of_a_new_flow(alice: User, flow_id: str) -> None:
    draft = save(alice, flow_id, {"name": " Second "})
    assert draft["document"] == {
        "name": "Second",
        "description": None,
        "theme_id": None,
        "targeting": {"percentage": 100, "conditions": []},
        "screens": [],
    }
    assert (draft["approvals"], draft["required_approvals"]) == ([], 0)


def test_theme_of_a_document_has_both_spellings(alice: User, project_id: str, flow_id: str) -> None:
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    draft = save(alice, flow_id, {**DOCUMENT, "themeId": theme["id"]})
    assert draft["document"]["theme_id"] == theme["id"]
    assert "themeId" not in draft["document"]


def test_screens_without_an_id_get_an_id(alice: User, flow_id: str) -> None:
    [live] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    draft = save(alice, flow_id, {"name": "A", "screens": [{"type": "paywall"}, {**HELLO, "id": live["id"]}]})
    added, kept = draft["document"]["screens"]
    assert added["id"].startswith("screen_")
    assert added["id"] != live["id"]
    assert kept["id"] == live["id"]
    again = save(alice, flow_id, draft["document"], 200)
    assert again["document"] == draft["document"]


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "document.name"),
        ({"name": ""}, "document.name"),
        ({"name": "A", "status": "active"}, "document.status"),
        ({"name": "A", "targeting": {"percentage": 101}}, "document.targeting.percentage"),
        ({"name": "A", "targeting": {"conditions": [[]]}}, "document.targeting.conditions.0"),
        ({"name": "A", "theme_id": "theme_a", "themeId": "theme_b"}, "document.themeId"),
        ({"name": "A", "screens": [{"type": "poster"}]}, "document.screens.0.type"),
        ({"name": "A", "screens": [{**HELLO, "order": 0}]}, "document.screens.0.order"),
        ({"name": "A", "screens": [{**HELLO, "id": "screen_made-up"}]}, "document.screens.0.id"),
    ],
)
def test_document_that_cannot_be_stored_is_400(alice: User, flow_id: str, document: dict[str, Any], field: str) -> None:
    result = alice.put(f"/api/flows/{flow_id}/draft", {"document": document})
    assert result.status_code == 400
    assert [detail["field"] for detail in result.json["details"]] == [field]


def test_screen_id_is_400_twice_or_of_another_flow(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    [screen] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    own, drafted = {**HELLO, "id": screen["id"]}, {**HELLO, "id": new_id(IdPrefix.SCREEN)}
    path = f"/api/flows/{flow_id}/draft"
    assert alice.put(path, {"document": {"name": "A", "screens": [own, own]}}).status_code == 400
    save(alice, flow_id, {"name": "A", "screens": [drafted]})
    bob = shared_management.user("bob")
    others = ((alice, alice.create_flow(project_id)["id"]), (bob, bob.create_flow(bob.create_project()["id"])["id"]))
    refused = [
        user.put(f"/api/flows/{other}/draft", {"document": {"name": "A", "screens": [taken]}})
        for user, other in others
        for taken in (own, drafted)
    ]
    assert {result.status_code for result in refused} == {400}
    assert len({result.text for result in refused}) == 1


def test_new_screen_may_have_an_id_that_the_client_made(alice: User, flow_id: str) -> None:
    screens = [{**HELLO, "id": new_id(IdPrefix.SCREEN)} for _ in range(2)]
    draft = save(alice, flow_id, {"name": "A", "screens": screens})
    assert [screen["id"] for screen in draft["document"]["screens"]] == [screen["id"] for screen in screens]
    data_of(alice.post(f"/api/flows/{flow_id}/publish"), 201)
    live = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    assert [screen["id"] for screen in live] == [screen["id"] for screen in screens]


def test_id_of_a_screen_that_was_only_drafted_is_free_again(alice: User, project_id: str, flow_id: str) -> None:
    drafted = {**HELLO, "id": new_id(IdPrefix.SCREEN)}
    save(alice, flow_id, {"name": "A", "screens": [drafted]})
    save(alice, flow_id, {"name": "A", "screens": []}, 200)
    other = str(alice.create_flow(project_id)["id"])
    save(alice, other, {"name": "B", "screens": [drafted]})


def test_screen_of_a_former_version_may_return_in_a_draft(alice: User, flow_id: str) -> None:
    [screen] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    data_of(alice.put(f"/api/flows/{flow_id}", {"name": "Welcome"}))
    assert alice.delete(f"/api/screens/{screen['id']}").status_code == 200
    draft = save(alice, flow_id, {"name": "A", "screens": [{**HELLO, "id": screen["id"]}]})
    assert [kept["id"] for kept in draft["document"]["screens"]] == [screen["id"]]


def test_diff_names_screens_by_id_and_moves_as_moves(alice: User, project_id: str) -> None:
    screens = [{**HELLO, "name": name} for name in "abc"]
    flow = data_of(alice.get(f"/api/flows/{alice.create_flow(project_id, screens=screens)['id']}"))
    first, second, third = ({k: v for k, v in screen.items() if k != "order"} for screen in flow["screens"])
    changed = {**second, "content": {"title": "Ho", "icons": ["x"]}}
    draft = save(alice, flow["id"], {"name": "Welcome", "priority": "ignored", "screens": [third, first, changed]})
    diff = data_of(alice.get(f"/api/flows/{flow['id']}/draft/diff"))
    assert (diff["from"], diff["to"]) == (1, "draft")
    assert diff["changes"] == [
        {"op": "move", "path": f"/screens/{third['id']}", "before": 2, "after": 0},
        {"op": "replace", "path": f"/screens/{second['id']}/content/title", "before": "Hi", "after": "Ho"},
        {"op": "add", "path": f"/screens/{second['id']}/content/icons", "before": None, "after": ["x"]},
    ]
    assert draft["base_version"] == 1


def test_publish_makes_the_draft_live_as_the_next_version(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    [screen] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    project_id = data_of(alice.get(f"/api/flows/{flow_id}"))["project_id"]
    kept = {**HELLO, "id": screen["id"], "content": {"title": "Ho"}}
    draft = save(alice, flow_id, {"name": "Second", "targeting": {"percentage": 12.5}, "screens": [HELLO, kept]})
    revision, _ = shared_management.publication_of(project_id)
    version = data_of(alice.post(f"/api/flows/{flow_id}/publish", {"note": "Shorter"}), 201)
    assert {"number": 2, "origin": "published", "note": "Shorter", "restored_from": None}.items() <= version.items()
    assert version["document"] == draft["document"]
    live = data_of(alice.get(f"/api/flows/{flow_id}"))
    assert (live["name"], live["targeting"]["percentage"], live["status"]) == ("Second", 12.5, "active")
    assert [shown["id"] for shown in live["screens"]] == [shown["id"] for shown in draft["document"]["screens"]]
    assert live["screens"][1]["content"] == {"title": "Ho"}
    assert alice.get(f"/api/flows/{flow_id}/draft").status_code == 404
    assert shared_management.publication_of(project_id)[0] == revision + 1


def test_schedule_of_a_draft_in_another_state_than_if_match_is_412(alice: User, flow_id: str) -> None:
    read = alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "B", "screens": [HELLO]}}).headers["ETag"]
    tag = alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "C", "screens": [HELLO]}}).headers["ETag"]
    schedule = {"action": "publish", "run_at": format_timestamp(utc_now() + timedelta(hours=1))}
    path = f"/api/flows/{flow_id}/schedules"
    assert alice.post(path, schedule, headers={"If-Match": read}).status_code == 412
    assert alice.post(path, schedule, headers={"If-Match": tag}).status_code == 201


def test_publish_with_activate_makes_the_flow_active(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id)
    save(alice, flow["id"], DOCUMENT)
    data_of(alice.post(f"/api/flows/{flow['id']}/publish", {"activate": True}), 201)
    assert data_of(alice.get(f"/api/flows/{flow['id']}"))["status"] == "active"


def test_errors_of_the_draft_are_400_with_details(alice: User, flow_id: str) -> None:
    choice = {"type": "question_single_choice", "content": {"question": "?", "options": [{"value": "a"}]}}
    draft = save(alice, flow_id, {"name": "A", "screens": [{"type": "welcome"}, choice]})
    welcome, question = (screen["id"] for screen in draft["document"]["screens"])
    expected = [
        (f"/screens/{welcome}/content/title", "MISSING_PARAMETER"),
        (f"/screens/{question}/content/options", "TOO_FEW_OPTIONS"),
    ]
    found = data_of(alice.post(f"/api/flows/{flow_id}/draft/validate"))
    assert [(problem["field"], problem["code"]) for problem in found["errors"]] == expected
    assert found["warnings"] == []
    refused = alice.post(f"/api/flows/{flow_id}/publish")
    assert refused.status_code == 400
    assert [(detail["field"], detail["code"]) for detail in refused.json["details"]] == expected


def test_warnings_are_409_until_they_are_ignored(alice: User, project_id: str, flow_id: str) -> None:
    pale = {"projectId": project_id, "name": "Pale", "colors": {"text": "#cccccc", "background": "#ffffff"}}
    theme = data_of(alice.post("/api/themes", pale), 201)
    save(alice, flow_id, {**DOCUMENT, "theme_id": theme["id"]})
    refused = alice.post(f"/api/flows/{flow_id}/publish")
    assert (refused.status_code, refused.json["code"]) == (409, "CONFLICT")
    assert [(detail["field"], detail["code"]) for detail in refused.json["details"]] == [("/theme_id", "LOW_CONTRAST")]
    data_of(alice.post(f"/api/flows/{flow_id}/publish", {"ignore_warnings": True}), 201)


def test_review_needs_approvals_of_other_members(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    set_settings(alice, project_id, required_approvals=2)
    bob, carol, dave = (
        shared_management.member(f"{name}-{flow_id}", project_id, role)
        for name, role in (("bob", Role.EDITOR), ("carol", Role.ADMIN), ("dave", Role.VIEWER))
    )
    save(alice, flow_id, DOCUMENT)
    path = f"/api/flows/{flow_id}/draft/approve"
    assert alice.post(path).status_code == 403
    assert dave.post(path).status_code == 403
    first = data_of(bob.post(path))
    assert data_of(bob.post(path)) == first
    refused = alice.post(f"/api/flows/{flow_id}/publish")
    assert (refused.status_code, refused.json["details"][0]["code"]) == (409, "APPROVALS_MISSING")
    approved = data_of(carol.post(path))
    assert len({approval["user_id"] for approval in approved["approvals"]}) == 2
    data_of(alice.post(f"/api/flows/{flow_id}/publish"), 201)


def test_change_of_a_draft_takes_its_approvals_away(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    bob = shared_management.member(f"bob-{flow_id}", project_id, Role.EDITOR)
    save(alice, flow_id, DOCUMENT)
    data_of(bob.post(f"/api/flows/{flow_id}/draft/approve"))
    unchanged = save(alice, flow_id, data_of(alice.get(f"/api/flows/{flow_id}/draft"))["document"], 200)
    assert len(unchanged["approvals"]) == 1
    assert save(alice, flow_id, {"name": "B"}, 200)["approvals"] == []


def test_project_may_refuse_direct_writes(alice: User, project_id: str, flow_id: str) -> None:
    [screen] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    other = data_of(alice.post("/api/screens", {"flowId": flow_id, **HELLO}), 201)
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    data_of(alice.put(f"/api/flows/{flow_id}", {"theme_id": theme["id"]}))
    for settings in ({"direct_writes": "refused"}, {"direct_writes": "allowed", "required_approvals": 1}):
        set_settings(alice, project_id, **settings)
        for method, path, body in (
            ("PUT", f"/api/flows/{flow_id}", {"name": "Direct"}),
            ("POST", "/api/screens", {"flowId": flow_id, **HELLO}),
            ("PUT", f"/api/screens/{screen['id']}", {"name": "Other"}),
            ("DELETE", f"/api/screens/{screen['id']}", None),
            ("PUT", f"/api/flows/{flow_id}/screens/order", {"screen_ids": [other["id"], screen["id"]]}),
            ("DELETE", f"/api/themes/{theme['id']}", None),
        ):
            refused = alice.request(method, path, json=body)
            assert refused.status_code == 409, path
            assert refused.json["error"] == "This project changes flows through drafts"
        shown = data_of(alice.get(f"/api/flows/{flow_id}"))
        changed = {**shown, "status": "draft", "is_default": True}
        assert data_of(alice.put(f"/api/flows/{flow_id}", changed))["status"] == "draft"
    assert data_of(alice.put(f"/api/projects/{project_id}/flows/order", {"flow_ids": [flow_id]}))


def test_settings_of_drafts_are_shown_and_checked(alice: User, project_id: str) -> None:
    path = f"/api/projects/{project_id}"
    shown = data_of(alice.get(path))["settings"]
    assert (shown["direct_writes"], shown["required_approvals"]) == ("allowed", 0)
    put = data_of(alice.put(path, {"settings": {"required_approvals": 5, "direct_writes": "refused"}}))["settings"]
    assert (put["direct_writes"], put["required_approvals"]) == ("refused", 5)
    for settings in ({"required_approvals": 6}, {"required_approvals": -1}, {"direct_writes": "sometimes"}):
        assert alice.put(path, {"settings": settings}).status_code == 400
    [listed] = [
        project
        for project in data_of(alice.get("/api/projects", params={"limit": "100"}))
        if project["id"] == project_id
    ]
    assert "direct_writes" not in listed["settings"]


def test_approval_and_publication_with_it_are_in_the_audit_log(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    bob = shared_management.member(f"bob-{flow_id}", project_id, Role.EDITOR)
    save(alice, flow_id, DOCUMENT)
    data_of(bob.post(f"/api/flows/{flow_id}/draft/approve"))
    data_of(alice.post(f"/api/flows/{flow_id}/publish"), 201)
    log = data_of(alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": "100"}))
    after = {entry["action"]: entry["after"] for entry in log if entry["entity_id"] == flow_id}
    assert after["flow.draft_approved"]["draft"] == after["flow.published"]["draft"]
    assert len(after["flow.published"]["approvers"]) == 1
