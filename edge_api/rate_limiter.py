"""The rate limiter of one edge worker: decisions from memory, settled with Redis in batches (decision 19)."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.client_address import ClientAddresses, TrustedProxies
from common.process import Backoff
from common.rate_limit.keys import RateLimitKeys
from common.rate_limit.limiter import (
    LEASE_SCRIPT,
    LEASE_SECONDS,
    REPORT_SECONDS,
    LeaseGrant,
    Limiter,
    RateLimitDecision,
    Settlement,
)
from common.rate_limit.quotas import RateLimitKey
from common.rate_limit.server_clock import ServerClock
from common.redis.async_cluster import AsyncClusterClient
from common.redis.connect import execute_each_async
from common.telemetry.process_metrics import collect_rate_limits
from common.telemetry.samples import SampleSet
from edge_api.settings import EdgeSettings

_LOG = structlog.stdlib.get_logger(__name__)

#: A request whose burst exceeds the credit waits for the round trip that is under way and for the next, no longer.
_MAX_ROUND_TRIPS = 2
_SETTLEMENTS_PER_TRIP = 500
#: One call of the script settles so many keys of one server, because each call costs the worker 25 µs. More would delay
#: the other commands of Redis.
_SETTLEMENTS_PER_CALL = 50
#: How often reports and returns that are due are looked for.
_TICK_SECONDS = REPORT_SECONDS / 2
_FIRST_RETRY_SECONDS = 0.1
_MAX_RETRY_SECONDS = 5.0


class RateLimiter:
    """Decides on requests; :meth:`run` is the task beside them.

    While Redis is unavailable, the worker limits locally, and no request waits.
    """

    def __init__(self, settings: EdgeSettings, client: Redis, clock: Callable[[], float] | None = None) -> None:
        """Take a client of Redis; `clock` replaces the clock of Redis, in Unix time."""
        self.keys = RateLimitKeys(settings)
        self.addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))
        self._client = client
        self._clock = ServerClock() if clock is None else clock
        self._limiter = Limiter.from_settings(settings, self._clock)
        self._urgent = asyncio.Event()
        self._limiter.on_urgent = self._urgent.set
        #: Decide on a request from memory. None: await :meth:`acquire_later`.
        self.acquire, self.peek = self._limiter.acquire, self._limiter.peek
        self._max_wait_seconds = _MAX_ROUND_TRIPS * settings.rate_limit_redis_timeout_ms / 1000
        self._synchronize_at = 0.0
        self._settled: asyncio.Future[None] | None = None
        self._backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)

    @property
    def redis_available(self) -> bool:
        """Whether Redis is available."""
        return self._limiter.redis_available

    @property
    def clock_difference(self) -> float:
        """The clock of Redis minus the worker's clock, in seconds."""
        return self._clock.difference if isinstance(self._clock, ServerClock) else 0.0

    async def open(self) -> None:
        """Read the clock of Redis, which the windows of the first requests follow. Without Redis, limit locally."""
        await self._synchronize()

    async def acquire_later(self, key: RateLimitKey) -> RateLimitDecision:
        """Decide on a request of a burst, after a bounded wait for Redis; without a reply the worker decides alone."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._max_wait_seconds
        while True:
            decision = self.acquire(key)
            if decision is not None:
                return decision
            timeout = deadline - loop.time()
            if timeout <= 0:
                return self._limiter.acquire_locally(key)
            if self._settled is None:
                self._settled = loop.create_future()
            await asyncio.wait({self._settled}, timeout=timeout)

    async def run(self) -> None:
        """Settle with Redis, until it is cancelled."""
        while True:
            if not self.redis_available:
                await self._retry_redis()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._urgent.wait()
            self._urgent.clear()
            if await self._synchronize():
                await self._settle()

    async def settle_all(self) -> None:
        """Report all admissions and return all leases: after an outage, and at the end of the worker."""
        await self._settle(all_leases=True)

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics of the limiter."""
        collect_rate_limits("edge", self._limiter, samples, clock_difference=self.clock_difference)

    async def _settle(self, *, all_leases: bool = False) -> None:
        while self.redis_available:
            batch = self._limiter.pending(_SETTLEMENTS_PER_TRIP, all_leases=all_leases)
            # The keys of a dead server of a Cluster are due again at once.
            if not batch or not await self._is_sent(batch):
                return

    async def _is_sent(self, batch: Sequence[Settlement]) -> bool:
        """Send settlements, and return whether Redis has taken any of them."""
        # The keys of a Cluster are on several servers.
        each = 1 if isinstance(self._client, AsyncClusterClient) else _SETTLEMENTS_PER_CALL
        calls = [batch[start : start + each] for start in range(0, len(batch), each)]
        async with self._client.pipeline(transaction=False) as pipeline:
            for settlements in calls:
                keys = [settlement.key for settlement in settlements]
                arguments = [settlement.argument for settlement in settlements]
                pipeline.eval(LEASE_SCRIPT, len(keys), *keys, *arguments)
            replies = await execute_each_async(pipeline)
        failures = [reply for reply in replies if isinstance(reply, Exception)]
        for settlements, reply in zip(calls, replies, strict=True):
            if isinstance(reply, Exception):
                # In a Cluster the masters of the other keys may be available.
                for settlement in settlements:
                    self._limiter.fail(settlement)
            else:
                for settlement, grant in zip(settlements, reply, strict=True):
                    self._limiter.apply(settlement, LeaseGrant(*grant))
        is_sent = len(failures) < len(calls)
        if not is_sent and not await self._others_respond():
            self._mark_down(failures[0])
        self._wake_waiting()
        return is_sent

    async def _synchronize(self) -> bool:
        """Measure the clock of Redis every 10 s, and before the first settlement. Return whether Redis responded."""
        loop = asyncio.get_running_loop()
        clock = self._clock
        if not isinstance(clock, ServerClock) or loop.time() < self._synchronize_at:
            return True
        sent_at = clock.local()
        try:
            clock.synchronize(await self._client.time(), sent_at)
        except (RedisError, OSError) as error:
            self._mark_down(error)
            self._wake_waiting()
            return False
        self._synchronize_at = loop.time() + LEASE_SECONDS
        return True

    async def _others_respond(self) -> bool:
        """Return whether servers of a Cluster respond. Then only the keys that failed are limited locally."""
        if not isinstance(self._client, AsyncClusterClient):
            return False
        try:
            await self._client.ping()
        except (RedisError, OSError):
            return False
        return True

    def _mark_down(self, error: Exception) -> None:
        if self.redis_available:
            _LOG.warning("rate_limits_local", reason=type(error).__name__)
        self._limiter.redis_available = False

    def _wake_waiting(self) -> None:
        settled, self._settled = self._settled, None
        if settled is not None:
            settled.set_result(None)

    async def _retry_redis(self) -> None:
        """Wait, and probe Redis with a command that may be lost or arrive late without harm."""
        await asyncio.sleep(self._backoff.next_delay())
        self._synchronize_at = 0.0
        try:
            await self._client.ping()
        except (RedisError, OSError):
            return
        if await self._synchronize():
            self._limiter.redis_available = True
            await self.settle_all()
            # A Redis that is full responds to PING, but takes no counts.
            if self.redis_available:
                self._backoff.reset()
                _LOG.info("rate_limits_shared")
