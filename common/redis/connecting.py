"""How threads reach Redis, whatever stands behind the URL: no silent retries, short time-outs."""

from typing import Any

from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from common.redis.cluster_client import ClusterClient
from common.redis.connections import TlsToMaster, ToMaster
from common.redis.url import Node, RedisAddress, Topology, read_redis_address


def connect(url: str, *, reply_seconds: float, connect_seconds: float, **options: Any) -> Redis:  # noqa: ANN401 - handed on to redis-py
    """Make a client that never sends a command twice by itself; `options` are those of redis-py's connections."""
    options = {
        **options,
        "socket_timeout": reply_seconds,
        "socket_connect_timeout": connect_seconds,
        "retry": Retry(NoBackoff(), 0),
        # Where it expects notices of a hosted Redis, redis-py does not look whether a connection is dead.
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
    address = read_redis_address(url)
    if address.topology is Topology.CLUSTER:
        return ClusterClient(address, lambda node_url: _client(node_url, options))
    if address.topology is Topology.SENTINEL:
        to_master = TlsToMaster if address.url.startswith("rediss") else ToMaster
        return _client(address.url, {**options, "connection_class": to_master, "seek": MasterSeeker(address, options)})
    return _client(address.url, options)


def primaries_of(client: Redis) -> list[Redis]:
    """Give a client of each server that takes writes."""
    return client.primaries() if isinstance(client, ClusterClient) else [client]


class MasterSeeker:
    """Asks the Sentinels for the master, first the one that answered last."""

    def __init__(self, address: RedisAddress, options: dict[str, Any]) -> None:
        self._address = address
        self._options = options
        self._sentinels = list(address.seeds)

    def __call__(self) -> Node:
        """Give the master's place. Raises ConnectionError of redis-py when no Sentinel knows one."""
        failure: Exception | None = None
        for sentinel in tuple(self._sentinels):
            try:
                with _client(self._address.url_of_seed(sentinel), self._options) as client:
                    master: Any = client.sentinel_get_master_addr_by_name(self._address.service)
            except (RedisError, OSError) as error:
                failure = error
                continue
            if master is not None:
                # Several threads may connect at once, so the list is replaced rather than changed.
                self._sentinels = sorted(self._sentinels, key=lambda one: one != sentinel)
                host, port = master
                return host.decode() if isinstance(host, bytes) else host, int(port)
        reason = failure or "none knows the service"
        raise RedisConnectionError(f"no Sentinel tells where the master is: {reason}") from failure


def _client(url: str, options: dict[str, Any]) -> Redis:
    return Redis.from_pool(ConnectionPool.from_url(url, **options))
