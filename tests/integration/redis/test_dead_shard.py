"""A Cluster of which one master is dead: its share of the keys fails, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from common.settings.shared import RateLimitSettings
from management_api.rate_limiter import RateLimiter
from tests.integration.rate_limits.workers import edge_worker
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.support.rate_limits import HourClock

pytestmark = pytest.mark.slow

LIMIT = 10
USERS = 20


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ValkeyCluster]:
    """Start a Cluster of which the test kills a master that has no replica."""
    with ValkeyCluster(tmp_path / "servers", node_timeout_ms=1000) as cluster:
        yield cluster


def management_worker(cluster: ValkeyCluster, clock: HourClock) -> RateLimiter:
    """Return the limiter of a worker."""
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
