"""Documents of former and newer releases: read, compared, published and restored like all others (lifecycle)."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from sqlalchemy import text

from common.ids import IdPrefix, new_id
from tests.support.clients.management import Management, User, data_of

Json = dict[str, Any]
Store = Callable[[str, Json], None]


@pytest.fixture
def alice(shared_management: Management) -> User:
    return shared_management.user("alice")


@pytest.fixture
def flow_id(alice: User, project_id: str) -> str:
    """Return the id of an active flow without screens."""
    return str(alice.create_flow(project_id, status="active")["id"])


@pytest.fixture
def present() -> Json:
    content = {"title": "Hi"}
    return {
        "name": "Other",
        "description": None,
        "theme_id": None,
        "targeting": {"percentage": 50, "conditions": []},
        "screens": [
            {"id": new_id(IdPrefix.SCREEN), "type": "welcome", "name": None, "content": content, "settings": {}}
        ],
    }


@pytest.fixture
def former(present: Json) -> Json:
    """Return a document of the first drafts, which had no schema number."""
    return {**present, "priority": 7}


@pytest.fixture
def newer(present: Json) -> Json:
    """Return a document with members that this release does not have, at each level."""
    [screen] = present["screens"]
    return {
        **present,
        "schema": 99,
        "locales": ["de", "pt"],
        "targeting": {**present["targeting"], "hours": {"from": 9}},
        "screens": [{**screen, "audience": {"plan": "pro"}, "content": {"title": "Hi", "media_id": "media_1"}}],
    }


@pytest.fixture
def store(shared_management: Management, flow_id: str) -> Store:
    """Return a function that stores a document as version 1 or as the draft, as another release does."""

    def execute(table: str, document: Json) -> None:
        statement = f"UPDATE {table} SET document = cast(:document AS jsonb) WHERE flow_id = :flow_id"  # noqa: S608 - our own
        values = {"document": orjson.dumps(document).decode(), "flow_id": flow_id}
        with shared_management.database.transaction() as session:
            session.execute(text(statement), values)

    return execute


def publish(user: User, flow_id: str) -> Json:
    """Publish the draft, and return the document of the version."""
    version: Json = data_of(user.post(f"/api/flows/{flow_id}/publish", {"ignore_warnings": True}), 201)
    document: Json = version["document"]
    return document


def test_draft_of_a_former_release_is_read_compared_and_published(
    alice: User, flow_id: str, store: Store, present: Json, former: Json
) -> None:
    path = f"/api/flows/{flow_id}/draft"
    data_of(alice.put(path, {"document": {"name": "Draft"}}), 201)
    store("flow_drafts", former)
    assert data_of(alice.get(path))["document"] == present
    changes = data_of(alice.get(f"{path}/diff"))["changes"]
    assert "/priority" not in {change["path"] for change in changes}
    assert publish(alice, flow_id) == present
    live = data_of(alice.get(f"/api/flows/{flow_id}"))
    assert (live["priority"], live["screens"][0]["content"]) == (0, {"title": "Hi"})


def test_version_of_a_former_release_is_restored_and_stays_the_same(
    alice: User, flow_id: str, store: Store, present: Json
) -> None:
    flow = data_of(alice.get(f"/api/flows/{flow_id}"))
    document = data_of(alice.get(f"/api/flows/{flow_id}/versions/1"))["document"]
    store("flow_versions", {**document, "priority": 0})
    # The upgrade is no change, so a status makes no version and no draft stale.
    data_of(alice.put(f"/api/flows/{flow_id}", {"status": "draft"}))
    assert len(data_of(alice.get(f"/api/flows/{flow_id}/versions"))) == 1
    data_of(alice.put(f"/api/flows/{flow_id}/draft", {"document": present}), 201)
    publish(alice, flow_id)
    restored = data_of(alice.post(f"/api/flows/{flow_id}/versions/1/restore"), 201)
    assert restored["document"] == document
    assert data_of(alice.get(f"/api/flows/{flow_id}"))["name"] == flow["name"]


def test_version_that_lacks_members_has_their_defaults(alice: User, flow_id: str, store: Store, present: Json) -> None:
    [screen] = present["screens"]
    store("flow_versions", {"name": "Bare", "screens": [{"id": screen["id"], "type": "welcome"}]})
    document = data_of(alice.get(f"/api/flows/{flow_id}/versions/1"))["document"]
    everyone = {"percentage": 100, "conditions": []}
    assert document == {**present, "name": "Bare", "targeting": everyone, "screens": [{**screen, "content": {}}]}
    data_of(alice.post(f"/api/flows/{flow_id}/versions/1/restore", {"to": "draft"}))
    assert data_of(alice.get(f"/api/flows/{flow_id}/draft"))["document"] == document


def test_members_of_a_newer_release_survive_publish_direct_write_and_restore(
    alice: User, flow_id: str, store: Store, newer: Json
) -> None:
    path = f"/api/flows/{flow_id}"
    data_of(alice.put(f"{path}/draft", {"document": {"name": "Draft"}}), 201)
    store("flow_drafts", newer)
    assert data_of(alice.get(f"{path}/draft"))["document"] == newer
    assert {"/locales", "/targeting/hours"} <= {
        change["path"] for change in data_of(alice.get(f"{path}/draft/diff"))["changes"]
    }
    assert publish(alice, flow_id) == newer
    data_of(alice.put(f"/api/screens/{newer['screens'][0]['id']}", {"name": "Hello"}))
    changed = data_of(alice.get(f"{path}/versions/3"))["document"]
    assert changed == {**newer, "screens": [{**newer["screens"][0], "name": "Hello"}]}
    data_of(alice.put(path, {"name": "Direct"}))
    restored = data_of(alice.post(f"{path}/versions/2/restore"), 201)["document"]
    assert restored == newer


def test_client_cannot_send_members_of_a_newer_release(alice: User, flow_id: str, present: Json, newer: Json) -> None:
    [screen] = newer["screens"]
    for document in (newer, {**present, "locales": []}, {**present, "screens": [screen]}):
        assert alice.put(f"/api/flows/{flow_id}/draft", {"document": document}).status_code == 400
