"""The limiters of both services as several workers have them, on one Valkey."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from pydantic import SecretStr

from common.settings.shared import RateLimitSettings
from edge_api.background_tasks import BackgroundTasks
from edge_api.rate_limiter import RateLimiter as EdgeRateLimits
from edge_api.redis_clients import lease_client
from edge_api.settings import EdgeSettings
from management_api.rate_limiter import RateLimiter as ManagementRateLimits
from tests.assignment_keys import ASSIGNMENT_KEYS

#: Longer than any stall of a busy machine: a test of exactness must not fall back to limiting alone.
PATIENT_MS = 10_000


def management_worker(
    redis_url: str, clock: Callable[[], float], *, timeout_ms: int = PATIENT_MS
) -> ManagementRateLimits:
    """Give the limits of one worker of the management service."""
    settings = RateLimitSettings(rate_limit_redis_timeout_ms=timeout_ms)
    return ManagementRateLimits.from_settings(settings, SecretStr(redis_url), clock)


@asynccontextmanager
async def edge_worker(
    redis_url: str, clock: Callable[[], float], *, timeout_ms: int = PATIENT_MS
) -> AsyncIterator[EdgeRateLimits]:
    """Give the limits of one worker of the edge, with the task beside it; on leaving, leases go back."""
    settings = EdgeSettings(
        redis_url=SecretStr(redis_url),
        assignment_keys=SecretStr(ASSIGNMENT_KEYS),
        rate_limit_redis_timeout_ms=timeout_ms,
    )
    client = lease_client(redis_url, timeout_ms / 1000)
    limits = EdgeRateLimits(settings, client, clock)
    # As the edge does: a single cancellation can be lost in redis-py, and would be waited for for ever.
    tasks = BackgroundTasks()
    tasks.start("lease_desk", limits.leases.run)
    try:
        yield limits
    finally:
        await tasks.stop()
        await limits.leases.return_all()
        await client.aclose()
