"""How asynchronous code reaches Redis, whatever stands behind the URL: no silent retries, short time-outs."""

from dataclasses import dataclass
from typing import Any

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.maint_notifications import MaintNotificationsConfig

from common.redis.async_cluster_client import AsyncClusterClient
from common.redis.async_connections import reporting_cuts, seeking_master
from common.redis.async_links import ClusterConnectionFactory, ConnectionFactory, SingleConnectionFactory
from common.redis.url import Node, RedisAddress, Topology, read_redis_address


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long is waited for a reply, and for a connection; in seconds."""

    reply: float
    connect: float


def connect(url: str, patience: Timeouts, *, most_connections: int | None = None) -> Redis:
    """Make a client. With a bound on its connections to a server, whoever wants one more waits for it."""
    address = read_redis_address(url)
    if address.topology is Topology.CLUSTER:
        return _cluster_client(address, patience, most_connections)
    return Redis.from_pool(_pool_to_one(address, patience, most_connections))


def connection_factory(url: str, patience: Timeouts) -> ConnectionFactory:
    """Make what gives connections to whoever speaks through them without redis-py."""
    address = read_redis_address(url)
    if address.topology is Topology.CLUSTER:
        return ClusterConnectionFactory(_cluster_client(address, patience, None))
    return SingleConnectionFactory(_pool_to_one(address, patience, None))


class MasterSeeker:
    """Asks the Sentinels for the master, first the one that answered last."""

    def __init__(self, address: RedisAddress, patience: Timeouts) -> None:
        self._address = address
        self._patience = patience
        self._sentinels = list(address.seeds)

    async def __call__(self) -> Node:
        """Give the master's place. Raises ConnectionError of redis-py when no Sentinel knows one."""
        failure: Exception | None = None
        for sentinel in tuple(self._sentinels):
            try:
                async with _client(self._address.url_of_seed(sentinel), self._patience, None) as client:
                    master: Any = await client.sentinel_get_master_addr_by_name(self._address.service)
            except (RedisError, OSError) as error:
                failure = error
                continue
            if master is not None:
                self._sentinels.sort(key=lambda one: one != sentinel)
                host, port = master
                return host.decode() if isinstance(host, bytes) else host, int(port)
        reason = failure or "none knows the service"
        raise RedisConnectionError(f"no Sentinel tells where the master is: {reason}") from failure


def _cluster_client(address: RedisAddress, patience: Timeouts, most_connections: int | None) -> AsyncClusterClient:
    return AsyncClusterClient(address, lambda node_url: _client(node_url, patience, most_connections))


def _pool_to_one(address: RedisAddress, patience: Timeouts, most_connections: int | None) -> ConnectionPool:
    pool = _pool(address.url, patience, most_connections)
    if address.topology is Topology.SENTINEL:
        return seeking_master(pool, MasterSeeker(address, patience))
    return reporting_cuts(pool)


def _client(url: str, patience: Timeouts, most_connections: int | None) -> Redis:
    return Redis.from_pool(reporting_cuts(_pool(url, patience, most_connections)))


def _pool(url: str, patience: Timeouts, most_connections: int | None) -> ConnectionPool:
    """Make a pool whose connections never repeat a command by themselves.

    redis-py does so up to ten times by default, and one lost reply would then make two entries.
    """
    options: dict[str, Any] = {
        "socket_timeout": patience.reply,
        "socket_connect_timeout": patience.connect,
        "retry": Retry(NoBackoff(), 0),
        # Where it expects notices of a hosted Redis, redis-py does not look whether a connection is dead.
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
    if most_connections is None:
        return ConnectionPool.from_url(url, **options)
    return BlockingConnectionPool.from_url(url, max_connections=most_connections, timeout=patience.reply, **options)
