"""Review: content reaches devices only with approvals while a project requires them (contract, section 7, Review)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from falcon.testing import Result
from sqlalchemy import delete, update

from common.timestamps import format_timestamp
from management_api.db.models.flow_history import FlowSchedule, FlowVersion
from management_api.db.models.projects import Member, Role
from management_api.users.operations import deactivate_user
from publisher.schedules import ScheduleRunner
from tests.support.clients.management import Management, User, data_of

HELLO = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}}
DOCUMENT = {"name": "Second", "screens": [HELLO]}
MISSING = (409, "CONFLICT", ["APPROVALS_MISSING"])


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    """Return the id of an active flow that was live before the rule began."""
    flow_id = str(alice.create_flow(project_id, status="active", screens=[HELLO])["id"])
    require(alice, project_id, 1)
    return flow_id


@pytest.fixture
def bob(management: Management, project_id: str) -> User:
    return management.member(f"bob {project_id}", project_id, Role.EDITOR)


def require(user: User, project_id: str, approvals: int) -> None:
    data_of(user.put(f"/api/projects/{project_id}", {"settings": {"required_approvals": approvals}}))


def save(user: User, flow_id: str, **members: object) -> None:
    assert user.put(f"/api/flows/{flow_id}/draft", {"document": {**DOCUMENT, **members}}).status_code in {200, 201}


def approve(user: User, flow_id: str) -> Result:
    return user.post(f"/api/flows/{flow_id}/draft/approve")


def publish(user: User, flow_id: str, **members: object) -> Result:
    return user.post(f"/api/flows/{flow_id}/publish", {"ignore_warnings": True, **members})


def refusal(result: Result) -> tuple[int, str, list[str]]:
    """Return status, code and the codes of the details."""
    return result.status_code, result.json["code"], [detail["code"] for detail in result.json.get("details", ())]


def entries(user: User, project_id: str) -> dict[str, Any]:
    """Return the newest entry of the audit log by its action."""
    log = data_of(user.get(f"/api/projects/{project_id}/audit-log", params={"limit": "100"}))
    return {entry["action"]: entry for entry in reversed(log)}


def test_new_flow_and_copy_are_drafts_that_cannot_serve(alice: User, project_id: str, flow_id: str) -> None:
    for members in ({"status": "active"}, {"is_default": True}):
        refused = alice.post("/api/flows", {"projectId": project_id, "name": "New", **members})
        assert refusal(refused) == MISSING
    created = alice.create_flow(project_id, screens=[HELLO], status="archived")
    copy = data_of(alice.post(f"/api/flows/{flow_id}/duplicate", {}), 201)
    for flow in (created, copy):
        assert flow["status"] == "draft"
        for change in ({"status": "active"}, {"is_default": True}):
            assert refusal(alice.put(f"/api/flows/{flow['id']}", change)) == MISSING
        settings = {"settings": {"default_flow_id": flow["id"]}}
        assert refusal(alice.put(f"/api/projects/{project_id}", settings)) == MISSING


def test_unreviewed_content_is_published_unchanged_and_then_serves(alice: User, bob: User, project_id: str) -> None:
    require(alice, project_id, 1)
    flow_id = alice.create_flow(project_id, screens=[HELLO])["id"]
    live = data_of(alice.get(f"/api/flows/{flow_id}/versions/1"))["document"]
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": live}), 201)
    assert refusal(publish(alice, flow_id)) == MISSING
    data_of(approve(bob, flow_id))
    data_of(publish(alice, flow_id), 201)
    assert data_of(alice.put(f"/api/flows/{flow_id}", {"status": "active", "is_default": True}))["is_default"]


def test_experiment_starts_and_is_won_with_reviewed_flows_only(
    management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    other = alice.create_flow(project_id, screens=[HELLO])["id"]
    variants = [
        {"key": key, "name": key, "flow_id": of, "weight": 50, "is_control": key == "a"}
        for key, of in (("a", flow_id), ("b", other))
    ]
    body = {"projectId": project_id, "name": "Test", "variants": variants}
    experiment = data_of(alice.post("/api/experiments", body), 201)
    path = f"/api/experiments/{experiment['id']}"
    assert refusal(alice.post(f"{path}/start")) == MISSING
    require(alice, project_id, 0)
    data_of(alice.post(f"{path}/start"))
    require(alice, project_id, 1)
    # Live before the rule began, as a variant.
    data_of(alice.post(f"{path}/pause"))
    data_of(alice.post(f"{path}/start"))
    with management.database.transaction() as session:
        session.execute(update(FlowVersion).where(FlowVersion.flow_id == other).values(is_reviewed=False))
    assert refusal(alice.post(f"{path}/complete", {"winner": "b"})) == MISSING
    data_of(alice.post(f"{path}/complete", {"winner": "a"}))


def test_flow_that_no_device_got_before_the_rule_is_not_reviewed(alice: User, project_id: str) -> None:
    idle, served = (alice.create_flow(project_id, status=status)["id"] for status in ("draft", "active"))
    require(alice, project_id, 1)
    data_of(alice.put(f"/api/flows/{served}", {"status": "archived"}))
    data_of(alice.put(f"/api/flows/{served}", {"status": "active", "is_default": True}))
    assert refusal(alice.put(f"/api/flows/{idle}", {"status": "active"})) == MISSING


def test_direct_write_between_two_reviews_is_not_reviewed(alice: User, project_id: str, flow_id: str) -> None:
    require(alice, project_id, 0)
    data_of(alice.put(f"/api/flows/{flow_id}", {"name": "Direct", "status": "draft"}))
    require(alice, project_id, 1)
    assert refusal(alice.put(f"/api/flows/{flow_id}", {"status": "active"})) == MISSING


def test_author_under_a_later_change_cannot_approve(
    management: Management, alice: User, bob: User, project_id: str, flow_id: str
) -> None:
    save(bob, flow_id, name="Evil")
    save(alice, flow_id, name="Evil", description="A trivial change")
    for author in (bob, alice):
        assert approve(author, flow_id).status_code == 403
    carol = management.member(f"carol {project_id}", project_id, Role.EDITOR)
    data_of(approve(carol, flow_id))
    data_of(publish(alice, flow_id), 201)


def test_creator_of_a_flow_may_approve_the_draft_of_a_colleague(alice: User, bob: User, project_id: str) -> None:
    created = bob.create_flow(project_id, screens=[HELLO])["id"]
    save(alice, created)
    data_of(approve(bob, created))
    data_of(publish(alice, created), 201)


@pytest.mark.parametrize("loss", ["removal", "demotion", "deactivation"])
def test_approval_counts_only_while_its_giver_may_give_it(
    management: Management, alice: User, bob: User, project_id: str, flow_id: str, loss: str
) -> None:
    save(alice, flow_id)
    data_of(approve(bob, flow_id))
    is_bob = (Member.project_id == project_id) & (Member.user_id == management.user_id(f"bob {project_id}"))
    with management.database.transaction() as session:
        if loss == "removal":
            session.execute(delete(Member).where(is_bob))
        elif loss == "deactivation":
            deactivate_user(session, management.user_id(f"bob {project_id}"))
        else:
            session.execute(update(Member).where(is_bob).values(role=Role.VIEWER.value))
    assert data_of(alice.get(f"/api/flows/{flow_id}/draft"))["approvals"] == []
    assert refusal(publish(alice, flow_id)) == MISSING


def test_restore_to_live_needs_a_reviewed_version_of_the_last_day(
    management: Management, alice: User, bob: User, project_id: str, flow_id: str
) -> None:
    created = alice.create_flow(project_id, "Never reviewed", screens=[HELLO])["id"]
    for flow, status in ((created, 409), (flow_id, 201)):
        save(alice, flow)
        data_of(approve(bob, flow))
        data_of(publish(alice, flow), 201)
        assert alice.post(f"/api/flows/{flow}/versions/1/restore").status_code == status
    with management.database.transaction() as session:
        yesterday = datetime.now(UTC) - timedelta(hours=25)
        session.execute(update(FlowVersion).where(FlowVersion.flow_id == flow_id).values(created_at=yesterday))
    assert refusal(alice.post(f"/api/flows/{flow_id}/versions/2/restore")) == MISSING
    data_of(alice.post(f"/api/flows/{flow_id}/versions/2/restore", {"to": "draft"}))


def test_look_of_reviewed_content_changes_by_admins_only(alice: User, bob: User, project_id: str) -> None:
    used, unused, default = (
        data_of(alice.post("/api/themes", {"projectId": project_id, "name": name, **members}), 201)["id"]
        for name, members in (("Used", {}), ("Unused", {}), ("Default", {"is_default": True}))
    )
    flow_id = alice.create_flow(project_id, status="active", theme_id=used, screens=[HELLO])["id"]
    require(alice, project_id, 1)
    look = {"colors": {"text": "#112233"}}
    for user, status in ((bob, 403), (alice, 200)):
        for theme_id, change in ((used, look), (default, look), (unused, {"is_default": True})):
            assert user.put(f"/api/themes/{theme_id}", change).status_code == status
        new_default = {"projectId": project_id, "name": "New", "is_default": True}
        assert user.post("/api/themes", new_default).status_code == {403: 403, 200: 201}[status]
        data_of(alice.put(f"/api/themes/{default}", {"is_default": True}))
    assert bob.delete(f"/api/themes/{default}").status_code == 403
    data_of(bob.put(f"/api/themes/{unused}", look))
    # The theme of a version that an emergency may bring back.
    save(alice, flow_id, theme_id=unused)
    data_of(approve(bob, flow_id))
    data_of(publish(alice, flow_id), 201)
    assert bob.put(f"/api/themes/{used}", look).status_code == 403


def test_change_of_a_theme_takes_approvals_of_its_drafts_away(
    alice: User, bob: User, project_id: str, flow_id: str
) -> None:
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Next"}), 201)["id"]
    save(alice, flow_id, theme_id=theme)
    assert data_of(approve(bob, flow_id))["approvals"]
    data_of(alice.put(f"/api/themes/{theme}", {"colors": {"text": "#112233"}}))
    assert data_of(alice.get(f"/api/flows/{flow_id}/draft"))["approvals"] == []


def test_change_of_a_theme_fails_the_scheduled_publication_of_its_draft(
    management: Management, alice: User, bob: User, project_id: str, flow_id: str
) -> None:
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Next"}), 201)["id"]
    save(alice, flow_id, theme_id=theme)
    data_of(approve(bob, flow_id))
    run_at = format_timestamp(datetime.now(UTC) + timedelta(days=1))
    schedules = f"/api/flows/{flow_id}/schedules"
    data_of(alice.post(schedules, {"action": "publish", "run_at": run_at, "ignore_warnings": True}), 201)
    assert data_of(alice.get(schedules))[0]["void_reason"] is None
    data_of(alice.put(f"/api/themes/{theme}", {"colors": {"text": "#112233"}}))
    assert data_of(alice.get(schedules))[0]["void_reason"] == "approvals_missing"
    with management.database.transaction() as session:
        session.execute(update(FlowSchedule).where(FlowSchedule.flow_id == flow_id).values(run_at=datetime.now(UTC)))
    ScheduleRunner(management.database).run_due()
    [ended] = data_of(alice.get(schedules))
    assert (ended["state"], ended["error"]) == ("failed", "approvals_missing")
    assert data_of(alice.get(f"/api/flows/{flow_id}"))["name"] != DOCUMENT["name"]


def test_audit_log_names_the_draft_and_its_approvers(
    management: Management, alice: User, bob: User, project_id: str, flow_id: str
) -> None:
    save(alice, flow_id)
    data_of(approve(bob, flow_id))
    tag = alice.get(f"/api/flows/{flow_id}/draft").headers["etag"].strip('"')
    data_of(publish(alice, flow_id), 201)
    require(alice, project_id, 0)
    log = entries(alice, project_id)
    bob_id = management.user_id(f"bob {project_id}")
    assert (log["flow.draft_approved"]["user_id"], log["flow.draft_approved"]["after"]) == (bob_id, {"draft": tag})
    assert log["flow.published"]["after"] == {"version": 2, "draft": tag, "approvers": [bob_id]}
    lowered = log["project.required_approvals_lowered"]
    assert (lowered["before"], lowered["after"]) == ({"required_approvals": 1}, {"required_approvals": 0})


def test_live_default_flow_may_be_archived_and_deleted_without_a_review(alice: User, bob: User, flow_id: str) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}", {"is_default": True}))
    assert data_of(bob.put(f"/api/flows/{flow_id}", {"status": "archived"}))["is_default"] is False
    assert bob.delete(f"/api/flows/{flow_id}").status_code == 200
