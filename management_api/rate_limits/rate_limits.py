"""Rules on the requests of one worker, for its threads: by a lease where one is held, else after asking Redis."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Self

import structlog
from pydantic import SecretStr
from redis import Redis
from redis.exceptions import RedisError

from common.process import Backoff
from common.rate_limit.decisions import RateLimitDecision
from common.rate_limit.leases import LEASE_SCRIPT, LeaseGrant, LeaseRequest
from common.rate_limit.limiter import Limiter
from common.rate_limit.rate_limit_keys import RateLimitKey
from common.redis.connecting import connect
from common.settings.shared import RateLimitSettings
from common.telemetry.rate_limit_metrics import collect_rulings
from common.telemetry.samples import SampleSet

_LOG = structlog.stdlib.get_logger(__name__)

#: Other threads may use up a lease before the request that fetched it gets to it; so often it is fetched again.
_MOST_TRIPS = 3
_FETCHING_LOCKS = 64
_SETTLED_PER_TRIP = 20
_SETTLED_AT_ONCE = 500
_FIRST_RETRY_SECONDS = 0.1
_LONGEST_RETRY_SECONDS = 5.0


class RateLimiter:
    """`is_shared` tells whether Redis answers; while it does not, the worker limits alone and nobody waits for it."""

    def __init__(self, limiter: Limiter, client: Redis | None, clock: Callable[[], float] = time.time) -> None:
        """Take the limiter and the way to Redis; without one the worker always limits alone."""
        self.is_shared = client is not None
        self._limiter = limiter
        self._client = client
        self._clock = clock
        self._lock = threading.Lock()
        #: So that several threads do not fetch a lease each for one client; a few clients share a lock.
        self._fetching = [threading.Lock() for _ in range(_FETCHING_LOCKS)]
        self._closing = threading.Event()
        self._search: threading.Thread | None = None

    @classmethod
    def of(
        cls, settings: RateLimitSettings, redis_url: SecretStr | None, clock: Callable[[], float] = time.time
    ) -> Self:
        """Make the limits of one worker, after it has been forked."""
        if redis_url is None:
            return cls(Limiter.of(settings), None, clock)
        timeout_seconds = settings.rate_limit_redis_timeout_ms / 1000
        # A command that is repeated silently would be counted twice.
        client = connect(redis_url.get_secret_value(), reply_seconds=timeout_seconds, connect_seconds=timeout_seconds)
        return cls(Limiter.of(settings), client, clock)

    def acquire(self, key: RateLimitKey) -> RateLimitDecision:
        """Rule on a request. Redis is waited for a bounded time only; without an answer the worker rules alone."""
        for _ in range(_MOST_TRIPS):
            ruling = self._take(key)
            if ruling is not None:
                return ruling
            with self._one_at_a_time(key):
                # Whoever was here before may have fetched enough for two, or found that Redis is away.
                ruling = self._take(key)
                if ruling is not None:
                    return ruling
                self._fetch(key)
        with self._lock:
            return self._limiter.acquire_locally(key, self._clock())

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Tell how a client stands without counting anything."""
        with self._lock:
            return self._limiter.peek(key, self._clock())

    def collect(self, readings: SampleSet) -> None:
        """Read off how it has ruled."""
        with self._lock:
            collect_rulings("management", self._limiter, readings, is_shared=self.is_shared)

    def close(self) -> None:
        """Give back all leases and the connections."""
        self._closing.set()
        if self._search is not None:
            # It uses the connections, and ends within the timeout of one command.
            self._search.join()
        if self._client is not None:
            self._settle(self._client, only_expired=False)
            self._client.close()

    def _take(self, key: RateLimitKey) -> RateLimitDecision | None:
        with self._lock:
            now = self._clock()
            return self._limiter.try_acquire(key, now) if self.is_shared else self._limiter.acquire_locally(key, now)

    def _one_at_a_time(self, key: RateLimitKey) -> threading.Lock:
        return self._fetching[hash(key.name) % len(self._fetching)]

    def _fetch(self, key: RateLimitKey) -> None:
        if self._client is None:
            return
        with self._lock:
            now = self._clock()
            requests = [
                self._limiter.lease_request(key, 1, now),
                *self._limiter.pending_returns(now, _SETTLED_PER_TRIP),
            ]
        self._trade(self._client, requests)

    def _settle(self, client: Redis, *, only_expired: bool) -> None:
        while self.is_shared:
            with self._lock:
                settled = self._limiter.pending_returns(self._clock(), _SETTLED_AT_ONCE, only_expired=only_expired)
                requests = list(settled)
            if not requests:
                return
            self._trade(client, requests)

    def _trade(self, client: Redis, requests: Sequence[LeaseRequest]) -> None:
        try:
            with client.pipeline(transaction=False) as pipeline:
                for request in requests:
                    pipeline.eval(LEASE_SCRIPT, 1, request.key, *request.arguments)
                replies = pipeline.execute()
        except (RedisError, OSError) as error:
            self._lose(client, requests, error)
            return
        with self._lock:
            now = self._clock()
            for request, reply in zip(requests, replies, strict=True):
                self._limiter.grant(request, LeaseGrant(*reply), now)

    def _lose(self, client: Redis, requests: Sequence[LeaseRequest], error: Exception) -> None:
        with self._lock:
            for request in requests:
                self._limiter.fail(request)
            was_shared, self.is_shared = self.is_shared, False
        if was_shared:
            _LOG.warning("rate_limits_alone", reason=type(error).__name__)
            self._search = threading.Thread(target=self._look_for_redis, args=(client,), daemon=True)
            self._search.start()

    def _look_for_redis(self, client: Redis) -> None:
        """Wait and ask, in a thread of its own, with a command that may be lost or come late without any harm."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_LONGEST_RETRY_SECONDS)
        while not self._closing.wait(backoff.next_delay()):
            try:
                client.ping()
            except (RedisError, OSError):
                continue
            self.is_shared = True
            _LOG.info("rate_limits_shared")
            self._settle(client, only_expired=True)
            return
