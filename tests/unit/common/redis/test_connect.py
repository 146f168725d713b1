"""The URL decides about the client, its connections and their encryption."""

import asyncio
from typing import Any

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.connection import SSLConnection as AsyncSslConnection
from redis.connection import SSLConnection
from redis.exceptions import RedisError

from common.redis.async_cluster import AsyncClusterClient
from common.redis.cluster import ClusterClient
from common.redis.connect import connect, connect_async, connection_factory, execute_each, execute_each_async

URLS = ["redis://one", "redis+sentinel://one/flows", "redis+cluster://one"]


def clients(url: str, max_connections: int | None = None) -> tuple[Redis, AsyncRedis]:
    return connect(url, reply_seconds=2, connect_seconds=1), connect_async(
        url, reply_seconds=2, connect_seconds=1, max_connections=max_connections
    )


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("is_tls", [False, True])
def test_scheme_decides_about_tls(url: str, *, is_tls: bool) -> None:
    client, async_client = clients(url.replace("redis", "rediss", 1) if is_tls else url)
    assert issubclass(client.connection_pool.connection_class, SSLConnection) is is_tls
    assert issubclass(async_client.connection_pool.connection_class, AsyncSslConnection) is is_tls


def test_only_a_cluster_is_sharded() -> None:
    made = [clients(url) for url in URLS]
    assert [isinstance(client, ClusterClient) for client, _ in made] == [False, False, True]
    assert [isinstance(client, AsyncClusterClient) for _, client in made] == [False, False, True]
    assert [connection_factory(url, reply_seconds=2, connect_seconds=1).is_sharded for url in URLS] == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("url", URLS)
def test_every_connection_has_time_outs_and_no_retries(url: str) -> None:
    client, async_client = clients(url, max_connections=3)
    options: list[dict[str, Any]] = [
        client.connection_pool.connection_kwargs,
        async_client.connection_pool.connection_kwargs,
    ]
    for each in options:
        assert (each["socket_timeout"], each["socket_connect_timeout"]) == (2, 1)
        assert each["retry"].get_retries() == 0
    assert async_client.connection_pool.max_connections == 3


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "redis+cluster://127.0.0.1:1"])
def test_lost_connection_fails_every_command_of_a_pipeline(url: str) -> None:
    async def replies() -> list[Any]:
        async with (
            connect_async(url, reply_seconds=1, connect_seconds=1) as client,
            client.pipeline(transaction=False) as pipeline,
        ):
            pipeline.get("one")
            pipeline.get("two")
            return await execute_each_async(pipeline)

    with (
        connect(url, reply_seconds=1, connect_seconds=1) as client,
        client.pipeline(transaction=False) as pipeline,
    ):
        pipeline.get("one")
        pipeline.get("two")
        of_threads = execute_each(pipeline)
    for found in (of_threads, asyncio.run(replies())):
        assert len(found) == 2
        assert all(isinstance(reply, RedisError) for reply in found)
