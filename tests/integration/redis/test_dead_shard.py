"""A Cluster of which one master is dead: its share of the keys fails, and nothing else."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from common.redis.connect import connect, execute_each
from common.settings.shared import RateLimitSettings
from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.samples import SampleSet
from common.wire.redis_keys import (
    CHANGE_STREAM,
    INSTALLATION,
    SNAPSHOT_FORMAT,
    event_stream_of,
    event_streams,
    snapshot_key,
)
from common.wire.snapshot import Snapshot
from common.wire.stream_records import EventRecord, encode_record
from edge_api.events.group_commit import PendingWrite, stream_of
from management_api.db.engine import Database
from management_api.event_consumer.metrics import poll_redis
from management_api.rate_limiter import RateLimiter
from publisher.settings import PublisherSettings
from tests.integration.edge_api.events.replays import replaying
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.publisher.published import revisions
from tests.integration.publisher.test_running_publisher import add_waiting_project, change
from tests.integration.publisher.test_running_publisher import running as running_publisher
from tests.integration.rate_limits.workers import edge_worker
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.integration.redis.valkey_node import StartedNode
from tests.support.data.disk_snapshots import copied_revisions
from tests.support.data.snapshots import a_snapshot, next_revision, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.rate_limits import HourClock

pytestmark = pytest.mark.slow

LIMIT = 10
USERS = 20
PROJECTS = 24
OUTAGE_SECONDS = 6
EVENT = {"eventType": "flow_started", "deviceId": "phone"}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ValkeyCluster]:
    """Start a Cluster of which the test kills a master that has no replica."""
    with ValkeyCluster(tmp_path / "servers", node_timeout_ms=1000) as cluster:
        yield cluster


def management_worker(cluster: ValkeyCluster, clock: HourClock) -> RateLimiter:
    settings = RateLimitSettings(rate_limit_redis_timeout_ms=1000)
    return RateLimiter.from_settings(settings, SecretStr(cluster.url), clock)


def test_management_workers_share_the_counts_of_live_servers(cluster: ValkeyCluster, clock: HourClock) -> None:
    first, second = (management_worker(cluster, clock) for _ in range(2))
    keys = [(LIMIT, f"user {number}") for number in range(USERS)]
    for key in keys:
        assert first.acquire(key).remaining == LIMIT - 1
    cluster.masters[1].server.kill()
    for key in keys:
        first.acquire(key)
    remaining = {second.acquire(key).remaining for key in keys}
    # The second worker has not seen the requests of the dead server's keys.
    assert remaining == {LIMIT - 3, LIMIT - 1}
    assert first.redis_available
    assert second.redis_available
    first.close()
    second.close()


async def test_edge_workers_share_the_counts_of_live_servers(cluster: ValkeyCluster, clock: HourClock) -> None:
    keys = [(LIMIT, f"address {number}") for number in range(USERS)]
    async with (
        edge_worker(cluster.url, clock, timeout_ms=1000) as first,
        edge_worker(cluster.url, clock, timeout_ms=1000) as second,
    ):
        cluster.masters[1].server.kill()
        for worker in (first, first, second):
            for key in keys:
                await worker.acquire_later(key)
            await worker.settle_all()
        remaining = {second.peek(key).remaining for key in keys}
        assert remaining == {LIMIT - 3, LIMIT - 1}
        assert first.redis_available
        assert second.redis_available


def a_victim(cluster: ValkeyCluster, *keys: str) -> StartedNode:
    """Return a master that has neither a replica nor one of the keys."""
    needed = {cluster.master_of(key) for key in keys}
    return next(node for node in cluster.masters[1:] if node not in needed)


def revision_served(edge: httpx.Client, snapshot: Snapshot) -> str | None:
    response = edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    revision: str | None = response.headers.get("X-Config-Version")
    return revision


def test_changes_of_live_servers_reach_an_edge(cluster: ValkeyCluster, tmp_path: Path) -> None:
    snapshots = [a_snapshot() for _ in range(PROJECTS)]
    victim = a_victim(cluster, CHANGE_STREAM)
    with (
        connect(cluster.url, reply_seconds=5, connect_seconds=2) as client,
        running_edge(edge_settings(cluster.url, edge_snapshot_folder=tmp_path / "copies")) as edge,
    ):
        for snapshot in snapshots:
            publish(client, snapshot)
        assert {revision_served(edge, snapshot) for snapshot in snapshots} == {"1"}
        live = [one for one in snapshots if cluster.master_of(snapshot_key(one.project_id)) is not victim]
        victim.server.kill()
        for snapshot in live:
            publish(client, next_revision(snapshot))
        eventually(lambda: {revision_served(edge, snapshot) for snapshot in live} == {"2"})
        eventually(lambda: {copied_revisions(tmp_path / "copies").get(one.project_id) for one in live} == {2})
        others = [snapshot for snapshot in snapshots if snapshot not in live]
        assert {revision_served(edge, snapshot) for snapshot in others} == {"1"}
        victim.server.start()
        eventually(cluster.is_complete, within=30)
        for snapshot in others:
            publish(client, next_revision(snapshot))
        eventually(lambda: {revision_served(edge, snapshot) for snapshot in others} == {"2"}, within=30)


async def test_replay_stores_the_events_of_live_servers_once(cluster: ValkeyCluster, tmp_path: Path) -> None:
    dead = next(stream for stream in event_streams() if cluster.master_of(stream) is not cluster.masters[0])
    victim = cluster.master_of(dead)
    live = [stream for stream in event_streams() if cluster.master_of(stream) is not victim]
    events = [EventRecord("proj_1", f"{number}", "flow_started", f"device {number}", 1, 1) for number in range(100)]
    streams = [stream_of(event) for event in events]
    bodies = [encode_record(event) for event in events]
    victim.server.kill()
    async with replaying(cluster.url, tmp_path / "spool") as (spool, is_repeated):
        await spool.append(
            [PendingWrite("proj_1", stream, (body,), len(body)) for stream, body in zip(streams, bodies, strict=True)]
        )
        async with asyncio.timeout(30):
            await is_repeated.wait()
        assert not spool.is_drained
    with connect(cluster.url, reply_seconds=2, connect_seconds=2) as client:
        stored = {stream: client.xlen(stream) for stream in live}
    assert stored == {stream: streams.count(stream) for stream in live}


def entries(cluster: ValkeyCluster, streams: set[str]) -> Counter[str]:
    return Counter({stream: cluster.master_of(stream).ask("XLEN", stream) for stream in streams})


def test_events_of_live_servers_do_not_wait_for_a_dead_one(cluster: ValkeyCluster, tmp_path: Path) -> None:
    snapshots = [a_snapshot() for _ in range(PROJECTS)]
    victim = a_victim(cluster, CHANGE_STREAM)
    live = {stream for stream in event_streams() if cluster.master_of(stream) is not victim}
    assert live < set(event_streams())
    posted: Counter[str] = Counter()
    settings = edge_settings(cluster.url, edge_event_replicas=0, edge_spool_folder=tmp_path / "spool")
    with connect(cluster.url, reply_seconds=5, connect_seconds=2) as client, running_edge(settings) as edge:

        def post_to_all() -> None:
            for snapshot in snapshots:
                assert edge.post("/api/analytics/event", headers=sdk_headers(snapshot), json=EVENT).status_code == 201
                posted[event_stream_of(snapshot.project_id, "phone")] += 1

        def are_stored(streams: set[str]) -> bool:
            return entries(cluster, streams) == Counter({stream: posted[stream] for stream in streams})

        for snapshot in snapshots:
            publish(client, snapshot)
        post_to_all()
        victim.server.kill()
        deadline = time.monotonic() + OUTAGE_SECONDS
        while time.monotonic() < deadline:
            post_to_all()
            eventually(lambda: are_stored(live), within=2)
        assert edge.get("/health/ready").json()["events"]["spooled_records"] > 0
        victim.server.start()
        eventually(cluster.is_complete, within=30)
        eventually(lambda: edge.get("/health/ready").json()["events"]["spooled_records"] == 0, within=30)
        eventually(lambda: are_stored(set(event_streams())))


def _kill(node: StartedNode) -> None:
    node.server.kill()


def _restart(node: StartedNode) -> None:
    node.server.start()


@pytest.mark.parametrize(
    ("end", "begin_again", "within"), [(_kill, _restart, 5), (StartedNode.freeze, StartedNode.resume, 15)]
)
def test_publisher_publishes_the_projects_of_live_servers(
    cluster: ValkeyCluster,
    database_url: str,
    master_key: str,
    end: Callable[[StartedNode], None],
    begin_again: Callable[[StartedNode], None],
    within: float,
) -> None:
    settings = PublisherSettings(
        database_url=SecretStr(database_url), redis_url=SecretStr(cluster.url), master_key=SecretStr(master_key)
    )
    victim = a_victim(cluster, CHANGE_STREAM, SNAPSHOT_FORMAT, INSTALLATION)
    with closing(Database(settings)) as database, running_publisher(settings):

        def all_published(project_ids: list[str], revision: int) -> bool:
            return all(revisions(database, project_id) == (revision, revision) for project_id in project_ids)

        projects = [add_waiting_project(database) for _ in range(PROJECTS)]
        eventually(lambda: all_published(projects, 1), within=30)
        live = [project_id for project_id in projects if cluster.master_of(snapshot_key(project_id)) is not victim]
        others = [project_id for project_id in projects if project_id not in live]
        end(victim)
        for project_id in projects:
            change(database, project_id, "another name")
        # A server that hangs costs one time-out of 5 s.
        eventually(lambda: all_published(live, 2), within=within)
        for project_id in live:
            change(database, project_id, "a third name")
        eventually(lambda: all_published(live, 3), within=within)
        assert {revisions(database, project_id) for project_id in others} == {(2, 1)}
        begin_again(victim)
        eventually(lambda: all_published(others, 2), within=within)


def test_clients_wait_for_a_hung_server_once(cluster: ValkeyCluster) -> None:
    keys = [f"key {number}" for number in range(USERS)]
    victim = a_victim(cluster)
    with connect(cluster.url, reply_seconds=0.5, connect_seconds=0.5) as client:

        def replies() -> Counter[bool]:
            with client.pipeline(transaction=False) as pipeline:
                for key in keys:
                    pipeline.get(key)
                return Counter(isinstance(reply, Exception) for reply in execute_each(pipeline))

        assert replies() == {False: USERS}
        victim.freeze()
        started_at = time.monotonic()
        # Each pipeline would take half a second.
        for _ in range(100):
            assert replies()[True] > 0
        assert time.monotonic() - started_at < 25
        victim.resume()
        eventually(lambda: replies() == {False: USERS})


def test_metrics_have_the_streams_of_live_servers(cluster: ValkeyCluster) -> None:
    victim = a_victim(cluster)
    live = {stream for stream in event_streams() if cluster.master_of(stream) is not victim}
    samples = SampleSet()
    with connect(cluster.url, reply_seconds=5, connect_seconds=2) as client:
        victim.server.kill()
        poll_redis(client, samples)
    waiting = {sample.labels[0] for sample in samples.samples if sample.metric == catalogue.STREAM_WAITING.name}
    assert waiting == live < set(event_streams())
    assert any(sample.metric == catalogue.REDIS_USED.name for sample in samples.samples)
