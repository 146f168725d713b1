"""Preview links: a flow or its draft on a hosted page, for everyone with the link (hosted pages)."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from common.timestamps import parse_timestamp, utc_now
from common.wire.tickets import PreviewLink
from management_api.db.models.projects import Role
from tests.support.clients.management import EDGE_URL, Management, User, data_of
from tests.support.data.assignment_keys import TICKETS

DOCUMENT = {"name": "Second", "screens": [{"type": "welcome", "content": {"title": "Hi"}}]}


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    """Return the id of a flow that is not active."""
    return str(alice.create_flow(project_id)["id"])


def create_link(user: User, flow_id: str, **body: object) -> dict[str, Any]:
    link: dict[str, Any] = data_of(user.post(f"/api/flows/{flow_id}/preview-link", body), 201)
    return link


def ticket_of(link: dict[str, Any], base: str = EDGE_URL) -> PreviewLink:
    assert link["url"].startswith(f"{base}/s/")
    text, _, path = link["url"].removeprefix(f"{base}/s/").partition("/")
    ticket = TICKETS.read(text, utc_now().timestamp())
    assert isinstance(ticket, PreviewLink)
    assert path == f"onboarding/{ticket.flow_id}/1"
    return ticket


def links_of(management: Management, flow_id: str) -> list[bool]:
    """Return the stored links of a flow: whether each is to the draft."""
    with management.database.transaction() as session:
        statement = text("SELECT draft FROM preview_links WHERE flow_id = :flow_id ORDER BY draft")
        return list(session.scalars(statement, {"flow_id": flow_id}))


def test_link_has_a_ticket_of_the_flow_for_24_hours(alice: User, project_id: str, flow_id: str) -> None:
    for body, is_draft in (({}, True), ({"draft": False}, False)):
        link = create_link(alice, flow_id, **body)
        assert link.keys() == {"url", "expires_at"}
        expires_at = parse_timestamp(link["expires_at"])
        assert timedelta(0) <= utc_now() + timedelta(hours=24) - expires_at < timedelta(minutes=1)
        assert ticket_of(link) == PreviewLink(project_id, flow_id, int(expires_at.timestamp()), is_draft)


def test_link_needs_no_body(alice: User, flow_id: str) -> None:
    link = data_of(alice.request("POST", f"/api/flows/{flow_id}/preview-link"), 201)
    assert ticket_of(link).is_draft


def test_link_of_a_project_with_a_domain_begins_with_it(alice: User, project_id: str, flow_id: str) -> None:
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"custom_domain": "go.example.com"}}))
    assert ticket_of(create_link(alice, flow_id), "https://go.example.com").flow_id == flow_id


def test_links_of_a_flow_are_stored_once_for_draft_and_live(
    shared_management: Management, alice: User, flow_id: str
) -> None:
    for draft in (True, False, True, True, False):
        create_link(alice, flow_id, draft=draft)
    assert links_of(shared_management, flow_id) == [False, True]
    assert alice.delete(f"/api/flows/{flow_id}").status_code == 200
    assert links_of(shared_management, flow_id) == []


def test_link_and_the_changes_of_its_draft_are_published(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    def wanted_revision() -> int:
        return shared_management.publication_of(project_id)[0]

    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": DOCUMENT}), 201)
    before = wanted_revision()
    create_link(alice, flow_id, draft=False)
    assert wanted_revision() == before + 1
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "Third"}}))
    assert wanted_revision() == before + 1
    create_link(alice, flow_id)
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "Fourth"}}))
    assert wanted_revision() == before + 3
    with shared_management.database.transaction() as session:
        session.execute(text("UPDATE preview_links SET expires_at = now() WHERE flow_id = :id"), {"id": flow_id})
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": {"name": "Fifth"}}))
    assert wanted_revision() == before + 3


def test_link_to_an_archived_flow_is_409(alice: User, flow_id: str) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}", {"status": "archived"}))
    result = alice.post(f"/api/flows/{flow_id}/preview-link", {})
    assert (result.status_code, result.json["code"]) == (409, "CONFLICT")


def test_link_is_in_the_audit_log_without_its_ticket(alice: User, project_id: str, flow_id: str) -> None:
    link = create_link(alice, flow_id)
    entry = data_of(alice.get(f"/api/projects/{project_id}/audit-log"))[0]
    assert (entry["action"], entry["entity_id"]) == ("flow.preview_link_created", flow_id)
    assert entry["after"] == {"draft": True, "expires_at": link["expires_at"]}


def test_revoked_links_are_gone_and_a_newer_link_is_another_one(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    create_link(alice, flow_id)
    create_link(alice, flow_id, draft=False)
    viewer = shared_management.member("victor", project_id, Role.VIEWER)
    path = f"/api/flows/{flow_id}/preview-link"
    assert viewer.delete(path).status_code == 403
    assert alice.delete(path).status_code == 200
    assert links_of(shared_management, flow_id) == []
    assert alice.delete(path).status_code == 200
    assert data_of(alice.get(f"/api/projects/{project_id}/audit-log"))[0]["action"] == "flow.preview_links_revoked"
    newer = create_link(alice, flow_id)
    statement = text("SELECT valid_from FROM preview_links WHERE flow_id = :flow_id")
    with shared_management.database.transaction() as session:
        valid_from = session.scalars(statement, {"flow_id": flow_id}).one()
    assert valid_from == parse_timestamp(newer["expires_at"]) - timedelta(hours=24)
