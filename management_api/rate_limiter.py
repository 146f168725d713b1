"""The rate limiter of one management worker, for its threads: one call of the edge's script for each request."""

import threading
import time
from collections.abc import Callable
from typing import Self

import structlog
from pydantic import SecretStr
from redis import Redis
from redis.exceptions import RedisError

from common.process import Backoff
from common.rate_limit.limiter import LEASE_SCRIPT, LEASE_SECONDS, LeaseGrant, Limiter, RateLimitDecision
from common.rate_limit.quotas import RateLimitKey
from common.rate_limit.server_clock import ServerClock
from common.redis.connect import connect, server_of
from common.redis.url import Node
from common.settings.shared import RateLimitSettings
from common.telemetry.process_metrics import collect_rate_limits
from common.telemetry.samples import SampleSet

_LOG = structlog.stdlib.get_logger(__name__)

_FIRST_RETRY_SECONDS = 0.1
_MAX_RETRY_SECONDS = 5.0
#: A server of a Cluster that did not respond is not used for so long: each attempt would cost a request the timeout.
_SERVER_PAUSE_SECONDS = 1.0


class RateLimiter:
    """Takes admissions for each request. While Redis does not answer, the worker limits locally without waiting."""

    def __init__(self, limiter: Limiter, client: Redis | None, clock: Callable[[], float]) -> None:
        """Take the limiter, the clock of the limiter, and a client of Redis if there is one."""
        limiter.redis_available = client is not None
        self._limiter = limiter
        self._client = client
        self._clock = clock
        self._synchronize_at = 0.0
        #: The servers of a Cluster that did not respond, and the monotonic time of the next attempt.
        self._attempt_at: dict[Node | None, float] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()

    @classmethod
    def from_settings(
        cls, settings: RateLimitSettings, redis_url: SecretStr | None, clock: Callable[[], float] | None = None
    ) -> Self:
        """Return the limiter of one worker, after the fork; `clock` replaces the clock of Redis, in Unix time."""
        clock = ServerClock() if clock is None else clock
        limiter = Limiter.from_settings(settings, clock)
        if redis_url is None:
            return cls(limiter, None, clock)
        seconds = settings.rate_limit_redis_timeout_ms / 1000
        return cls(
            limiter, connect(redis_url.get_secret_value(), reply_seconds=seconds, connect_seconds=seconds), clock
        )

    @property
    def redis_available(self) -> bool:
        """Whether Redis answers."""
        return self._limiter.redis_available

    def acquire(self, key: RateLimitKey, cost: int = 1) -> RateLimitDecision:
        """Decide on a request, after a bounded wait for Redis; without a reply the worker decides locally.

        A request takes as many admissions as it costs. With fewer left, it is admitted and takes these.
        """
        if self._client is not None and self.redis_available:
            decision = self._acquire_shared(self._client, key, cost)
            if decision is not None:
                return decision
        with self._lock:
            return self._pay(key, self._limiter.acquire_locally(key), cost)

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Return the state of a key in this worker without counting a request."""
        with self._lock:
            return self._limiter.peek(key)

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics of the limiter."""
        difference = self._clock.difference if isinstance(self._clock, ServerClock) else 0.0
        with self._lock:
            collect_rate_limits("management", self._limiter, samples, clock_difference=difference)

    def close(self) -> None:
        """Close the connections. Nothing is returned: the worker holds no lease."""
        self._closing.set()
        if self._client is not None:
            self._client.close()

    def _pay(self, key: RateLimitKey, decision: RateLimitDecision, cost: int) -> RateLimitDecision:
        """Take the other admissions that an admitted request costs."""
        if cost == 1 or not decision.is_admitted:
            return decision
        self._limiter.spend(key, cost - 1)
        return self._limiter.peek(key)

    def _acquire_shared(self, client: Redis, key: RateLimitKey, cost: int) -> RateLimitDecision | None:
        """Return the decision by the count in Redis. None: the window ended meanwhile, or Redis does not respond."""
        try:
            if time.monotonic() >= self._synchronize_at:
                self._synchronize(client)
        except (RedisError, OSError) as error:
            self._mark_down(client, error)
            return None
        with self._lock:
            settlement = self._limiter.settle_with(key, cost)
            if time.monotonic() < self._attempt_at.get(server_of(client, settlement.key), 0.0):
                self._limiter.fail(settlement)
                return None
        try:
            (reply,) = client.eval(LEASE_SCRIPT, 1, settlement.key, settlement.argument)
        except (RedisError, OSError) as error:
            with self._lock:
                self._limiter.fail(settlement)
            server = server_of(client, settlement.key)
            if server is not None and _responds(client):
                self._attempt_at[server] = time.monotonic() + _SERVER_PAUSE_SECONDS
            else:
                self._mark_down(client, error)
            return None
        with self._lock:
            # At once, so that no other thread spends the admissions.
            self._limiter.apply(settlement, LeaseGrant(*reply))
            decision = self._limiter.acquire(key)
            return None if decision is None else self._pay(key, decision, cost)

    def _synchronize(self, client: Redis) -> None:
        """Measure the clock of Redis, which all windows follow."""
        if isinstance(self._clock, ServerClock):
            sent_at = self._clock.local()
            self._clock.synchronize(client.time(), sent_at)
        self._synchronize_at = time.monotonic() + LEASE_SECONDS

    def _mark_down(self, client: Redis, error: Exception) -> None:
        with self._lock:
            was_available, self._limiter.redis_available = self.redis_available, False
        if was_available:
            _LOG.warning("rate_limits_local", reason=type(error).__name__)
            threading.Thread(target=self._retry, args=(client,), daemon=True).start()

    def _retry(self, client: Redis) -> None:
        """Wait for Redis in a thread. The next request of a key then reports its local admissions."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        while not self._closing.wait(backoff.next_delay()):
            try:
                client.ping()
                self._synchronize(client)
            except (RedisError, OSError):
                continue
            self._limiter.redis_available = True
            _LOG.info("rate_limits_shared")
            return


def _responds(client: Redis) -> bool:
    """Return whether a server of a Cluster responds."""
    try:
        client.ping()
    except (RedisError, OSError):
        return False
    return True
