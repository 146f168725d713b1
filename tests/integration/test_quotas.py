"""A project above a quota gets 429 for its events at every edge, and no other project does."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
import redis
from pydantic import SecretStr

from common.wire.redis_keys import USED_QUOTAS
from common.wire.snapshot import Snapshot
from common.wire.used_quotas import DIGEST_FIELD, STATE_FIELD, UsedQuotas
from management_api.background.quotas import publish_used_quotas
from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.stream import connect
from management_api.rollups.usage import Usage
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.management_api.event_consumer.running_consumer import running
from tests.support.data.rows import add_project
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

DAY_SECONDS = 86_400
EVENT = {"eventType": "flow_started", "deviceId": "phone"}


class MovableClock:
    """The Unix time, which a test may move."""

    def __init__(self) -> None:
        self.offset = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset


@pytest.fixture(autouse=True)
def _read_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_api.events.quotas.INTERVAL_SECONDS", 0.02)


@pytest.fixture
def snapshots(database: Database, redis_url: str) -> list[Snapshot]:
    with database.transaction() as session:
        published = [a_snapshot(project_id=add_project(session).id) for _ in range(2)]
    with redis.Redis.from_url(redis_url) as client:
        for snapshot in published:
            publish(client, snapshot)
    return published


@pytest.fixture
def publish_quotas(database: Database, database_url: str, redis_url: str) -> Iterator[Callable[[], None]]:
    """Run an event consumer; return a function that publishes the projects with three events."""
    settings = ConsumerSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url))
    with running(settings), connect(redis_url) as client:
        yield partial(publish_used_quotas, client, database, Usage(3, 10**6, 10**6))


def status(edge: httpx.Client, snapshot: Snapshot, device_id: str = "phone") -> int:
    """Send an event, and return the status of the response."""
    event = {**EVENT, "deviceId": device_id}
    return edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=event).status_code


def use_up(client: redis.Redis, snapshot: Snapshot) -> None:
    """Publish that the project has used up its quota of events for an hour."""
    digest, state = UsedQuotas(int(time.time()) + 3600, {snapshot.project_id: frozenset({"events"})}).encode()
    client.hset(USED_QUOTAS, mapping={DIGEST_FIELD: digest, STATE_FIELD: state})


def test_project_above_its_quota_is_rejected_until_midnight(
    redis_url: str, snapshots: list[Snapshot], publish_quotas: Callable[[], None]
) -> None:
    above, below = snapshots
    clock = MovableClock()
    settings = edge_settings(redis_url)
    with running_edge(settings, clock) as first, running_edge(settings, clock) as second:
        batch = {"events": [{**EVENT, "eventId": str(number)} for number in range(3)]}
        taken = first.post("/api/analytics/events", headers=sdk_headers(above), json=batch)
        assert taken.json()["accepted"] == 3

        def is_rejected(edge: httpx.Client) -> bool:
            publish_quotas()
            # An id that is sent again uses nothing.
            again = edge.post("/api/analytics/events", headers=sdk_headers(above), json=batch)
            return again.status_code == 429

        for edge in (first, second):
            eventually(partial(is_rejected, edge), within=20)
            response = edge.post("/api/analytics/event", headers=sdk_headers(above), json=EVENT)
            assert response.status_code == 429
            assert response.json()["code"] == "RATE_LIMITED"
            assert 0 < int(response.headers["Retry-After"]) <= 3600
            assert status(edge, below) == 201
            assert edge.post("/api/onboarding/resolve", headers=sdk_headers(above), json=EVENT).status_code == 200
        clock.offset = DAY_SECONDS
        assert [status(edge, above) for edge in (first, second)] == [201, 201]


def test_used_quota_holds_while_redis_is_away(private_redis_server: RunningServer, tmp_path: Path) -> None:
    above, below = a_snapshot(), a_snapshot()
    with redis.Redis.from_url(private_redis_server.url) as client:
        for snapshot in (above, below):
            publish(client, snapshot)
        use_up(client, above)
    with running_edge(edge_settings(private_redis_server.url, edge_spool_folder=tmp_path)) as edge:
        eventually(lambda: status(edge, above) == 429)
        assert status(edge, below) == 201
        private_redis_server.kill()
        assert [status(edge, below), status(edge, above)] == [201, 429]
        # What the edge has acknowledged meanwhile is stored, whatever the quotas are then.
        private_redis_server.start()
        eventually(lambda: edge.get("/health/ready").json()["events"]["spooled_records"] == 0)


def test_damaged_state_changes_nothing(redis_url: str, redis_client: redis.Redis) -> None:
    above = a_snapshot()
    publish(redis_client, above)
    use_up(redis_client, above)
    with running_edge(edge_settings(redis_url)) as edge:
        eventually(lambda: status(edge, above) == 429)
        redis_client.hset(USED_QUOTAS, mapping={DIGEST_FIELD: "other", STATE_FIELD: b"[" * 1000})
        assert [status(edge, above) for _ in range(5)] == [429] * 5
        redis_client.delete(USED_QUOTAS)
        eventually(lambda: status(edge, above) == 201)
