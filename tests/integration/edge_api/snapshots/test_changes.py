"""Published changes are served, and cached snapshots are served while Redis is down."""

import concurrent.futures

import httpx
import pytest
import redis

from common.wire.redis_keys import CHANGE_STREAM, snapshot_key
from common.wire.snapshot import DefaultFlow, Snapshot
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.snapshots import (
    a_default_flow,
    a_snapshot,
    announce,
    flow_body,
    mark_complete,
    next_revision,
    publish,
    sdk_headers,
    store,
)
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer


def resolve(edge: httpx.Client, snapshot: Snapshot) -> httpx.Response:
    return edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})


def version(edge: httpx.Client, snapshot: Snapshot) -> int:
    """Return the revision of the response; -1 for an error without one."""
    return int(resolve(edge, snapshot).headers.get("X-Config-Version", "-1"))


def test_published_change_is_served_within_a_second(redis_url: str, redis_client: redis.Redis) -> None:
    first = a_snapshot()
    publish(redis_client, first)
    with running_edge(edge_settings(redis_url)) as edge:
        assert version(edge, first) == 1
        publish(redis_client, next_revision(first, default=a_default_flow("flow_new")))
        eventually(lambda: resolve(edge, first).json()["flowId"] == "flow_new", within=1)


def test_credentials_of_a_deleted_project_are_rejected(redis_url: str, redis_client: redis.Redis) -> None:
    first = a_snapshot()
    publish(redis_client, first)
    with running_edge(edge_settings(redis_url)) as edge:
        assert resolve(edge, first).status_code == 200
        publish(redis_client, Snapshot.tombstone(first.project_id, 2))
        eventually(lambda: resolve(edge, first).status_code == 401)
        assert resolve(edge, first).json()["error"] == "Invalid project credentials"


