"""Rules on the requests of one edge worker: from memory where a lease is held, else after asking Redis for one."""

import asyncio
import time
from collections.abc import Callable

from redis.asyncio import Redis

from common.rate_limit.client_address import ClientAddresses
from common.rate_limit.decisions import RateLimitDecision
from common.rate_limit.limiter import Limiter
from common.rate_limit.rate_limit_keys import RateLimitKey, RateLimitKeys
from common.rate_limit.trusted_proxies import TrustedProxies
from common.telemetry.rate_limit_metrics import collect_rulings
from common.telemetry.samples import SampleSet
from edge_api.rate_limits.lease_client import LeaseClient
from edge_api.settings import EdgeSettings

#: A request waits for the trip under way and for its own, not longer, whatever happens to them.
_TRIPS = 2


class RateLimiter:
    """What any door asks; :attr:`desk` has the task that runs beside the requests."""

    def __init__(self, settings: EdgeSettings, client: Redis, clock: Callable[[], float] = time.time) -> None:
        self.keys = RateLimitKeys(settings)
        self.addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))
        self._limiter = Limiter.of(settings)
        self._clock = clock
        self._patience = _TRIPS * settings.rate_limit_redis_timeout_ms / 1000
        self.desk = LeaseClient(self._limiter, client, clock)

    def try_acquire(self, key: RateLimitKey) -> RateLimitDecision | None:
        """Rule on a request at once, or give None when that needs a lease: then :meth:`acquire` is to be awaited."""
        now = self._clock()
        return self._limiter.try_acquire(key, now) if self.desk.is_shared else self._limiter.acquire_locally(key, now)

    async def acquire(self, key: RateLimitKey) -> RateLimitDecision:
        """Rule on a request. It waits for Redis a bounded time only; without an answer the worker rules alone."""
        ruling = self.try_acquire(key)
        if ruling is not None:
            return ruling
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        while ruling is None:
            patience = deadline - loop.time()
            if patience <= 0:
                return self._limiter.acquire_locally(key, self._clock())
            await asyncio.wait({self.desk.lease(key)}, timeout=patience)
            ruling = self.try_acquire(key)
        return ruling

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Tell how a client stands without counting anything."""
        return self._limiter.peek(key, self._clock())

    def collect(self, readings: SampleSet) -> None:
        """Read off how it has ruled."""
        collect_rulings("edge", self._limiter, readings, is_shared=self.desk.is_shared)
