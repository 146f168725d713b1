"""The readiness of a worker whose stored snapshots cannot be read."""

from collections.abc import Awaitable, Callable

import pytest
import redis
from structlog.testing import capture_logs

from common.errors import UnavailableError
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import Snapshot
from edge_api.snapshots.worker_snapshots import WorkerSnapshots
from publisher.compiler import compress_config
from tests.integration.edge_api.running_edge import edge_settings
from tests.integration.edge_api.snapshots.snapshot_worker import eventually, running_snapshots
from tests.support.data.snapshots import a_snapshot, announce, next_revision, publish


def publish_unreadable(client: redis.Redis, snapshot: Snapshot) -> None:
    client.hset(snapshot_key(snapshot.project_id), mapping={"revision": snapshot.revision, "body": b"\xff"})
    announce(client, snapshot)


async def check_with_unreadable(
    redis_url: str,
    client: redis.Redis,
    check: Callable[[WorkerSnapshots, Snapshot], Awaitable[None]],
    **fields: object,
) -> None:
    """Run a check on a worker that serves revision 1 of a project and cannot decode revision 2."""
    snapshot = a_snapshot()
    publish(client, snapshot)

    async with running_snapshots(edge_settings(redis_url, **fields)) as snapshots:
        assert await snapshots.cache.load(snapshot.project_id) is not None
        publish_unreadable(client, next_revision(snapshot))
        await eventually(lambda: snapshots.cache.metrics().unreadable == 1)
        await check(snapshots, next_revision(snapshot))
        await eventually(lambda: snapshots.cache.metrics().unreadable == 0)
        assert snapshots.cache.metrics().revision_lag == 0


async def test_deleted_project_no_longer_counts_as_unreadable(redis_url: str, redis_client: redis.Redis) -> None:
    async def delete(_snapshots: WorkerSnapshots, snapshot: Snapshot) -> None:
        publish(redis_client, Snapshot.tombstone(snapshot.project_id, 3))

    await check_with_unreadable(redis_url, redis_client, delete)


async def test_evicted_project_no_longer_counts_as_unreadable(redis_url: str, redis_client: redis.Redis) -> None:
    large = a_snapshot(config=compress_config(b'"' + b"x" * 2_000_000 + b'"'))
    publish(redis_client, large)

    async def evict(snapshots: WorkerSnapshots, _snapshot: Snapshot) -> None:
        assert await snapshots.cache.load(large.project_id) is not None

    await check_with_unreadable(redis_url, redis_client, evict, edge_snapshot_memory_mb=1)


@pytest.mark.usefixtures("long_absences")
async def test_unreadable_project_is_read_again_only_when_it_is_published_again(
    redis_url: str, redis_client: redis.Redis
) -> None:
    snapshot = a_snapshot()
    publish_unreadable(redis_client, snapshot)

    async with running_snapshots(edge_settings(redis_url)) as snapshots:
        redis_client.config_resetstat()
        with capture_logs() as lines:
            for _ in range(5):
                with pytest.raises(UnavailableError):
                    await snapshots.cache.load(snapshot.project_id)
        assert redis_client.info("commandstats")["cmdstat_hmget"]["calls"] == 1
        assert [line["event"] for line in lines].count("snapshot_unreadable") == 1
        assert snapshots.cache.metrics().unreadable == 1
        publish(redis_client, next_revision(snapshot))
        await eventually(lambda: snapshots.cache.metrics().unreadable == 0)
        assert await snapshots.cache.load(snapshot.project_id) is not None