@pytest.mark.usefixtures("long_absences")
def test_unknown_project_is_served_once_it_is_published(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    with running_edge(edge_settings(redis_url)) as edge:
        assert resolve(edge, snapshot).status_code == 401
        publish(redis_client, snapshot)
        eventually(lambda: resolve(edge, snapshot).status_code == 200)


def test_stream_trimmed_past_the_position_starts_a_comparison(redis_url: str, redis_client: redis.Redis) -> None:
    missed, announced = a_snapshot(), a_snapshot()
    publish(redis_client, missed)
    publish(redis_client, announced)
    with running_edge(edge_settings(redis_url)) as edge:
        assert (version(edge, missed), version(edge, announced)) == (1, 1)
        store(redis_client, next_revision(missed))
        with redis_client.pipeline(transaction=True) as pipeline:
            pipeline.xtrim(CHANGE_STREAM, maxlen=0)
            pipeline.xadd(CHANGE_STREAM, {"project": announced.project_id, "revision": 1, "deleted": 0})
            pipeline.execute()
        eventually(lambda: version(edge, missed) == 2)


def test_older_revision_never_replaces_a_newer_one(edge: httpx.Client, redis_client: redis.Redis) -> None:
    newer, witness = a_snapshot(revision=5), a_snapshot()
    publish(redis_client, newer)
    publish(redis_client, witness)
    assert (version(edge, newer), version(edge, witness)) == (5, 1)
    publish(redis_client, next_revision(newer, revision=4))
    announce(redis_client, next_revision(newer))
    publish(redis_client, next_revision(witness))
    eventually(lambda: version(edge, witness) == 2)
    assert version(edge, newer) == 5


def test_older_snapshot_is_served_when_the_newest_cannot_be_decoded(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    first, witness = a_snapshot(), a_snapshot()
    publish(redis_client, first)
    publish(redis_client, witness)
    assert (version(edge, first), version(edge, witness)) == (1, 1)
    redis_client.hset(snapshot_key(first.project_id), mapping={"revision": 2, "body": b"\xff"})
    announce(redis_client, next_revision(first))
    publish(redis_client, next_revision(witness))
    eventually(lambda: version(edge, witness) == 2)
    assert version(edge, first) == 1


def test_project_is_unavailable_when_its_only_snapshot_cannot_be_decoded(
    edge: httpx.Client, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    redis_client.hset(snapshot_key(snapshot.project_id), mapping={"revision": 1, "body": b"\x01\xc1"})
    response = resolve(edge, snapshot)
    assert (response.status_code, response.json()["code"]) == (503, "UNAVAILABLE")
    assert response.headers["Retry-After"] == "1"


def test_concurrent_requests_load_a_project_once(private_redis_server: RunningServer) -> None:
    """The server is its own: the lasting edges of other tests compare their projects with the common one."""
    snapshot = a_snapshot()
    with redis.Redis.from_url(private_redis_server.url) as redis_client:
        mark_complete(redis_client)
        publish(redis_client, snapshot)
        with (
            running_edge(edge_settings(private_redis_server.url)) as edge,
            concurrent.futures.ThreadPoolExecutor(16) as threads,
        ):
            redis_client.config_resetstat()
            statuses = list(threads.map(lambda _: resolve(edge, snapshot).status_code, range(48)))
            assert statuses == [200] * 48
            assert redis_client.info("commandstats")["cmdstat_hmget"]["calls"] == 1


@pytest.mark.usefixtures("long_absences")
def test_unknown_project_is_cached_as_unknown(private_redis_server: RunningServer) -> None:
    unknown = a_snapshot()
    malformed = a_snapshot(project_id="proj_NOT_AN_ID")
    url = private_redis_server.url
    with (
        redis.Redis.from_url(url) as redis_client,
        running_edge(edge_settings(url)) as edge,
    ):
        mark_complete(redis_client)
        redis_client.config_resetstat()
        assert {resolve(edge, unknown).status_code for _ in range(10)} == {401}
        assert {resolve(edge, malformed).status_code for _ in range(10)} == {401}
        assert redis_client.info("commandstats")["cmdstat_hmget"]["calls"] == 1


def test_cached_projects_are_served_while_redis_is_down(private_redis_server: RunningServer) -> None:
    with redis.Redis.from_url(private_redis_server.url) as client:
        known = a_snapshot()
        publish(client, known)
        with running_edge(edge_settings(private_redis_server.url)) as edge:
            assert edge.get("/health/ready").json()["status"] == "ready"
            assert version(edge, known) == 1
            private_redis_server.kill()
            eventually(lambda: edge.get("/health/ready").json()["status"] == "degraded")
            assert {resolve(edge, known).status_code for _ in range(20)} == {200}
            unknown = edge.get("/api/config", headers=sdk_headers(a_snapshot()))
            assert (unknown.status_code, unknown.json()["code"]) == (503, "UNAVAILABLE")
            assert unknown.headers["Retry-After"] == "1"
            private_redis_server.start()
            publish(client, next_revision(known))
            eventually(lambda: version(edge, known) == 2)
            # The events that were not stored count until others are.
            eventually(lambda: edge.get("/health/ready").json()["status"] == "ready")


def test_edge_is_ready_once_it_has_reached_redis(private_redis_server: RunningServer) -> None:
    private_redis_server.kill()
    with running_edge(edge_settings(private_redis_server.url)) as edge:
        assert edge.get("/health/live").status_code == 200
        assert edge.get("/health/ready").status_code == 503
        private_redis_server.start()
        eventually(lambda: edge.get("/health/ready").status_code == 200)


def test_more_projects_than_fit_in_memory_are_all_served(redis_url: str, redis_client: redis.Redis) -> None:
    large = DefaultFlow("flow_large", flow_body("flow_large", "default", name="x" * 400_000))
    snapshots = [a_snapshot(default=large) for _ in range(5)]
    for snapshot in snapshots:
        publish(redis_client, snapshot)
    with running_edge(edge_settings(redis_url, edge_snapshot_memory_mb=1)) as edge:
        redis_client.config_resetstat()
        assert {resolve(edge, snapshot).status_code for snapshot in snapshots * 2} == {200}
        assert redis_client.info("commandstats")["cmdstat_hmget"]["calls"] >= 10
