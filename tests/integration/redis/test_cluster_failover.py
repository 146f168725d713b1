"""Clients of a Redis Cluster after the death of a master."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from common.redis.connect import connect, connect_async
from tests.integration.redis.valkey_cluster import ValkeyCluster
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

#: The nodes notice a death after a second, elect a master within another, and inform each other.
FAILOVER_SECONDS = 30


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ValkeyCluster]:
    """Start a Cluster of which the test kills a master."""
    with ValkeyCluster(tmp_path / "servers", node_timeout_ms=1000) as cluster:
        yield cluster


def replies(command: Callable[[], object]) -> bool:
    """Return whether the command succeeds."""
    try:
        command()
    except RedisError:
        return False
    return True


def test_client_that_only_pings_finds_the_new_master(cluster: ValkeyCluster) -> None:
    with connect(cluster.url, reply_seconds=1, connect_seconds=1) as client, asyncio.Runner() as runner:
        async_client = connect_async(cluster.url, reply_seconds=1, connect_seconds=1)

        async def ping() -> None:
            await async_client.ping()

        def ping_async() -> None:
            runner.run(ping())

        client.ping()
        ping_async()
        cluster.masters[0].server.kill()
        assert not replies(client.ping)
        eventually(lambda: replies(client.ping), within=FAILOVER_SECONDS)
        eventually(lambda: replies(ping_async), within=FAILOVER_SECONDS)
        runner.run(async_client.aclose())
