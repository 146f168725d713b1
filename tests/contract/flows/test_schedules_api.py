"""Schedules of flows: make, list, cancel and run them (contract, section 7, Schedules)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp
from management_api.db.models.flow_history import FlowSchedule
from management_api.db.models.projects import Member, Role
from management_api.users.operations import deactivate_user
from publisher.schedules import ScheduleRunner
from tests.support.clients.management import Management, User, data_of

HELLO = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}}
DOCUMENT = {"name": "Second", "screens": [HELLO]}


def at(**ahead: float) -> str:
    return format_timestamp(datetime.now(UTC) + timedelta(**ahead))


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    return str(alice.create_flow(project_id, screens=[HELLO])["id"])


def schedule(user: User, flow_id: str, action: str, **members: object) -> dict[str, Any]:
    body = {"action": action, "run_at": at(days=1), **members}
    made: dict[str, Any] = data_of(user.post(f"/api/flows/{flow_id}/schedules", body), 201)
    return made


def run_due(management: Management, flow_id: str, *, late: timedelta = timedelta()) -> list[tuple[str, str | None]]:
    """Let the time of the flow's schedules come, run them, and return their states and errors."""
    with management.database.transaction() as session:
        session.execute(
            update(FlowSchedule)
            .where(FlowSchedule.flow_id == flow_id, FlowSchedule.state == "pending")
            .values(run_at=datetime.now(UTC) - late)
        )
    ScheduleRunner(management.database).run_due()
    with management.database.reading() as session:
        rows = session.execute(
            select(FlowSchedule.state, FlowSchedule.error)
            .where(FlowSchedule.flow_id == flow_id)
            .order_by(FlowSchedule.created_at)
        )
        return [(row.state, row.error) for row in rows]


def save_draft(user: User, flow_id: str, document: dict[str, Any]) -> None:
    assert user.put(f"/api/flows/{flow_id}/draft", {"document": document}).status_code in {200, 201}


def flow_of(user: User, flow_id: str) -> dict[str, Any]:
    flow: dict[str, Any] = data_of(user.get(f"/api/flows/{flow_id}"))
    return flow


def test_schedule_has_the_members_of_the_contract(alice: User, flow_id: str) -> None:
    made = schedule(alice, flow_id, "activate", note="Launch")
    assert made.keys() == {
        *("id", "flow_id", "action", "version", "activate", "run_at", "note", "void_reason", "state", "error"),
        *("created_by", "created_at", "ended_at"),
    }
    assert made["id"].startswith("sched_")
    assert {
        "state": "pending",
        "error": None,
        "version": None,
        "activate": False,
        "void_reason": None,
        "ended_at": None,
        "note": "Launch",
    }.items() <= made.items()
    assert data_of(alice.get(f"/api/flows/{flow_id}/schedules")) == [made]


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"run_at": at(seconds=-60)}, "run_at"),
        ({"run_at": at(days=367)}, "run_at"),
        ({"run_at": "Monday"}, "run_at"),
        ({"run_at": None}, "run_at"),
        ({"action": "delete"}, "action"),
        ({"action": "restore"}, "version"),
        ({"action": "activate", "version": 1}, "version"),
        ({"note": "x" * 501}, "note"),
        ({"activate": True}, "activate"),
    ],
)
def test_wrong_schedule_is_400(alice: User, flow_id: str, members: dict[str, Any], field: str) -> None:
    body = {"action": "activate", "run_at": at(days=1), **members}
    result = alice.post(f"/api/flows/{flow_id}/schedules", body)
    assert (result.status_code, result.json["details"][0]["field"]) == (400, field)


def test_schedule_needs_its_draft_or_version(alice: User, flow_id: str) -> None:
    path = f"/api/flows/{flow_id}/schedules"
    assert alice.post(path, {"action": "publish", "run_at": at(days=1)}).status_code == 409
    assert alice.post(path, {"action": "restore", "version": 2, "run_at": at(days=1)}).status_code == 404


def test_warnings_are_judged_when_the_schedule_is_made(alice: User, project_id: str, flow_id: str) -> None:
    pale = {"projectId": project_id, "name": "Pale", "colors": {"text": "#cccccc", "background": "#ffffff"}}
    theme = data_of(alice.post("/api/themes", pale), 201)
    save_draft(alice, flow_id, {**DOCUMENT, "theme_id": theme["id"]})
    refused = alice.post(f"/api/flows/{flow_id}/schedules", {"action": "publish", "run_at": at(days=1)})
    assert (refused.status_code, refused.json["details"][0]["code"]) == (409, "LOW_CONTRAST")
    schedule(alice, flow_id, "publish", ignore_warnings=True)


