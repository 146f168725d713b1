"""Redis unavailable, slow or silent, edges killed: every acknowledged event reaches the streams.

The oracle is the log of the clients. `SOAK_SPOOL_SECONDS` makes the outages long.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from common.wire.redis_keys import EVENT_FIELD, event_streams
from common.wire.snapshot import Snapshot
from common.wire.stream_records import EventRecord, decode_record
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.faults.retrying_clients import ClientLog
from tests.support.faults.spooling_edge import (
    EVENTS_AT_ONCE,
    an_edge,
    clients_of,
    events_stored_in,
    post_for,
    spooled_bytes,
    stored_ids,
)
from tests.support.polling import eventually
from tests.support.servers.fault_proxy import FaultProxy
from tests.support.servers.running_server import RunningServer
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

SECONDS = soak_setting("SPOOL_SECONDS", 3, 60)
FAULTS: dict[str, Callable[[FaultProxy], None]] = {
    "refuses": FaultProxy.refuse,
    "hangs": FaultProxy.black_hole,
    "swallows replies": FaultProxy.swallow_replies,
    "cuts at replies": FaultProxy.cut_at_replies,
    "is slow": lambda proxy: proxy.delay(1.5),
}


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    made = a_snapshot()
    publish(redis_client, made)
    return made


@pytest.mark.timeout(SECONDS * 3 + 240)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_redis_failure_fails_no_post_and_loses_nothing(
    redis_url: str,
    redis_client: redis.Redis,
    snapshot: Snapshot,
    tmp_path: Path,
    fault: Callable[[FaultProxy], None],
) -> None:
    log = ClientLog()
    with FaultProxy(redis_url) as proxy, an_edge(proxy.url, tmp_path) as edge:
        clients = clients_of(edge, snapshot)
        log.add(clients.post(EVENTS_AT_ONCE))
        fault(proxy)
        post_for(clients, SECONDS, log)
        depth = spooled_bytes(tmp_path)
        proxy.heal()
        healed = time.monotonic()
        post_for(clients, SECONDS / 3, log)
        eventually(lambda: log.acknowledged <= stored_ids(redis_client), within=30 + SECONDS)
        drained = time.monotonic() - healed
        eventually(lambda: spooled_bytes(tmp_path) == 0)
        eventually(lambda: [events_stored_in(edge) for _ in range(4)] == ["redis"] * 4)
    assert log.failed_posts == 0
    assert stored_ids(redis_client) == log.acknowledged
    measured = {"acknowledged": len(log.acknowledged), "spooled": f"{depth} bytes", "drained after": f"{drained:.2f} s"}
    report(f"Redis fails for {SECONDS} s", measured)


def test_events_of_a_device_arrive_in_the_order_of_their_posts(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    posted: list[str] = []
    with (
        FaultProxy(redis_url) as proxy,
        an_edge(proxy.url, tmp_path) as edge,
        httpx.Client(base_url=edge.url, headers=sdk_headers(snapshot), timeout=20) as client,
    ):

        def post() -> None:
            event = {"eventType": "flow_started", "deviceId": "phone", "eventId": f"{len(posted)}"}
            assert client.post("/api/analytics/event", json=event).status_code == 201
            posted.append(event["eventId"])

        for change in (proxy.heal, proxy.refuse, proxy.heal, proxy.refuse, proxy.heal):
            change()
            for _ in range(40):
                post()
        eventually(lambda: len(stored_ids(redis_client)) == len(posted), within=30)
    streams: list[Any] = [redis_client.xrange(stream) for stream in event_streams()]
    (stream,) = [entries for entries in streams if entries]
    arrived = [decode_record(entry[EVENT_FIELD.encode()]) for _, entry in stream]
    ids = [record.event_id for record in arrived if isinstance(record, EventRecord)]
    # An event whose reply was lost is there twice, and only the first counts.
    assert list(dict.fromkeys(ids)) == posted


def test_killed_redis_gets_all_events_when_it_is_back(private_redis_server: RunningServer, tmp_path: Path) -> None:
    snapshot, log = a_snapshot(), ClientLog()
    with redis.Redis.from_url(private_redis_server.url) as client:
        publish(client, snapshot)
        with an_edge(private_redis_server.url, tmp_path) as edge:
            clients = clients_of(edge, snapshot)
            log.add(clients.post(EVENTS_AT_ONCE))
            private_redis_server.kill()
            post_for(clients, SECONDS, log)
            private_redis_server.start()
            eventually(lambda: stored_ids(client) == log.acknowledged, within=30 + SECONDS)
    assert log.failed_posts == 0


def test_full_redis_gets_all_events_when_it_has_room(private_redis_server: RunningServer, tmp_path: Path) -> None:
    snapshot, log = a_snapshot(), ClientLog()
    with redis.Redis.from_url(private_redis_server.url) as client:
        publish(client, snapshot)
        with an_edge(private_redis_server.url, tmp_path) as edge:
            clients = clients_of(edge, snapshot)
            log.add(clients.post(EVENTS_AT_ONCE))
            client.config_set("maxmemory", 1)
            log.add(clients.post(EVENTS_AT_ONCE))
            assert spooled_bytes(tmp_path) > 0
            client.config_set("maxmemory", 0)
            eventually(lambda: stored_ids(client) == log.acknowledged, within=30)
    assert log.failed_posts == 0


def test_spool_of_a_killed_edge_is_adopted_by_the_next(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    log = ClientLog()
    with FaultProxy(redis_url) as proxy, an_edge(proxy.url, tmp_path) as edge:
        clients = clients_of(edge, snapshot)
        log.add(clients.post(EVENTS_AT_ONCE))
        proxy.refuse()
        log.add(clients.post(EVENTS_AT_ONCE))
        edge.kill()
        assert spooled_bytes(tmp_path) > 0
        proxy.heal()
        edge.start()
        eventually(lambda: stored_ids(redis_client) == log.acknowledged, within=30)
        eventually(lambda: spooled_bytes(tmp_path) == 0)


def test_spool_of_a_killed_worker_is_adopted_by_the_others(
    redis_url: str, redis_client: redis.Redis, snapshot: Snapshot, tmp_path: Path
) -> None:
    log = ClientLog()
    with FaultProxy(redis_url) as proxy, an_edge(proxy.url, tmp_path) as edge:
        clients = clients_of(edge, snapshot)
        log.add(clients.post(EVENTS_AT_ONCE))
        proxy.refuse()
        log.add(clients.post(EVENTS_AT_ONCE))
        edge.kill_a_worker()
        proxy.heal()
        eventually(lambda: stored_ids(redis_client) == log.acknowledged, within=30)
