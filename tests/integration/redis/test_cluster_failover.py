"""Clients of a Redis Cluster while a master is dead."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.exceptions import RedisError

from common.redis.connect import connect, connect_async, execute_each, execute_each_async, primaries
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


KEYS = [f"key-{number}" for number in range(30)]


@pytest.fixture
def client(cluster: ValkeyCluster) -> Iterator[redis.Redis]:
    with connect(cluster.url, reply_seconds=1, connect_seconds=1) as client:
        yield client


def kill_a_master(cluster: ValkeyCluster) -> set[str]:
    """Kill a master that has no replica, and return its share of the keys."""
    dead = cluster.masters[1]
    keys = {key for key in KEYS if cluster.master_of(key) is dead}
    dead.server.kill()
    return keys


def failed(replies: list[Any]) -> set[str]:
    return {key for key, reply in zip(KEYS, replies, strict=True) if isinstance(reply, RedisError | OSError)}


def test_dead_node_fails_its_own_commands_for_threads(cluster: ValkeyCluster, client: redis.Redis) -> None:
    assert client.ping()
    lost = kill_a_master(cluster)
    with client.pipeline(transaction=False) as pipeline:
        for key in KEYS:
            pipeline.set(key, 1)
        assert failed(execute_each(pipeline)) == lost
        for key in KEYS:
            pipeline.get(key)
        with pytest.raises((RedisError, OSError)):
            pipeline.execute()


def test_dead_node_fails_its_own_commands_for_asyncio(cluster: ValkeyCluster) -> None:
    async def lost_keys() -> tuple[set[str], set[str]]:
        async with connect_async(cluster.url, reply_seconds=1, connect_seconds=1) as client:
            await client.ping()
            lost = kill_a_master(cluster)
            async with client.pipeline(transaction=False) as pipeline:
                for key in KEYS:
                    pipeline.set(key, 1)
                replies = await execute_each_async(pipeline)
                for key in KEYS:
                    pipeline.get(key)
                with pytest.raises((RedisError, OSError)):
                    await pipeline.execute()
            return lost, failed(replies)

    lost, failures = asyncio.run(lost_keys())
    assert failures == lost


def test_command_without_a_key_is_answered_by_a_live_node(cluster: ValkeyCluster, client: redis.Redis) -> None:
    async def ping_and_time() -> tuple[bool, int]:
        async with connect_async(cluster.url, reply_seconds=1, connect_seconds=1) as async_client:
            return await async_client.ping(), (await async_client.time())[0]

    client.ping()
    # The owner of the first slots is queried first.
    cluster.masters[0].server.kill()
    assert client.ping()
    assert client.time()[0] > 0
    ping, seconds = asyncio.run(ping_and_time())
    assert ping
    assert seconds > 0


def test_primaries_name_the_promoted_replica_without_another_command(
    cluster: ValkeyCluster, client: redis.Redis
) -> None:
    dead = ("127.0.0.1", cluster.masters[0].node.port)
    assert dead in primaries(client)
    cluster.masters[0].server.kill()
    eventually(lambda: dead not in primaries(client), within=FAILOVER_SECONDS)
    assert len(primaries(client)) == len(cluster.masters)


def test_key_of_a_dead_master_is_found_at_its_promoted_replica(cluster: ValkeyCluster, client: redis.Redis) -> None:
    key = next(key for key in KEYS if cluster.master_of(key) is cluster.masters[0])

    async def get() -> None:
        async with connect_async(cluster.url, reply_seconds=1, connect_seconds=1) as async_client:
            await async_client.get(key)

    def replies(command: Callable[[], object]) -> bool:
        try:
            command()
        except (RedisError, OSError):
            return False
        return True

    client.set(key, 1)
    cluster.masters[0].server.kill()
    assert not replies(lambda: client.get(key))
    eventually(lambda: replies(lambda: client.get(key)), within=FAILOVER_SECONDS)
    eventually(lambda: replies(lambda: asyncio.run(get())), within=FAILOVER_SECONDS)
