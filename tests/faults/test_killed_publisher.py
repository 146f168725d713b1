"""A publisher that is killed at any instruction loses no change."""

from typing import Any

import httpx
import redis
from pydantic import SecretStr

from common.wire.redis_keys import snapshot_key
from publisher.republish import republish_all
from publisher.settings import PublisherSettings
from tests.faults.conftest import HurtStack
from tests.faults.killing import RepeatedKills
from tests.journey.visitors import Dashboard, Phone
from tests.polling import eventually

EDITS = 200
KILLS = 10


def test_after_200_edits_under_kills_the_snapshot_equals_the_database(
    http: httpx.Client, hurt: HurtStack, dashboard: Dashboard
) -> None:
    project = dashboard.post("/projects", {"name": "Edited"})
    key = dashboard.get(f"/projects/{project['id']}/api-keys")["secret_keys"][0]["secret_key"]
    phone = Phone(http, hurt.stack.edge_url, project["id"], key)
    flows = [
        dashboard.post("/flows", {"projectId": project["id"], "name": f"Flow {number}", "status": "active"})["id"]
        for number in range(5)
    ]

    edits = 0
    with RepeatedKills(hurt.stack, "publisher") as kills:
        while edits < EDITS or kills.count < KILLS:
            dashboard.put(f"/flows/{flows[edits % len(flows)]}", {"name": f"Edit {edits}", "priority": edits})
            edits += 1

    wanted = {flow["id"]: flow["name"] for flow in dashboard.get(f"/flows?projectId={project['id']}")}
    eventually(lambda: _names_at_edge(phone) == wanted, within=20)
    published = _stored_snapshot(hurt, project["id"])
    republish_all(_publisher_settings(hurt), lambda _done, _total: None)
    assert _stored_snapshot(hurt, project["id"]) == published


def _names_at_edge(phone: Phone) -> dict[str, str]:
    response = phone.config()
    flows: list[dict[str, Any]] = response.json()["flows"] if response.is_success else []
    return {flow["id"]: flow["name"] for flow in flows}


def _stored_snapshot(hurt: HurtStack, project_id: str) -> dict[bytes, bytes]:
    """Give what Redis holds of a project: its revision and its bytes."""
    with redis.Redis.from_url(hurt.redis_url) as client:
        return dict(client.hgetall(snapshot_key(project_id)))


def _publisher_settings(hurt: HurtStack) -> PublisherSettings:
    return PublisherSettings(
        database_url=SecretStr(hurt.database_url),
        redis_url=SecretStr(hurt.redis_url),
        master_key=SecretStr(hurt.master_key),
    )
