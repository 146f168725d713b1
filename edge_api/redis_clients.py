"""How the edge reaches Redis: short time-outs, no silent retries, few connections."""

from redis.asyncio import Redis

from redis_access.async_connecting import Patience, connect, links_to
from redis_access.async_links import Links

#: An answer that takes longer than this is no answer to a request that waits for it.
READ_SECONDS = 2.0
CONNECT_SECONDS = 1.0
READ_CONNECTIONS = 8


def reading_client(url: str) -> Redis:
    """Make the client that reads snapshots and the change stream."""
    return connect(url, Patience(READ_SECONDS, CONNECT_SECONDS), most_connections=READ_CONNECTIONS)


def writing_links(url: str) -> Links:
    """Make what gives the connections that events go through, each time a new one is needed."""
    return links_to(url, Patience(CONNECT_SECONDS, CONNECT_SECONDS))


def limiting_client(url: str, timeout_seconds: float) -> Redis:
    """Make the client that fetches leases; it has one trip under way at a time."""
    return connect(url, Patience(timeout_seconds, timeout_seconds))
