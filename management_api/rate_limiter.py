"""The rate limiter of one management worker, for its threads: the leases and the script of the edge's limiter."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Self

import structlog
from pydantic import SecretStr
from redis import Redis
from redis.exceptions import RedisError

from common.process import Backoff
from common.rate_limit.limiter import (
    LEASE_SCRIPT,
    LEASE_SECONDS,
    LeaseGrant,
    LeaseRequest,
    Limiter,
    RateLimitDecision,
    RateLimitKey,
    ServerClock,
)
from common.redis.connect import connect
from common.settings.shared import RateLimitSettings
from common.telemetry.process_metrics import collect_rate_limits
from common.telemetry.samples import SampleSet

_LOG = structlog.stdlib.get_logger(__name__)

#: Other threads may use up a lease before the request that fetched it; it is fetched again at most so often.
_MAX_ROUND_TRIPS = 3
_FETCH_LOCKS = 64
_RETURNS_PER_TRIP = 20
_RETURNS_AT_ONCE = 500
_FIRST_RETRY_SECONDS = 0.1
_MAX_RETRY_SECONDS = 5.0


class RateLimiter:
    """While Redis does not answer, the worker limits locally, and no request waits."""

    def __init__(self, limiter: Limiter, client: Redis | None, clock: Callable[[], float]) -> None:
        """Take the limiter, the clock of the limiter, and a client of Redis if there is one."""
        limiter.redis_available = client is not None
        self._limiter = limiter
        self._client = client
        self._clock = clock
        self._synchronize_at = 0.0
        self._lock = threading.Lock()
        #: Threads do not fetch a lease each for one client; few clients share a lock.
        self._fetch_locks = [threading.Lock() for _ in range(_FETCH_LOCKS)]
        self._closing = threading.Event()
        self._retry: threading.Thread | None = None

    @classmethod
    def from_settings(
        cls, settings: RateLimitSettings, redis_url: SecretStr | None, clock: Callable[[], float] | None = None
    ) -> Self:
        """Return the limiter of one worker, after the fork; `clock` replaces the clock of Redis, in Unix time."""
        clock = ServerClock() if clock is None else clock
        limiter = Limiter.from_settings(settings, clock)
        if redis_url is None:
            return cls(limiter, None, clock)
        timeout_seconds = settings.rate_limit_redis_timeout_ms / 1000
        # A command that is repeated silently would be counted twice.
        client = connect(redis_url.get_secret_value(), reply_seconds=timeout_seconds, connect_seconds=timeout_seconds)
        return cls(limiter, client, clock)

    @property
    def redis_available(self) -> bool:
        """Whether Redis answers."""
        return self._limiter.redis_available

    def acquire(self, key: RateLimitKey) -> RateLimitDecision:
        """Decide on a request, after a bounded wait for Redis; without a reply the worker decides locally."""
        for _ in range(_MAX_ROUND_TRIPS):
            decision = self._try_acquire(key)
            if decision is not None:
                return decision
            with self._fetch_locks[hash(key) % _FETCH_LOCKS]:
                # The thread before may have fetched enough for two, or found that Redis does not answer.
                decision = self._try_acquire(key)
                if decision is not None:
                    return decision
                self._fetch(key)
        with self._lock:
            return self._limiter.acquire_locally(key, self._clock())

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Return the state of a key without counting a request."""
        with self._lock:
            return self._limiter.peek(key, self._clock())

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics of the limiter."""
        difference = self._clock.difference if isinstance(self._clock, ServerClock) else 0.0
        with self._lock:
            collect_rate_limits("management", self._limiter, samples, clock_difference=difference)

    def close(self) -> None:
        """Return all leases and close the connections."""
        self._closing.set()
        if self._retry is not None:
            # It uses the connections, and ends within the timeout of one command.
            self._retry.join()
        if self._client is not None:
            self._return(self._client, only_expired=False)
            self._client.close()

    def _try_acquire(self, key: RateLimitKey) -> RateLimitDecision | None:
        with self._lock:
            return self._limiter.try_acquire(key)

    def _fetch(self, key: RateLimitKey) -> None:
        if self._client is None or not self._synchronize(self._client):
            return
        with self._lock:
            now = self._clock()
            requests = [
                self._limiter.lease_request(key, 1, now),
                *self._limiter.pending_returns(now, _RETURNS_PER_TRIP),
            ]
        self._execute(self._client, requests)

    def _return(self, client: Redis, *, only_expired: bool) -> None:
        while self.redis_available:
            with self._lock:
                returns = self._limiter.pending_returns(self._clock(), _RETURNS_AT_ONCE, only_expired=only_expired)
                requests = list(returns)
            if not requests:
                return
            self._execute(client, requests)

    def _synchronize(self, client: Redis) -> bool:
        """Measure the clock of Redis now and then, always before the first lease. Returns whether Redis answered."""
        clock = self._clock
        if not isinstance(clock, ServerClock) or time.monotonic() < self._synchronize_at:
            return True
        sent_at = clock.local()
        try:
            clock.synchronize(client.time(), sent_at)
        except (RedisError, OSError) as error:
            self._mark_down(client, error)
            return False
        self._synchronize_at = time.monotonic() + LEASE_SECONDS
        return True

    def _execute(self, client: Redis, requests: Sequence[LeaseRequest]) -> None:
        try:
            with client.pipeline(transaction=False) as pipeline:
                for request in requests:
                    pipeline.eval(LEASE_SCRIPT, 1, request.key, *request.arguments)
                replies = pipeline.execute()
        except (RedisError, OSError) as error:
            with self._lock:
                for request in requests:
                    self._limiter.fail(request)
            self._mark_down(client, error)
            return
        with self._lock:
            now = self._clock()
            for request, reply in zip(requests, replies, strict=True):
                self._limiter.grant(request, LeaseGrant(*reply), now)

    def _mark_down(self, client: Redis, error: Exception) -> None:
        with self._lock:
            was_available, self._limiter.redis_available = self.redis_available, False
        if was_available:
            _LOG.warning("rate_limits_local", reason=type(error).__name__)
            self._retry = threading.Thread(target=self._retry_redis, args=(client,), daemon=True)
            self._retry.start()

    def _retry_redis(self, client: Redis) -> None:
        """Probe Redis in a thread, with a command that may be lost or arrive late without harm."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        while not self._closing.wait(backoff.next_delay()):
            try:
                client.ping()
            except (RedisError, OSError):
                continue
            self._synchronize_at = 0.0
            self._limiter.redis_available = True
            _LOG.info("rate_limits_shared")
            if self._synchronize(client):
                self._return(client, only_expired=True)
            return
