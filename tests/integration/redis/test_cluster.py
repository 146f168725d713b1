"""The services on a Cluster of three masters, also while slots move between them."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import redis
from pydantic import SecretStr
from sqlalchemy import func, select

from common.wire.redis_keys import event_stream_of, event_streams, snapshot_key
from common.wire.snapshot import Snapshot
from management_api.db.engine import Database
from management_api.db.models.analytics import Event
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.status import read_event_status
from tests.integration.edge_api.events.test_spool_replay import test_spool_file_of_release_0_2_is_replayed
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.management_api.event_consumer.running_consumer import running, waiting
from tests.integration.rate_limits.test_edge_workers import test_both_services_share_one_count
from tests.integration.rate_limits.test_management_workers import (
    test_four_workers_at_five_times_the_limit_admit_the_limit_every_hour,
)
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.support.data.rows import add_project
from tests.support.data.snapshots import a_snapshot, next_revision, publish, sdk_headers
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

__all__ = [
    "test_both_services_share_one_count",
    "test_four_workers_at_five_times_the_limit_admit_the_limit_every_hour",
    "test_spool_file_of_release_0_2_is_replayed",
]

#: Enough for every stream and every node to have some, with high probability.
PROJECTS = 24
EVENT = {"eventType": "flow_started", "deviceId": "phone"}


def post(edge: httpx.Client, snapshot: Snapshot, event_id: str) -> tuple[int, int]:
    """Post an event, and two in a batch, which is one transaction; return both status codes."""
    one, *two = ({**EVENT, "eventId": f"{event_id}-{number}"} for number in range(3))
    headers = sdk_headers(snapshot)
    alone = edge.post("/api/analytics/event", headers=headers, json=one)
    together = edge.post("/api/analytics/events", headers=headers, json={"events": two})
    return alone.status_code, together.status_code


def test_events_of_every_node_reach_postgresql_while_a_stream_moves(
    cluster: ValkeyCluster, redis_client: redis.Redis, database_url: str
) -> None:
    settings = ConsumerSettings(database_url=SecretStr(database_url), redis_url=SecretStr(cluster.url))
    database = Database(settings)
    with database.transaction() as session:
        snapshots = [a_snapshot(project_id=add_project(session).id) for _ in range(PROJECTS)]
    for snapshot in snapshots:
        publish(redis_client, snapshot)
    moved = event_stream_of(snapshots[0].project_id, "phone")
    source = cluster.master_of(moved)
    target = next(node for node in cluster.masters if node is not source)
    # Two of the masters have no replica to wait for.
    edge_without_replicas = edge_settings(cluster.url, edge_event_replicas=0)
    with running(settings), running_edge(edge_without_replicas) as edge, ThreadPoolExecutor(8) as pool:

        def post_to_all(turn: str) -> list[tuple[int, int]]:
            return list(pool.map(lambda one: post(edge, one, f"{turn}-{one.project_id}"), snapshots))

        statuses = post_to_all("before")
        cluster.begin_move(moved, target)
        statuses += post_to_all("during the move")
        cluster.finish_move(moved, target)
        statuses += post_to_all("after")
        assert statuses == [(201, 200)] * PROJECTS * 3
        eventually(lambda: waiting(redis_client) == 0)
        status = read_event_status(database, redis_client, 0.05)
    posted = Counter(event_stream_of(snapshot.project_id, "phone") for snapshot in snapshots for _ in range(9))
    assert {stream.stream: (stream.added, stream.waiting) for stream in status.streams} == {
        stream: (posted[stream], 0) for stream in event_streams()
    }
    with database.transaction() as session:
        assert session.scalar(select(func.count()).select_from(Event)) == PROJECTS * 9
    database.close()


def test_changes_on_every_node_are_served_while_a_snapshot_moves(
    cluster: ValkeyCluster, redis_client: redis.Redis
) -> None:
    snapshots = [a_snapshot() for _ in range(PROJECTS)]
    moved = snapshot_key(snapshots[0].project_id)
    source = cluster.master_of(moved)
    target = next(node for node in cluster.masters if node is not source)

    def all_serve(edge: httpx.Client, revision: int) -> bool:
        responses = [
            edge.post("/api/onboarding/resolve", headers=sdk_headers(one), json={"deviceId": "phone"})
            for one in snapshots
        ]
        return {response.headers.get("X-Config-Version") for response in responses} == {str(revision)}

    for snapshot in snapshots:
        publish(redis_client, snapshot)
    with running_edge(edge_settings(cluster.url)) as edge:
        assert all_serve(edge, 1)
        cluster.begin_move(moved, target)
        snapshots = [next_revision(snapshot) for snapshot in snapshots]
        for snapshot in snapshots:
            publish(redis_client, snapshot)
        eventually(lambda: all_serve(edge, 2))
        cluster.finish_move(moved, target)
        snapshots = [next_revision(snapshot) for snapshot in snapshots]
        for snapshot in snapshots:
            publish(redis_client, snapshot)
        eventually(lambda: all_serve(edge, 3))