def test_pending_schedule_is_a_warning_for_a_publication(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    save_draft(alice, flow_id, DOCUMENT)
    schedule(alice, flow_id, "publish")
    refused = alice.post(f"/api/flows/{flow_id}/publish")
    assert (refused.status_code, refused.json["details"][0]["code"]) == (409, "PENDING_SCHEDULE")
    assert run_due(shared_management, flow_id) == [("done", None)]


def test_21st_pending_schedule_is_409(alice: User, flow_id: str) -> None:
    made = [schedule(alice, flow_id, "activate") for _ in range(20)]
    body = {"action": "activate", "run_at": at(days=1)}
    assert alice.post(f"/api/flows/{flow_id}/schedules", body).status_code == 409
    assert alice.delete(f"/api/flows/{flow_id}/schedules/{made[0]['id']}").status_code == 200
    assert alice.post(f"/api/flows/{flow_id}/schedules", body).status_code == 201


def test_schedule_is_cancelled_once(shared_management: Management, alice: User, flow_id: str) -> None:
    path = f"/api/flows/{flow_id}/schedules/{schedule(alice, flow_id, 'activate')['id']}"
    assert alice.delete(path).status_code == 200
    assert alice.delete(path).status_code == 409
    assert alice.delete(f"/api/flows/{flow_id}/schedules/{new_id(IdPrefix.SCHEDULE)}").status_code == 404
    assert run_due(shared_management, flow_id) == [("cancelled", None)]
    assert flow_of(alice, flow_id)["status"] == "draft"


def test_deleted_flow_leaves_entries_of_its_schedules_and_qa_devices(
    alice: User, project_id: str, flow_id: str
) -> None:
    made = schedule(alice, flow_id, "activate")
    data_of(alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {"phone": flow_id}}))
    assert alice.delete(f"/api/flows/{flow_id}").status_code == 200
    entries = data_of(alice.get(f"/api/projects/{project_id}/audit-log"))[:3]
    assert {entry["action"] for entry in entries} == {"flow.delete", "qa_device.delete", "flow.schedule_cancelled"}
    [cancelled] = [entry for entry in entries if entry["action"] == "flow.schedule_cancelled"]
    assert cancelled["after"] == {"schedule": made["id"], "action": "activate"}


def test_schedule_before_its_time_stays_pending(shared_management: Management, alice: User, flow_id: str) -> None:
    schedule(alice, flow_id, "activate")
    ScheduleRunner(shared_management.database).run_due()
    assert [shown["state"] for shown in data_of(alice.get(f"/api/flows/{flow_id}/schedules"))] == ["pending"]


def test_publication_at_a_time_makes_a_scheduled_version(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    save_draft(alice, flow_id, DOCUMENT)
    schedule(alice, flow_id, "publish", note="Monday")
    revision, _ = shared_management.publication_of(project_id)
    assert run_due(shared_management, flow_id) == [("done", None)]
    assert flow_of(alice, flow_id)["name"] == "Second"
    version = data_of(alice.get(f"/api/flows/{flow_id}/versions/2"))
    assert {"origin": "scheduled", "note": "Monday", "created_by": shared_management.user_id("alice")}.items() <= (
        version.items()
    )
    assert shared_management.publication_of(project_id)[0] == revision + 1
    assert alice.get(f"/api/flows/{flow_id}/draft").status_code == 404


def test_restore_activation_and_archiving_at_a_time(shared_management: Management, alice: User, flow_id: str) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}", {"name": "Direct"}))
    for action, members, name, status in (
        ("activate", {}, "Direct", "active"),
        ("restore", {"version": 1}, "Welcome", "active"),
        ("archive", {}, "Welcome", "archived"),
    ):
        schedule(alice, flow_id, action, **members)
        assert run_due(shared_management, flow_id)[-1] == ("done", None)
        assert (flow_of(alice, flow_id)["name"], flow_of(alice, flow_id)["status"]) == (name, status)


def test_changed_or_published_draft_fails_its_schedule(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    save_draft(alice, flow_id, DOCUMENT)
    schedule(alice, flow_id, "publish")
    save_draft(alice, flow_id, {**DOCUMENT, "name": "Third"})
    assert run_due(shared_management, flow_id) == [("failed", "draft_changed")]
    schedule(alice, flow_id, "publish")
    data_of(alice.post(f"/api/flows/{flow_id}/publish", {"ignore_warnings": True}), 201)
    assert run_due(shared_management, flow_id)[-1] == ("failed", "draft_changed")
    assert flow_of(alice, flow_id)["name"] == "Third"
    assert len(data_of(alice.get(f"/api/flows/{flow_id}/versions"))) == 2


@pytest.mark.parametrize("loss", ["role", "activity"])
def test_permission_of_the_creator_is_checked_again(
    shared_management: Management, alice: User, project_id: str, flow_id: str, loss: str
) -> None:
    bob = shared_management.member(f"bob-{flow_id}", project_id, Role.EDITOR)
    schedule(bob, flow_id, "activate")
    with shared_management.database.transaction() as session:
        user_id = shared_management.user_id(f"bob-{flow_id}")
        if loss == "role":
            session.execute(delete(Member).where(Member.project_id == project_id, Member.user_id == user_id))
        else:
            deactivate_user(session, user_id)
    assert run_due(shared_management, flow_id) == [("failed", "forbidden")]
    assert flow_of(alice, flow_id)["status"] == "draft"


def test_errors_and_conflicts_at_the_time_fail_a_schedule(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    save_draft(alice, flow_id, {**DOCUMENT, "theme_id": theme["id"]})
    schedule(alice, flow_id, "publish")
    assert alice.delete(f"/api/themes/{theme['id']}").status_code == 200
    assert run_due(shared_management, flow_id) == [("failed", "invalid_draft")]
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"required_approvals": 1}}))
    save_draft(alice, flow_id, DOCUMENT)
    schedule(alice, flow_id, "publish")
    assert run_due(shared_management, flow_id)[-1] == ("failed", "approvals_missing")


