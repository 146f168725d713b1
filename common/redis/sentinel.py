"""Pools of connections to the master that Sentinels name, for threads and for asyncio, by redis-py's Sentinel clients.

redis-py queries the Sentinels whenever it connects, and leaves a master that replies READONLY. Added here: connections
leave a master that replies NOREPLICAS, full pools block, and Sentinels and servers have the credentials and TLS options
of the URL (decision 47).
"""

from typing import Any

from redis import ConnectionPool, Redis
from redis import asyncio as aioredis
from redis.asyncio import sentinel as async_sentinel
from redis.exceptions import RedisError, ResponseError
from redis.sentinel import (
    MasterNotFoundError,
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

from common.redis.url import RedisAddress


def master_pool(address: RedisAddress, options: dict[str, Any]) -> SentinelConnectionPool:
    """Return a pool for threads."""
    sentinel = _Sentinel([])
    sentinel.sentinels = [
        Redis.from_pool(ConnectionPool.from_url(address.startup_url_for(node), decode_responses=True, **options))
        for node in address.startup_nodes
    ]
    pool = SentinelConnectionPool.from_url(
        address.url, service_name=address.service, sentinel_manager=sentinel, **options
    )
    # As an argument, a rediss:// URL would override it.
    pool.connection_class = _MasterTlsConnection if address.url.startswith("rediss") else _MasterConnection
    return pool


def async_master_pool(
    address: RedisAddress, options: dict[str, Any], pool_options: dict[str, Any]
) -> async_sentinel.SentinelConnectionPool:
    """Return a pool for asyncio; with `max_connections` among its options, callers wait for a free connection."""
    sentinel = _AsyncSentinel([])
    sentinel.sentinels = [
        aioredis.Redis.from_pool(
            aioredis.ConnectionPool.from_url(address.startup_url_for(node), decode_responses=True, **options)
        )
        for node in address.startup_nodes
    ]
    pool_class = _AsyncBlockingMasterPool if pool_options else async_sentinel.SentinelConnectionPool
    pool = pool_class.from_url(
        address.url, service_name=address.service, sentinel_manager=sentinel, **options, **pool_options
    )
    pool.connection_class = _AsyncMasterTlsConnection if address.url.startswith("rediss") else _AsyncMasterConnection
    return pool


class _Sentinel(Sentinel):
    """Queries only the address.

    redis-py queries SENTINEL MASTERS, which names the new master only after the other replicas follow it.
    """

    def discover_master(self, service_name: str) -> Any:  # noqa: ANN401 - as in redis-py
        failure: Exception | None = None
        for sentinel in tuple(self.sentinels):
            try:
                address: Any = sentinel.sentinel_get_master_addr_by_name(service_name)
            except (RedisError, OSError) as error:
                failure = error
                continue
            if address is not None:
                # Threads may discover at the same time, so the list is replaced, not changed.
                self.sentinels = sorted(self.sentinels, key=lambda other: other is not sentinel)
                return address
        raise _master_not_found(failure) from failure


class _AsyncSentinel(async_sentinel.Sentinel):
    async def discover_master(self, service_name: str) -> Any:  # noqa: ANN401 - as in redis-py
        failure: Exception | None = None
        for sentinel in tuple(self.sentinels):
            try:
                address: Any = await sentinel.sentinel_get_master_addr_by_name(service_name)
            except (RedisError, OSError) as error:
                failure = error
                continue
            finally:
                # The clients of the master do not close their Sentinels, so no connection to them stays open.
                await sentinel.connection_pool.disconnect(inuse_connections=False)
            if address is not None:
                self.sentinels = sorted(self.sentinels, key=lambda other: other is not sentinel)
                return address
        raise _master_not_found(failure) from failure


def _master_not_found(failure: Exception | None) -> MasterNotFoundError:
    return MasterNotFoundError(f"no Sentinel names the master: {failure or 'none monitors the service'}")


class _MasterConnection(SentinelManagedConnection):
    def read_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        try:
            return super().read_response(*args, **options)
        except ResponseError as error:
            if str(error).startswith("NOREPLICAS"):
                # A master without replicas may be cut off and have a successor: query the Sentinels again.
                self.mark_for_reconnect()
            raise


class _MasterTlsConnection(_MasterConnection, SentinelManagedSSLConnection):
    pass


class _AsyncMasterConnection(async_sentinel.SentinelManagedConnection):
    async def read_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        try:
            return await super().read_response(*args, **options)
        except ResponseError as error:
            if str(error).startswith("NOREPLICAS"):
                self.mark_for_reconnect()
            raise


class _AsyncMasterTlsConnection(_AsyncMasterConnection, async_sentinel.SentinelManagedSSLConnection):
    pass


class _AsyncBlockingMasterPool(async_sentinel.SentinelConnectionPool, aioredis.BlockingConnectionPool):
    pass
