"""Clients of Redis from a URL, for threads and for asyncio, with short time-outs and without retries.

redis-py repeats a command up to ten times by default; after a lost reply, one append would make two entries.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from redis import ConnectionPool, Redis
from redis import asyncio as aioredis
from redis.asyncio.client import Pipeline as AsyncPipeline
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from common.redis.async_cluster import AsyncClusterClient
from common.redis.cluster import ClusterClient
from common.redis.sentinel import async_master_pool, master_pool
from common.redis.url import Node, Topology, parse_redis_url

AsyncPoolT = TypeVar("AsyncPoolT", bound=aioredis.ConnectionPool)


def connect(url: str, *, reply_seconds: float, connect_seconds: float, **options: Any) -> Redis:  # noqa: ANN401 - handed on to redis-py
    """Return a client for threads; `options` are those of redis-py's connections."""
    address = parse_redis_url(url)
    options |= _socket_options(reply_seconds, connect_seconds) | {"retry": Retry(NoBackoff(), 0)}
    if address.topology is Topology.CLUSTER:
        return ClusterClient(address, lambda node_url: Redis.from_pool(ConnectionPool.from_url(node_url, **options)))
    if address.topology is Topology.SENTINEL:
        return Redis.from_pool(master_pool(address, options))
    return Redis.from_pool(ConnectionPool.from_url(url, **options))


def connect_async(
    url: str, *, reply_seconds: float, connect_seconds: float, max_connections: int | None = None
) -> aioredis.Redis:
    """Return a client for asyncio. With `max_connections` to a server, commands wait for a free connection."""
    pool_or_cluster = _async_pool_or_cluster(url, reply_seconds, connect_seconds, max_connections)
    if isinstance(pool_or_cluster, AsyncClusterClient):
        return pool_or_cluster
    return aioredis.Redis.from_pool(pool_or_cluster)


def connection_factory(url: str, *, reply_seconds: float, connect_seconds: float) -> "ConnectionFactory":
    """Return the factory of the connections of a caller that does not use redis-py's commands."""
    return ConnectionFactory(_async_pool_or_cluster(url, reply_seconds, connect_seconds, None))


def execute_each(pipeline: Pipeline) -> list[Any]:
    """Send a pipeline without a transaction. Return for each command its reply, or the exception by which it failed.

    A node of a Cluster that is unavailable fails its own commands. When the connection to one server, or to the master
    behind Sentinels, is lost, all commands fail. So callers have one form: each command succeeded or failed.
    """
    commands = len(pipeline)
    try:
        return pipeline.execute(raise_on_error=False)
    except (RedisError, OSError) as error:
        return [error] * commands


async def execute_each_async(pipeline: AsyncPipeline) -> list[Any]:
    """Do for asyncio what `execute_each` does for threads."""
    commands = len(pipeline)
    try:
        return await pipeline.execute(raise_on_error=False)
    except (RedisError, OSError) as error:
        return [error] * commands


def primaries(client: Redis) -> dict[Node | None, Redis]:
    """Return a client of each server that takes writes, also of one that is unavailable; None is the only server."""
    return client.primaries() if isinstance(client, ClusterClient) else {None: client}


def ask_each_primary(client: Redis, *arguments: str) -> dict[Node | None, Any]:
    """Send a command without a key to each server that takes writes; None is the only server.

    The reply of a server that does not respond is its exception.
    """
    if isinstance(client, ClusterClient):
        return client.ask_each(*arguments)
    try:
        return {None: client.execute_command(*arguments)}
    except (RedisError, OSError) as error:
        return {None: error}


def server_of(client: Redis, key: str) -> Node | None:
    """Return the server of a key in a Cluster, without I/O. None stands for the only server."""
    return client.server_of(key) if isinstance(client, ClusterClient) else None


class ConnectionFactory:
    """Makes connections to the server of a key, which is looked up each time."""

    def __init__(self, pool_or_cluster: aioredis.ConnectionPool | AsyncClusterClient) -> None:
        self._source = pool_or_cluster
        #: Whether two keys may be on two servers.
        self.is_sharded = isinstance(pool_or_cluster, AsyncClusterClient)

    async def open(self, key: str, redirect: Node | None) -> AbstractConnection:
        """Return a new connection to the target of a redirect, or to the server of a key.

        Raises RedisError and OSError.
        """
        if isinstance(self._source, AsyncClusterClient):
            connection = await self._source.make_connection(key, redirect)
        else:
            connection = self._source.make_connection()
        await connection.connect()
        return connection

    async def aclose(self) -> None:
        """Close the connections that the lookups have used; those that were opened belong to the callers."""
        await self._source.aclose()


def _async_pool_or_cluster(
    url: str, reply_seconds: float, connect_seconds: float, max_connections: int | None
) -> aioredis.ConnectionPool | AsyncClusterClient:
    address = parse_redis_url(url)
    options = _socket_options(reply_seconds, connect_seconds) | {"retry": AsyncRetry(NoBackoff(), 0)}
    pool_options = {} if max_connections is None else {"max_connections": max_connections, "timeout": reply_seconds}
    pool_class = aioredis.BlockingConnectionPool if pool_options else aioredis.ConnectionPool

    def single_pool(node_url: str) -> aioredis.ConnectionPool:
        return _translate_uvloop_errors(pool_class.from_url(node_url, **options, **pool_options))

    if address.topology is Topology.CLUSTER:
        return AsyncClusterClient(address, lambda node_url: aioredis.Redis.from_pool(single_pool(node_url)))
    if address.topology is Topology.SENTINEL:
        return _translate_uvloop_errors(async_master_pool(address, options, pool_options))
    return single_pool(url)


def _socket_options(reply_seconds: float, connect_seconds: float) -> dict[str, Any]:
    return {
        "socket_timeout": reply_seconds,
        "socket_connect_timeout": connect_seconds,
        # Where redis-py expects notifications of a hosted Redis, it does not check whether a connection is dead.
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }


class _UvloopErrorsTranslated(AbstractConnection):
    async def send_packed_command(
        self,
        command: bytes | str | Iterable[bytes],
        check_health: bool = True,  # noqa: FBT001, FBT002 - as in redis-py
    ) -> None:
        try:
            await super().send_packed_command(command, check_health)
        except RuntimeError as error:
            raise RedisConnectionError("the connection was cut") from error


def _translate_uvloop_errors(pool: AsyncPoolT) -> AsyncPoolT:
    """Make the connections of a new pool raise RedisError on uvloop too.

    uvloop raises RuntimeError from a write to a connection that it has closed; redis-py translates OSError only.
    """
    pool.connection_class = type("UvloopConnection", (_UvloopErrorsTranslated, pool.connection_class), {})
    return pool
