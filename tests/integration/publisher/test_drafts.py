"""Drafts in snapshots: only where a QA device gets one."""

import orjson
import pytest
import redis
from sqlalchemy import delete, select

from management_api.db.engine import Database
from management_api.db.models.flow_history import FlowDraft
from management_api.db.models.flows import Flow
from management_api.db.models.projects import QaDevice
from publisher.main import Publisher
from tests.integration.publisher.published import stored_snapshot
from tests.support.data.rows import add_draft, add_flow, add_project, add_screen, add_user
from tests.support.data.snapshots import response_of


@pytest.fixture
def flow(database: Database) -> Flow:
    """Return an active flow with a draft."""
    with database.transaction() as session:
        flow = add_flow(session, add_project(session), name="Live")
        screen = add_screen(session, flow)
        screens: list[dict[str, object]] = [
            {"id": screen_id, "type": "paywall", "name": None, "content": {}, "settings": {}}
            for screen_id in ("screen_new", screen["id"])
        ]
        add_draft(session, flow, add_user(session), {"name": "Draft", "screens": screens})
        session.flush()
        session.expunge(flow)
    return flow


def add_device(database: Database, flow: Flow, device_id: str, *, draft: bool | None) -> None:
    """Add a QA device."""
    with database.transaction() as session:
        session.add(QaDevice(project_id=flow.project_id, device_id=device_id, flow_id=flow.id, draft=draft))


def test_snapshot_has_the_draft_for_the_devices_that_get_it(
    publisher: Publisher, database: Database, redis_client: redis.Redis, flow: Flow
) -> None:
    for device_id, draft in (("a", None), ("b", True), ("c", False), ("d", True)):
        add_device(database, flow, device_id, draft=draft)
    publisher.publish([flow.project_id])
    snapshot = stored_snapshot(redis_client, flow.project_id)
    draft_entry, live_entry = snapshot.overrides
    assert snapshot.draft_overrides == 1
    assert (draft_entry.device_ids, live_entry.device_ids) == (("b", "d"), ("a", "c"))
    drafted = orjson.loads(response_of(snapshot, draft_entry, draft=True))["flow"]
    live = orjson.loads(response_of(snapshot, live_entry))["flow"]
    assert (drafted["id"], drafted["name"], live["name"]) == (flow.id, "Draft", "Live")
    first = drafted["screens"][0]
    assert (first["id"], first["order"], first["type"]) == ("screen_new", 0, "paywall")


def test_draft_of_a_newer_release_is_published_without_its_new_members(
    publisher: Publisher, database: Database, redis_client: redis.Redis, flow: Flow
) -> None:
    add_device(database, flow, "a", draft=True)
    with database.transaction() as session:
        draft = session.scalars(select(FlowDraft)).one()
        screens = [screen | {"translations": {}} for screen in draft.document["screens"]]
        draft.document = draft.document | {"screens": screens, "logic": []}
    assert publisher.publish([flow.project_id]) == []
    snapshot = stored_snapshot(redis_client, flow.project_id)
    drafted = orjson.loads(response_of(snapshot, snapshot.overrides[0], draft=True))["flow"]
    assert "translations" not in drafted["screens"][0]


def test_device_of_a_draft_gets_the_live_flow_without_one(
    publisher: Publisher, database: Database, redis_client: redis.Redis, flow: Flow
) -> None:
    add_device(database, flow, "a", draft=True)
    with database.transaction() as session:
        session.execute(delete(FlowDraft))
    publisher.publish([flow.project_id])
    snapshot = stored_snapshot(redis_client, flow.project_id)
    [entry] = snapshot.overrides
    assert (snapshot.draft_overrides, orjson.loads(response_of(snapshot, entry))["flow"]["name"]) == (0, "Live")


def test_snapshot_has_no_draft_that_no_device_gets(
    publisher: Publisher, database: Database, redis_client: redis.Redis, flow: Flow
) -> None:
    add_device(database, flow, "a", draft=None)
    add_device(database, flow, "b", draft=False)
    publisher.publish([flow.project_id])
    snapshot = stored_snapshot(redis_client, flow.project_id)
    [entry] = snapshot.overrides
    assert snapshot.draft_overrides == 0
    assert [part.is_draft for part in snapshot.flow_parts] == [False]
    assert b"Draft" not in response_of(snapshot, entry)
