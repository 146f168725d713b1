"""How the edge reaches Redis: short time-outs, no silent retries, few connections."""

from redis.asyncio import Redis

from common.redis.async_connecting import Timeouts, connect, connection_factory
from common.redis.async_links import ConnectionFactory

#: An answer that takes longer than this is no answer to a request that waits for it.
READ_SECONDS = 2.0
CONNECT_SECONDS = 1.0
READ_CONNECTIONS = 8
#: One waits for the next change; comparisons of the cache and of the copies on disk use the others.
SUBSCRIBER_CONNECTIONS = 4


def reading_client(url: str) -> Redis:
    """Make the client that reads snapshots."""
    return connect(url, Timeouts(READ_SECONDS, CONNECT_SECONDS), most_connections=READ_CONNECTIONS)


def subscriber_client(url: str) -> Redis:
    """Return the client of changes and comparisons, whose connections no flood of requests can exhaust."""
    return connect(url, Timeouts(READ_SECONDS, CONNECT_SECONDS), most_connections=SUBSCRIBER_CONNECTIONS)


def writing_links(url: str) -> ConnectionFactory:
    """Make what gives the connections that events go through, each time a new one is needed."""
    return connection_factory(url, Timeouts(CONNECT_SECONDS, CONNECT_SECONDS))


def limiting_client(url: str, timeout_seconds: float) -> Redis:
    """Make the client that fetches leases; it has one trip under way at a time."""
    return connect(url, Timeouts(timeout_seconds, timeout_seconds))
