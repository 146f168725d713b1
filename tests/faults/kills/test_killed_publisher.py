"""A publisher that is killed at any instruction loses no change."""

from typing import Any

import httpx
import pytest
import redis
from pydantic import SecretStr

from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import Snapshot, decode_snapshot
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from tests.e2e.api_clients import Dashboard, Phone
from tests.faults.conftest import KillableStack
from tests.support.faults.random_kills import random_kills
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

EDITS = 200
KILLS = 10


def test_after_200_edits_under_kills_the_snapshot_equals_the_database(
    http: httpx.Client, killable_stack: KillableStack, dashboard: Dashboard
) -> None:
    project = dashboard.post("/projects", {"name": "Edited"})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    phone = Phone(http, killable_stack.stack.edge_url, project["id"], key)
    flows = [
        dashboard.post("/flows", {"projectId": project["id"], "name": f"Flow {number}", "status": "active"})["id"]
        for number in range(5)
    ]

    edits = 0
    with random_kills({"publisher": lambda: killable_stack.stack.kill("publisher")}, seed=KILLS) as kills:
        while edits < EDITS or kills["publisher"] < KILLS:
            dashboard.put(f"/flows/{flows[edits % len(flows)]}", {"name": f"Edit {edits}", "priority": edits})
            edits += 1

    wanted = {flow["id"]: flow["name"] for flow in dashboard.get(f"/flows?projectId={project['id']}")}
    eventually(lambda: _names_at_edge(phone) == wanted, within=20)
    published = _stored_snapshot(killable_stack, project["id"])
    rebuild_all(_publisher_settings(killable_stack), lambda _done, _total: None)
    rebuilt = _stored_snapshot(killable_stack, project["id"])
    # All that does not depend on the revision, which a rebuild raises.
    assert rebuilt.revision > published.revision
    assert (rebuilt.flow_parts, rebuilt.flow_ids) == (published.flow_parts, published.flow_ids)


def _names_at_edge(phone: Phone) -> dict[str, str]:
    response = phone.config()
    flows: list[dict[str, Any]] = response.json()["flows"] if response.is_success else []
    return {flow["id"]: flow["name"] for flow in flows}


def _stored_snapshot(killable_stack: KillableStack, project_id: str) -> Snapshot:
    with redis.Redis.from_url(killable_stack.redis_url) as client:
        stored: Any = client.hget(snapshot_key(project_id), "body")
        return decode_snapshot(stored)


def _publisher_settings(killable_stack: KillableStack) -> PublisherSettings:
    return PublisherSettings(
        database_url=SecretStr(killable_stack.database_url),
        redis_url=SecretStr(killable_stack.redis_url),
        master_key=SecretStr(killable_stack.master_key),
    )
