"""The edge's clients of Redis: short time-outs and few connections, and one pool for each use."""

from redis.asyncio import Redis

from common.redis.connect import ConnectionFactory, connect_async, connection_factory

#: A request waits for at most one reply.
READ_SECONDS = 2.0
CONNECT_SECONDS = 1.0
READ_CONNECTIONS = 8
#: One waits for the next change; comparisons of the cache and of the copies on disk use the others.
SUBSCRIBER_CONNECTIONS = 4
#: So few that requests for assets leave the rest of Redis and of the worker to other requests.
ASSET_CONNECTIONS = 4


def snapshot_client(url: str) -> Redis:
    """Return the client that reads snapshots."""
    return connect_async(
        url, reply_seconds=READ_SECONDS, connect_seconds=CONNECT_SECONDS, max_connections=READ_CONNECTIONS
    )


def subscriber_client(url: str) -> Redis:
    """Return the client of changes and comparisons, whose connections no flood of requests can exhaust."""
    return connect_async(
        url, reply_seconds=READ_SECONDS, connect_seconds=CONNECT_SECONDS, max_connections=SUBSCRIBER_CONNECTIONS
    )


def asset_client(url: str) -> Redis:
    """Return the client of page assets, so that no request for an asset delays the load of a snapshot."""
    return connect_async(
        url, reply_seconds=READ_SECONDS, connect_seconds=CONNECT_SECONDS, max_connections=ASSET_CONNECTIONS
    )


def event_connections(url: str) -> ConnectionFactory:
    """Return the factory of the event writer's connections."""
    return connection_factory(url, reply_seconds=CONNECT_SECONDS, connect_seconds=CONNECT_SECONDS)


def lease_client(url: str, timeout_seconds: float) -> Redis:
    """Return the client of the leases of rate limits, which has one command in flight at a time."""
    return connect_async(url, reply_seconds=timeout_seconds, connect_seconds=timeout_seconds)
