"""Limits on the bytes of a document, and of all documents of a project (lifecycle)."""

from typing import Any

import orjson
import pytest
from sqlalchemy import update

from management_api.db.models.documents import MAX_PUBLISHED_BYTES
from management_api.db.models.flows import Flow
from management_api.http.requests import MAX_BODY_BYTES
from tests.support.clients.management import Management, User, data_of

JSON = {"Content-Type": "application/json"}

QUOTA = 64 * 1024 * 1024


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    """Return the id of a flow without screens."""
    return str(alice.create_flow(project_id)["id"])


def screen_of(size: int) -> dict[str, Any]:
    return {"type": "custom", "content": {"text": "a" * size}}


def set_bytes(management: Management, flow_id: str, size: int) -> None:
    with management.database.transaction() as session:
        session.execute(update(Flow).where(Flow.id == flow_id).values(document_bytes=size))


def test_direct_write_above_a_document_of_1_mib_is_400(alice: User, flow_id: str) -> None:
    created = [alice.post("/api/screens", {"flowId": flow_id, **screen_of(450_000)}) for _ in range(3)]
    assert [result.status_code for result in created] == [201, 201, 400]
    assert "1048576" in created[2].json["details"][0]["message"]
    last = created[1].json["data"]["id"]
    assert alice.put(f"/api/screens/{last}", {"content": {"text": "a" * 700_000}}).status_code == 400
    conditions = [{"attribute": "country", "operator": "in", "value": ["a" * 500] * 500}]
    assert alice.put(f"/api/flows/{flow_id}", {"targeting": {"conditions": conditions}}).status_code == 400
    assert alice.put(f"/api/screens/{last}", {"content": {"text": "a"}}).status_code == 200


def test_draft_may_have_a_document_that_fills_the_body(alice: User, flow_id: str) -> None:
    document = {"name": "Large", "screens": [screen_of(0)]}
    stored = data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": document}), 201)["document"]
    free = MAX_BODY_BYTES - len(orjson.dumps({"document": stored}))
    largest = {**stored, "screens": [{**stored["screens"][0], "content": {"text": "a" * free}}]}
    body = orjson.dumps({"document": largest})
    assert alice.request("PUT", f"/api/flows/{flow_id}/draft", body=body, headers=JSON).status_code == 200
    data_of(alice.post(f"/api/flows/{flow_id}/publish"), 201)
    assert alice.request("PUT", f"/api/flows/{flow_id}/draft", body=body + b" ", headers=JSON).status_code == 413


@pytest.mark.parametrize(("status", "limit"), [("archived", QUOTA), ("draft", MAX_PUBLISHED_BYTES)])
def test_project_above_its_bytes_refuses_growth_and_takes_the_rest(
    shared_management: Management, alice: User, project_id: str, flow_id: str, status: str, limit: int
) -> None:
    data_of(alice.put(f"/api/flows/{flow_id}", {"name": "Long name", "status": status}))
    other = alice.create_flow(project_id, screens=[screen_of(10)])
    set_bytes(shared_management, flow_id, limit)
    screen, path = other["screens"][0]["id"], f"/api/flows/{other['id']}"
    growing = (
        alice.post("/api/flows", {"projectId": project_id, "name": "Third"}),
        alice.post(f"{path}/duplicate", {}),
        alice.post("/api/screens", {"flowId": other["id"], **screen_of(10)}),
        alice.put(f"/api/screens/{screen}", {"content": {"text": "a" * 100}}),
        alice.put(path, {"description": "Larger"}),
        alice.put(f"{path}/draft", {"document": {"name": "Draft"}}),
        alice.post(f"{path}/versions/1/restore", {"to": "draft"}),
    )
    assert [result.status_code for result in growing] == [409] * len(growing)
    assert {str(limit) in result.json["error"] for result in growing} == {True}
    assert alice.put(path, {"name": "A", "status": "active"}).status_code == 200
    assert alice.delete(f"/api/screens/{screen}").status_code == 200


def test_flow_leaves_the_archive_only_if_it_can_be_published(
    shared_management: Management, alice: User, project_id: str, flow_id: str
) -> None:
    archived = alice.create_flow(project_id, status="archived")["id"]
    set_bytes(shared_management, archived, MAX_PUBLISHED_BYTES)
    assert alice.put(f"/api/flows/{archived}", {"status": "active"}).status_code == 409
    assert alice.delete(f"/api/flows/{flow_id}").status_code == 200
    assert alice.put(f"/api/flows/{archived}", {"status": "active"}).status_code == 200


def test_digits_of_numbers_count_as_postgresql_stores_them(alice: User, project_id: str) -> None:
    numbers = {"type": "custom", "content": {"numbers": [1e300] * 60_000}}
    first = alice.post("/api/flows", {"projectId": project_id, "name": "A", "screens": [numbers]})
    assert (first.status_code, str(MAX_PUBLISHED_BYTES) in first.json["error"]) == (409, True)
