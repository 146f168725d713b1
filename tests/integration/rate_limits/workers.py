"""The rate limiters of workers of both services, on one Valkey."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from pydantic import SecretStr

from common.settings.shared import RateLimitSettings
from edge_api.background_tasks import BackgroundTasks
from edge_api.rate_limiter import RateLimiter as EdgeRateLimiter
from edge_api.redis_clients import lease_client
from edge_api.settings import EdgeSettings
from management_api.rate_limiter import RateLimiter as ManagementRateLimiter
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS

#: Longer than any stall of a busy machine: a test of exactness must not fall back to local limiting.
LONG_TIMEOUT_MS = 10_000


def management_worker(
    redis_url: str, clock: Callable[[], float], *, timeout_ms: int = LONG_TIMEOUT_MS
) -> ManagementRateLimiter:
    """Return the rate limiter of a worker of the management service."""
    settings = RateLimitSettings(rate_limit_redis_timeout_ms=timeout_ms)
    return ManagementRateLimiter.from_settings(settings, SecretStr(redis_url), clock)


@asynccontextmanager
async def edge_worker(
    redis_url: str, clock: Callable[[], float], *, timeout_ms: int = LONG_TIMEOUT_MS
) -> AsyncIterator[EdgeRateLimiter]:
    """Run the rate limiter of a worker of the edge with its task; the leases are returned at the end."""
    settings = EdgeSettings(
        redis_url=SecretStr(redis_url),
        assignment_keys=SecretStr(ASSIGNMENT_KEYS),
        rate_limit_redis_timeout_ms=timeout_ms,
    )
    client = lease_client(redis_url, timeout_ms / 1000)
    limiter = EdgeRateLimiter(settings, client, clock)
    # As the edge does: redis-py can lose a single cancellation, and the wait would never end.
    tasks = BackgroundTasks()
    await limiter.open()
    tasks.start("rate_limits", limiter.run)
    try:
        yield limiter
    finally:
        await tasks.stop()
        await limiter.settle_all()
        await client.aclose()
