"""Versions of flows: made by every change, listed, compared, restored (contract, section 7)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from management_api.db.models.flow_history import FlowVersion
from management_api.db.models.flows import Flow
from tests.support.clients.management import Management, User, data_of
from tests.support.data.rows import read_live_document

HELLO = {"type": "welcome", "name": "Hello", "content": {"title": "Hi"}, "settings": {}}


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    """Return the id of an active flow with one screen."""
    return str(alice.create_flow(project_id, status="active", screens=[HELLO])["id"])


def versions_of(user: User, flow_id: str) -> list[dict[str, Any]]:
    """Return the versions of a flow, the newest first."""
    versions: list[dict[str, Any]] = data_of(user.get(f"/api/flows/{flow_id}/versions", params={"limit": "100"}))
    return versions


def origins_of(user: User, flow_id: str) -> list[tuple[int, str]]:
    """Return numbers and origins of the versions, the oldest first."""
    return [(version["number"], version["origin"]) for version in reversed(versions_of(user, flow_id))]


def make_older(management: Management, flow_id: str, **age: float) -> None:
    with management.database.transaction() as session:
        session.execute(
            update(FlowVersion)
            .where(FlowVersion.flow_id == flow_id)
            .values(created_at=FlowVersion.created_at - timedelta(**age))
        )


def assert_live_is_newest(management: Management, flow_id: str) -> None:
    """Assert the rule of all versions: the newest one is the live document."""
    with management.database.reading() as session:
        newest = session.scalars(
            select(FlowVersion.document).where(FlowVersion.flow_id == flow_id).order_by(FlowVersion.number.desc())
        ).first()
        assert newest == read_live_document(session, flow_id)


def test_first_version_is_made_with_the_flow(alice: User, flow_id: str) -> None:
    [version] = versions_of(alice, flow_id)
    assert version.keys() == {"flow_id", "number", "origin", "note", "restored_from", "created_at", "created_by"}
    assert (version["number"], version["origin"], version["note"]) == (1, "created", None)
    flow = data_of(alice.get(f"/api/flows/{flow_id}"))
    document = data_of(alice.get(f"/api/flows/{flow_id}/versions/1"))["document"]
    assert document == {
        **{name: flow[name] for name in ("name", "description", "theme_id", "targeting")},
        "screens": [{k: v for k, v in screen.items() if k != "order"} for screen in flow["screens"]],
    }


def test_every_direct_write_appends_a_version(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    [screen] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    added: dict[str, Any] = {}

    def add_screen() -> None:
        added.update(data_of(alice.post("/api/screens", {"flowId": flow_id, **HELLO}), 201))

    changes: tuple[Callable[[], object], ...] = (
        lambda: data_of(alice.put(f"/api/flows/{flow_id}", {"name": "Direct", "theme_id": theme["id"]})),
        add_screen,
        lambda: data_of(alice.put(f"/api/screens/{screen['id']}", {"content": {"title": "Ho"}})),
        lambda: data_of(alice.put(f"/api/flows/{flow_id}/screens/order", {"screen_ids": [added["id"], screen["id"]]})),
        lambda: alice.delete(f"/api/screens/{screen['id']}"),
        lambda: alice.delete(f"/api/themes/{theme['id']}"),
    )
    for number, change in enumerate(changes, start=2):
        make_older(shared_management, flow_id, minutes=6)
        change()
        assert_live_is_newest(shared_management, flow_id)
        assert versions_of(alice, flow_id)[0]["number"] == number
    assert {origin for _, origin in origins_of(alice, flow_id)[1:]} == {"direct"}


def test_restore_makes_a_new_version_with_the_screens_that_were(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    [screen] = data_of(alice.get(f"/api/flows/{flow_id}"))["screens"]
    assert alice.delete(f"/api/screens/{screen['id']}").status_code == 200
    version = data_of(alice.post(f"/api/flows/{flow_id}/versions/1/restore", {"note": "Back"}), 201)
    assert {"number": 3, "origin": "restored", "restored_from": 1, "note": "Back"}.items() <= version.items()
    assert data_of(alice.get(f"/api/flows/{flow_id}"))["screens"] == [screen]
    assert_live_is_newest(shared_management, flow_id)


def test_restore_of_a_version_whose_theme_is_deleted_is_400(alice: User, project_id: str, flow_id: str) -> None:
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Dark"}), 201)
    data_of(alice.put(f"/api/flows/{flow_id}", {"theme_id": theme["id"]}))
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "Keeps version 2"}}), 201)
    assert alice.delete(f"/api/themes/{theme['id']}").status_code == 200
    refused = alice.post(f"/api/flows/{flow_id}/versions/2/restore")
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "/theme_id")


def test_review_allows_only_a_version_of_the_last_day_to_be_restored_live(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    for name in ("B", "C"):
        data_of(alice.put(f"/api/flows/{flow_id}", {"name": name}))
        make_older(shared_management, flow_id, hours=23)
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"required_approvals": 1}}))
    # Version 1 was live until 46 hours ago, version 2 until 23.
    assert alice.post(f"/api/flows/{flow_id}/versions/1/restore").status_code == 409
    assert data_of(alice.post(f"/api/flows/{flow_id}/versions/1/restore", {"to": "draft"}))
    data_of(alice.post(f"/api/flows/{flow_id}/versions/2/restore"), 201)
    log = data_of(alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": "100"}))
    [entry] = [entry for entry in log if entry["action"] == "flow.restored"]
    assert entry["after"] == {"version": 4, "restored_from": 2}


def change_by_release_0_2_0(management: Management, flow_id: str) -> None:
    """Change a flow as release 0.2.0 does."""
    with management.database.transaction() as session:
        session.execute(update(Flow).where(Flow.id == flow_id).values(name="Changed"))


def test_change_by_release_0_2_0_is_a_version_before_a_restore(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    change_by_release_0_2_0(shared_management, flow_id)
    data_of(alice.post(f"/api/flows/{flow_id}/versions/1/restore"), 201)
    assert origins_of(alice, flow_id) == [(1, "created"), (2, "direct"), (3, "restored")]
    assert data_of(alice.get(f"/api/flows/{flow_id}/versions/2"))["document"]["name"] == "Changed"


def test_publication_is_refused_after_a_change_by_release_0_2_0(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "Draft", "screens": [HELLO]}}), 201)
    change_by_release_0_2_0(shared_management, flow_id)
    refused = alice.post(f"/api/flows/{flow_id}/publish")
    assert (refused.status_code, refused.json["details"][0]["code"]) == (409, "STALE_BASE")
    assert data_of(alice.get(f"/api/flows/{flow_id}"))["name"] == "Changed"


def test_status_changes_after_a_change_by_the_release_before_despite_refusal(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    change_by_release_0_2_0(shared_management, flow_id)
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"direct_writes": "refused"}}))
    data_of(alice.put(f"/api/flows/{flow_id}", {"status": "archived"}))
    assert origins_of(alice, flow_id) == [(1, "created"), (2, "direct")]
    assert alice.put(f"/api/flows/{flow_id}", {"name": "Refused"}).status_code == 409
    assert_live_is_newest(shared_management, flow_id)


def test_order_of_flows_sets_their_priorities(alice: User, project_id: str, flow_id: str) -> None:
    second, third = (alice.create_flow(project_id, name)["id"] for name in ("Second", "Third"))
    archived = alice.create_flow(project_id, status="archived")["id"]
    path = f"/api/projects/{project_id}/flows/order"
    ordered = data_of(alice.put(path, {"flow_ids": [third, flow_id, second]}))
    assert ordered == [
        {"id": third, "priority": 2},
        {"id": flow_id, "priority": 1},
        {"id": second, "priority": 0},
    ]
    assert data_of(alice.get(f"/api/flows/{third}"))["priority"] == 2
    assert [len(versions_of(alice, each)) for each in (third, flow_id, second)] == [1, 1, 1]
    read = alice.get(path)
    assert data_of(read) == {"flow_ids": [third, flow_id, second]}
    assert alice.put(path, {"flow_ids": [second, third, flow_id]}, headers={"If-Match": read.headers["ETag"]})
    for wrong in ([third, flow_id], [third, flow_id, second, archived], [third, third, second], ["junk"]):
        result = alice.put(path, {"flow_ids": wrong})
        assert (result.status_code, result.json["details"][0]["field"]) == (400, "flow_ids")


def test_order_of_flows_is_audited_and_published_once(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    second = alice.create_flow(project_id, "Second")["id"]
    revision, _ = shared_management.publication_of(project_id)
    for _ in range(2):  # The second request changes nothing.
        data_of(alice.put(f"/api/projects/{project_id}/flows/order", {"flow_ids": [flow_id, second]}))
        assert shared_management.publication_of(project_id)[0] == revision + 1
    newest = data_of(alice.get(f"/api/projects/{project_id}/audit-log", params={"limit": "1"}))[0]
    assert (newest["action"], newest["entity_id"]) == ("flow.update", flow_id)
    assert (newest["before"], newest["after"]) == ({"priority": 0}, {"priority": 1})


def test_priority_changes_beside_a_draft_and_where_direct_writes_are_refused(
    alice: User, project_id: str, flow_id: str
) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "Draft", "screens": [HELLO]}}), 201)
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"direct_writes": "refused"}}))
    data_of(alice.put(f"/api/flows/{flow_id}", {"priority": 3}))
    data_of(alice.put(f"/api/projects/{project_id}/flows/order", {"flow_ids": [flow_id]}))
    data_of(alice.put(f"/api/flows/{flow_id}", {"priority": 5}))
    data_of(alice.post(f"/api/flows/{flow_id}/publish"), 201)
    assert data_of(alice.get(f"/api/flows/{flow_id}"))["priority"] == 5
