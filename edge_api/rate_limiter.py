"""The rate limiter of one edge worker: decisions from memory, leases fetched from Redis in batches (decision 19)."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.process import Backoff
from common.rate_limit.client_address import ClientAddresses, TrustedProxies
from common.rate_limit.limiter import (
    LEASE_SCRIPT,
    LEASE_SECONDS,
    LeaseGrant,
    LeaseRequest,
    Limiter,
    RateLimitDecision,
    RateLimitKey,
    RateLimitKeys,
    ServerClock,
)
from common.telemetry.process_metrics import collect_rate_limits
from common.telemetry.samples import SampleSet
from edge_api.settings import EdgeSettings

_LOG = structlog.stdlib.get_logger(__name__)

#: A request waits for the round trip that is under way and for its own, no longer.
_MAX_ROUND_TRIPS = 2
_MAX_REQUESTS_PER_TRIP = 500
#: Expired leases are returned with the round trips that are made anyway.
_RETURNS_PER_TRIP = 20
_RETURNS_AT_ONCE = 500
_FIRST_RETRY_SECONDS = 0.1
_MAX_RETRY_SECONDS = 5.0


class RateLimiter:
    """Decides on requests; :attr:`leases` has the task that runs beside them."""

    def __init__(self, settings: EdgeSettings, client: Redis, clock: Callable[[], float] | None = None) -> None:
        """Take a client of Redis; `clock` replaces the clock of Redis, in Unix time."""
        self.keys = RateLimitKeys(settings)
        self.addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))
        self._clock = ServerClock() if clock is None else clock
        self._limiter = Limiter.from_settings(settings, self._clock)
        #: Decide on a request from memory. None: a lease is needed, await :meth:`acquire`.
        self.try_acquire = self._limiter.try_acquire
        self._max_wait_seconds = _MAX_ROUND_TRIPS * settings.rate_limit_redis_timeout_ms / 1000
        self.leases = LeaseClient(self._limiter, client, self._clock)

    async def acquire(self, key: RateLimitKey) -> RateLimitDecision:
        """Decide on a request, after a bounded wait for Redis; without a reply the worker decides locally."""
        decision = self.try_acquire(key)
        if decision is not None:
            return decision
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._max_wait_seconds
        while decision is None:
            timeout = deadline - loop.time()
            if timeout <= 0:
                return self._limiter.acquire_locally(key, self._clock())
            await asyncio.wait({self.leases.request(key)}, timeout=timeout)
            decision = self.try_acquire(key)
        return decision

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Return the state of a key without counting a request."""
        return self._limiter.peek(key, self._clock())

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics of the limiter."""
        collect_rate_limits("edge", self._limiter, samples, clock_difference=self.clock_difference)

    @property
    def clock_difference(self) -> float:
        """The clock of Redis minus the worker's clock, in seconds."""
        return self._clock.difference if isinstance(self._clock, ServerClock) else 0.0


@dataclass(slots=True)
class _QueuedRequest:
    key: RateLimitKey
    waiting: int
    done: asyncio.Future[None]


class LeaseClient:
    """Fetches the leases of all waiting requests in one round trip.

    While Redis is unavailable, the worker limits locally, and no request waits here.
    """

    def __init__(self, limiter: Limiter, client: Redis, clock: Callable[[], float]) -> None:
        self._limiter = limiter
        self._client = client
        self._clock = clock
        self._synchronize_at = 0.0
        self._queue: dict[RateLimitKey, _QueuedRequest] = {}
        self._queued = asyncio.Event()
        self._backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)

    @property
    def redis_available(self) -> bool:
        """Whether Redis is available."""
        return self._limiter.redis_available

    def request(self, key: RateLimitKey) -> asyncio.Future[None]:
        """Queue the request of a lease. The future is done after any reply of Redis."""
        queued = self._queue.get(key)
        if queued is None:
            queued = _QueuedRequest(key, 0, asyncio.get_running_loop().create_future())
            self._queue[key] = queued
            self._queued.set()
        queued.waiting += 1
        return queued.done

    async def run(self) -> None:
        """Fetch queued leases and return expired ones, until it is cancelled."""
        while True:
            if not self.redis_available:
                await self._retry_redis()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEASE_SECONDS):
                    await self._queued.wait()
            self._queued.clear()
            while self.redis_available:
                await self._fetch(list(islice(self._queue.values(), _MAX_REQUESTS_PER_TRIP)))
                if not self._queue:
                    break

    async def return_all(self) -> None:
        """Return all leases, at the end of the worker."""
        while self.redis_available:
            requests = list(self._limiter.pending_returns(self._clock(), _RETURNS_AT_ONCE, only_expired=False))
            if not requests:
                return
            await self._execute(requests)

    async def _fetch(self, batch: Sequence[_QueuedRequest]) -> None:
        for queued in batch:
            del self._queue[queued.key]
        try:
            if await self._synchronize():
                now = self._clock()
                requests = [self._limiter.lease_request(queued.key, queued.waiting, now) for queued in batch]
                requests.extend(self._limiter.pending_returns(now, _RETURNS_PER_TRIP))
                await self._execute(requests)
        finally:
            _notify(batch)

    async def _synchronize(self) -> bool:
        """Measure the clock of Redis every 10 s, and before the first lease. Return whether Redis responded."""
        loop = asyncio.get_running_loop()
        clock = self._clock
        if not isinstance(clock, ServerClock) or loop.time() < self._synchronize_at:
            return True
        sent_at = clock.local()
        try:
            clock.synchronize(await self._client.time(), sent_at)
        except (RedisError, OSError) as error:
            self._mark_down(error)
            return False
        self._synchronize_at = loop.time() + LEASE_SECONDS
        return True

    async def _execute(self, requests: Sequence[LeaseRequest]) -> None:
        if not requests:
            return
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for request in requests:
                    pipeline.eval(LEASE_SCRIPT, 1, request.key, *request.arguments)
                replies = await pipeline.execute()
        except (RedisError, OSError) as error:
            for request in requests:
                self._limiter.fail(request)
            self._mark_down(error)
            return
        now = self._clock()
        for request, reply in zip(requests, replies, strict=True):
            self._limiter.grant(request, LeaseGrant(*reply), now)

    def _mark_down(self, error: Exception) -> None:
        if self.redis_available:
            _LOG.warning("rate_limits_local", reason=type(error).__name__)
        self._limiter.redis_available = False
        waiting = list(self._queue.values())
        self._queue.clear()
        _notify(waiting)

    async def _retry_redis(self) -> None:
        """Wait, and probe Redis with a command that may be lost or arrive late without harm."""
        await asyncio.sleep(self._backoff.next_delay())
        self._synchronize_at = 0.0
        try:
            await self._client.ping()
        except (RedisError, OSError):
            return
        if not await self._synchronize():
            return
        self._backoff.reset()
        self._limiter.redis_available = True
        _LOG.info("rate_limits_shared")
        while self.redis_available:
            requests = list(self._limiter.pending_returns(self._clock(), _RETURNS_AT_ONCE))
            if not requests:
                return
            await self._execute(requests)


def _notify(batch: Sequence[_QueuedRequest]) -> None:
    for queued in batch:
        if not queued.done.done():
            queued.done.set_result(None)
