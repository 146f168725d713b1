"""How the edge reaches Redis: short time-outs, no silent retries, few connections."""

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from edge_api.redis_connections import reporting_cuts

#: An answer that takes longer than this is no answer to a request that waits for it.
READ_SECONDS = 2.0
CONNECT_SECONDS = 1.0
READ_CONNECTIONS = 8


def reading_client(url: str) -> Redis:
    """Make the client that reads snapshots and the change stream."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=READ_CONNECTIONS,
        timeout=READ_SECONDS,
        socket_timeout=READ_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=_no_retries(),
        maint_notifications_config=_no_notifications(),
    )
    return Redis.from_pool(reporting_cuts(pool))


def writing_connections(url: str) -> ConnectionPool:
    """Make what gives the connection that events go through, each time a new one is needed.

    redis-py repeats a command up to ten times by default, and one lost reply would then make two entries.
    """
    return reporting_cuts(
        ConnectionPool.from_url(
            url,
            socket_timeout=CONNECT_SECONDS,
            socket_connect_timeout=CONNECT_SECONDS,
            retry=_no_retries(),
            maint_notifications_config=_no_notifications(),
        )
    )


def limiting_client(url: str, timeout_seconds: float) -> Redis:
    """Make the client that fetches leases; it has one trip under way at a time."""
    pool = ConnectionPool.from_url(
        url,
        socket_timeout=timeout_seconds,
        socket_connect_timeout=timeout_seconds,
        retry=_no_retries(),
        maint_notifications_config=_no_notifications(),
    )
    return Redis.from_pool(reporting_cuts(pool))


def _no_retries() -> Retry:
    return Retry(NoBackoff(), 0)


def _no_notifications() -> MaintNotificationsConfig:
    """Keep redis-py's check for dead connections, which it skips where it expects notices of a hosted Redis."""
    return MaintNotificationsConfig(enabled=False)
