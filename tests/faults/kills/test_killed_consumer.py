"""An event consumer that is killed at any instruction loses no event and counts none twice."""

import uuid
from typing import Any

import httpx
import psycopg
import pytest

from tests.e2e.api_clients import Dashboard, Phone
from tests.faults.conftest import KillableStack
from tests.support.faults.random_kills import random_kills
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

EVENTS = 5_000
BATCH = 50
KILLS = 10


def test_5000_events_under_kills_are_counted_once_each(
    http: httpx.Client, killable_stack: KillableStack, dashboard: Dashboard
) -> None:
    project = dashboard.post("/projects", {"name": "Counted"})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    phone = Phone(http, killable_stack.stack.edge_url, project["id"], key)
    flow = dashboard.post("/flows", {"projectId": project["id"], "name": "Only", "status": "active"})
    eventually(lambda: phone.resolved_flow("first"), within=10)

    acknowledged: set[str] = set()
    previous: list[dict[str, Any]] = []
    with random_kills({"consumer": lambda: killable_stack.stack.kill("consumer")}, seed=KILLS) as kills:
        while len(acknowledged) < EVENTS or kills["consumer"] < KILLS:
            batch = [_start_of(flow["id"]) for _ in range(BATCH)]
            # Clients repeat unacknowledged events: here a part of each batch before.
            acknowledged |= phone.report_batch(batch + previous[:5])
            previous = batch

    eventually(lambda: dashboard.get(f"/flows/{flow['id']}")["stats"]["total_views"] == len(acknowledged), within=30)
    assert _stored_ids(killable_stack, project["id"]) == acknowledged
    overview = dashboard.get(f"/projects/{project['id']}/stats")["overview"]
    assert overview["total_users"] == len(acknowledged) + 1


def _start_of(flow_id: str) -> dict[str, Any]:
    """Return the event of a device that starts the flow."""
    name = uuid.uuid4().hex
    return {"eventType": "flow_started", "deviceId": f"device-{name}", "eventId": name, "flowId": flow_id}


def _stored_ids(killable_stack: KillableStack, project_id: str) -> set[str]:
    with psycopg.connect(killable_stack.database_url) as connection:
        rows = connection.execute("SELECT event_id FROM events WHERE project_id = %s", [project_id]).fetchall()
    ids = [row[0] for row in rows]
    assert len(ids) == len(set(ids))
    return set(ids)
