"""Rules on the requests of one edge worker: from memory where a lease is held, else after asking Redis for one."""

import asyncio
import time
from collections.abc import Callable

from redis.asyncio import Redis

from common.rate_limits.buckets import Bucket, Buckets
from common.rate_limits.client_addresses import ClientAddresses
from common.rate_limits.limiter import Limiter
from common.rate_limits.rulings import Ruling
from common.rate_limits.trusted_proxies import TrustedProxies
from common.settings import EdgeSettings
from edge_api.rate_limits.lease_desk import LeaseDesk
from metrics.rate_limit_figures import collect_rulings
from metrics.readings import Readings

#: A request waits for the trip under way and for its own, not longer, whatever happens to them.
_TRIPS = 2


class RateLimits:
    """What any door asks; :attr:`desk` has the task that runs beside the requests."""

    def __init__(self, settings: EdgeSettings, client: Redis, clock: Callable[[], float] = time.time) -> None:
        self.buckets = Buckets(settings)
        self.addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))
        self._limiter = Limiter.of(settings)
        self._clock = clock
        self._patience = _TRIPS * settings.rate_limit_redis_timeout_ms / 1000
        self.desk = LeaseDesk(self._limiter, client, clock)

    def take(self, bucket: Bucket) -> Ruling | None:
        """Rule on a request at once, or give None when that needs a lease: then :meth:`admit` is to be awaited."""
        now = self._clock()
        return self._limiter.take(bucket, now) if self.desk.is_shared else self._limiter.take_alone(bucket, now)

    async def admit(self, bucket: Bucket) -> Ruling:
        """Rule on a request. It waits for Redis a bounded time only; without an answer the worker rules alone."""
        ruling = self.take(bucket)
        if ruling is not None:
            return ruling
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        while ruling is None:
            patience = deadline - loop.time()
            if patience <= 0:
                return self._limiter.take_alone(bucket, self._clock())
            await asyncio.wait({self.desk.lease(bucket)}, timeout=patience)
            ruling = self.take(bucket)
        return ruling

    def look(self, bucket: Bucket) -> Ruling:
        """Tell how a client stands without counting anything."""
        return self._limiter.look(bucket, self._clock())

    def collect(self, readings: Readings) -> None:
        """Read off how it has ruled."""
        collect_rulings("edge", self._limiter, readings, is_shared=self.desk.is_shared)