def test_failure_is_in_the_audit_log(shared_management: Management, alice: User, project_id: str, flow_id: str) -> None:
    made = schedule(alice, flow_id, "activate")
    assert run_due(shared_management, flow_id, late=timedelta(hours=24, seconds=1)) == [("failed", "missed")]
    assert flow_of(alice, flow_id)["status"] == "draft"
    log = data_of(alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": "100"}))
    entries = {entry["action"]: entry["after"] for entry in log}
    assert entries["flow.schedule_failed"] == {"schedule": made["id"], "action": "activate", "error": "missed"}
    assert entries["flow.scheduled"]["schedule"] == made["id"]


def test_late_schedule_still_runs_within_a_day(shared_management: Management, alice: User, flow_id: str) -> None:
    schedule(alice, flow_id, "activate")
    assert run_due(shared_management, flow_id, late=timedelta(hours=23, minutes=59)) == [("done", None)]


def void_reasons(user: User, flow_id: str) -> list[str | None]:
    """Return the void reasons of the schedules of a flow, the oldest first."""
    listed = data_of(user.get(f"/api/flows/{flow_id}/schedules", params={"sort": "created_at"}))
    return [shown["void_reason"] for shown in listed]


def test_publication_and_restore_activate_the_flow(shared_management: Management, alice: User, flow_id: str) -> None:
    save_draft(alice, flow_id, DOCUMENT)
    for action, members in (("publish", {}), ("restore", {"version": 1})):
        assert schedule(alice, flow_id, action, activate=True, **members)["activate"] is True
        assert run_due(shared_management, flow_id)[-1] == ("done", None)
        assert flow_of(alice, flow_id)["status"] == "active"
        data_of(alice.put(f"/api/flows/{flow_id}", {"status": "draft"}))


def test_void_reason_tells_what_would_fail_a_schedule_now(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    bob = shared_management.member(f"bob {flow_id}", project_id, Role.EDITOR)
    save_draft(alice, flow_id, DOCUMENT)
    schedule(alice, flow_id, "publish")
    schedule(alice, flow_id, "activate")
    schedule(alice, flow_id, "restore", version=1)
    # Version 1 is live.
    assert void_reasons(alice, flow_id) == [None, None, "conflict"]
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"required_approvals": 1}}))
    assert void_reasons(alice, flow_id) == ["approvals_missing", "approvals_missing", "conflict"]
    data_of(bob.post(f"/api/flows/{flow_id}/draft/approve"))
    assert void_reasons(alice, flow_id) == [None, "approvals_missing", "conflict"]
    save_draft(alice, flow_id, {**DOCUMENT, "name": "Third"})
    assert void_reasons(alice, flow_id) == ["draft_changed", "approvals_missing", "conflict"]
    run_due(shared_management, flow_id)
    assert void_reasons(alice, flow_id) == [None, None, None]


def test_void_reason_of_a_creator_who_may_not_edit_is_a_conflict(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    bob = shared_management.member(f"bob {flow_id}", project_id, Role.EDITOR)
    schedule(bob, flow_id, "activate")
    assert bob.delete(f"/api/projects/{project_id}/members/{shared_management.user_id(f'bob {flow_id}')}")
    assert void_reasons(alice, flow_id) == ["conflict"]


@pytest.mark.parametrize("action", ["activate", "publish", "restore"])
def test_schedule_that_would_serve_unreviewed_content_fails(
    shared_management: Management, alice: User, project_id: str, flow_id: str, action: str
) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}", {"name": "Direct"}))
    save_draft(alice, flow_id, DOCUMENT)
    schedule(alice, flow_id, action, **{"restore": {"version": 1}}.get(action, {}))
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"required_approvals": 1}}))
    assert void_reasons(alice, flow_id) == ["approvals_missing"]
    assert run_due(shared_management, flow_id) == [("failed", "approvals_missing")]
    assert (flow_of(alice, flow_id)["status"], flow_of(alice, flow_id)["name"]) == ("draft", "Direct")
