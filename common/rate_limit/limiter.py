"""The rate limiter of one worker, without I/O (contract, section 1, Rate limits; decision 19).

Redis holds one number for a key and a window: how many admissions the workers have taken. A worker takes admissions
ahead of its requests, as a lease, spends them by memory operations, and returns the rest when the lease expires. So the
workers together never admit more than the limit while Redis is available, and reject early at most the unused leases.
The owner of a limiter sends its requests to Redis and passes the replies back.
"""

import hashlib
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeAlias

import msgspec

from common.errors import RateLimitedError
from common.settings.shared import RateLimitSettings
from common.wire.redis_keys import rate_limit_key

#: The limit, in requests an hour, and the parts of the name of a count. A plain tuple: the edge builds one a request.
RateLimitKey: TypeAlias = tuple[int, *tuple[str, ...]]

LIMIT_HEADER = "X-RateLimit-Limit"
REMAINING_HEADER = "X-RateLimit-Remaining"
RESET_HEADER = "X-RateLimit-Reset"

#: When Redis has nothing left, a key is rejected for this time without another call.
_REJECTION_SECONDS = 1.0
_DIGEST_BYTES = 16

_EXEMPT_PATHS = frozenset(
    {
        "/health/live",
        "/health/ready",
        "/metrics",
        "/api/docs",
        "/api/v1/docs",
        "/api/openapi.json",
        "/api/v1/openapi.json",
        "/dashboard",
        "/onboarding/preview",
    }
)
_EXEMPT_PREFIXES = ("/api/docs/", "/api/v1/docs/", "/dashboard/", "/onboarding/assets/")

#: Fixed windows, aligned to the UTC hour (contract, section 1).
WINDOW_SECONDS = 3600
#: The remainder of a lease is returned after this time.
LEASE_SECONDS = 10.0
#: A worker keeps at most so many quotas.
MAX_QUOTAS = 50_000
#: A lease is at most this fraction of the limit.
_LEASES_PER_LIMIT = 100
#: A count outlives its window by this time, for requests that are on their way at the end of the window.
_EXTRA_SECONDS = 60
#: The part of the cache that is reserved for keys with more than one request.
_PROTECTED_PART = 0.8

#: KEYS[1]: the count of a key in one window. ARGV: the limit; the admissions to add (made locally, less those
#: returned); the minimum wanted (the number of waiting requests); the maximum wanted; the Unix second of the window's
#: end. Returns the admissions leased and those left for others. Leases shrink near the limit, so that few admissions
#: stay unused in one worker while another one rejects. One key a call, and no command newer than Redis 6.2.
LEASE_SCRIPT = f"""
local limit = tonumber(ARGV[1])
local taken = math.max(0, tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[2]))
local left = math.max(0, limit - taken)
local wanted = math.max(tonumber(ARGV[3]), math.min(tonumber(ARGV[4]), math.floor(left / 20)))
local granted = math.min(left, wanted)
redis.call('SET', KEYS[1], taken + granted, 'EXAT', tonumber(ARGV[5]) + {_EXTRA_SECONDS})
return {{granted, left - granted}}
"""


class RateLimitKeys:
    """Builds the keys of both services, which must agree on the names of what they count together."""

    def __init__(self, settings: RateLimitSettings) -> None:
        self._per_secret_key = settings.rate_limit_per_secret_key
        self._per_api_key = settings.rate_limit_per_api_key
        self._per_jwt = settings.rate_limit_per_jwt
        self._unauthenticated = settings.rate_limit_unauthenticated
        self._per_client = settings.secret_key_rate_limit_scope == "client"  # noqa: S105 - a scope, not a secret

    def of_address(self, address: str) -> RateLimitKey:
        """Return the key of a request without a valid credential."""
        return (self._unauthenticated, "address", address)

    def of_secret_key(self, project_id: str, address: str) -> RateLimitKey:
        """Return the key of a request of an SDK; every installation of an app has the same secret key."""
        if self._per_client:
            return (self._per_secret_key, "secret-key", project_id, address)
        return (self._per_secret_key, "secret-key", project_id)

    def of_api_key(self, user_id: str) -> RateLimitKey:
        """Return the key of a request with a personal API key."""
        return (self._per_api_key, "api-key", user_id)

    def of_jwt(self, user_id: str) -> RateLimitKey:
        """Return the key of a request with a token of the identity provider."""
        return (self._per_jwt, "jwt", user_id)


def is_counted(path: str) -> bool:
    """Return whether requests for the path are counted; others carry no rate limit headers (contract, section 1)."""
    return path not in _EXEMPT_PATHS and not path.startswith(_EXEMPT_PREFIXES)


class RateLimitDecision(msgspec.Struct, frozen=True, gc=False):
    """Whether a request is admitted, and the state of its key after it.

    `resets_at` is the Unix second of the end of the window, `decided_at` the Unix time of the decision.
    """

    is_admitted: bool
    limit: int
    remaining: int
    resets_at: int
    decided_at: float

    @property
    def retry_after(self) -> int:
        """The value of Retry-After in whole seconds, at least 1."""
        return self.resets_at - int(self.decided_at)

    def rejection(self) -> RateLimitedError | None:
        """Return the error of a rejected request, or None."""
        return None if self.is_admitted else RateLimitedError(self.retry_after)

    def headers(self) -> dict[str, str]:
        """Return the headers that every counted response carries."""
        return {
            LIMIT_HEADER: str(self.limit),
            REMAINING_HEADER: str(self.remaining),
            RESET_HEADER: str(self.resets_at),
        }


class LeaseGrant(NamedTuple):
    """The reply of the script."""

    granted: int
    left: int


@dataclass(slots=True)
class LocalQuota:
    """The state of one key in one window, in one worker.

    `leased` admissions belong to this worker. Beyond them `unreserved` are left according to the last reply of Redis.
    `unreported` were admitted without Redis and are reported to it later.
    """

    key: RateLimitKey
    limit: int
    window: int
    resets_at: int
    unreserved: int
    leased: int = 0
    unreported: int = 0
    expires_at: float = 0.0
    #: The limit in Redis is reached: requests are rejected without a call until this time.
    rejects_until: float = 0.0
    #: Whether it is queued for a return.
    is_queued: bool = False


@dataclass(frozen=True, slots=True)
class LeaseRequest:
    """One call of the script, about one quota."""

    quota: LocalQuota
    key: str
    arguments: tuple[int, int, int, int, int]
    #: Of the admissions to add, those that were made locally: reported again if no reply arrives.
    unreported: int


def lease_size(limit: int) -> int:
    """Return the number of admissions that a worker leases at once, far from the limit."""
    return max(1, limit // _LEASES_PER_LIMIT)


class ServerClock:
    """Unix time by the clock of Redis, so that all workers agree on windows, independent of their own clocks.

    Between two measurements it runs with the monotonic clock: a step of the local clock must not move the windows.
    """

    def __init__(self, local: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._local = local
        self._monotonic = monotonic
        self._offset = local() - monotonic()
        #: The clock of Redis minus the local clock, in seconds; 0 before the first measurement.
        self.difference = 0.0

    def __call__(self) -> float:
        """Return the Unix time."""
        return self._monotonic() + self._offset

    def synchronize(self, server_time: tuple[int, int], sent_at: float) -> None:
        """Apply the reply of TIME, in seconds and microseconds, to a command sent at `sent_at` by the local clock."""
        seconds, microseconds = server_time
        now = self._local()
        self.difference = seconds + microseconds / 1e6 - (sent_at + now) / 2
        self._offset = now + self.difference - self._monotonic()

    def local(self) -> float:
        """Return the Unix time of the local clock."""
        return self._local()


class QuotaCache:
    """A segmented LRU cache: a flood of keys with one request each cannot evict the keys in use.

    An eviction costs nothing while Redis is available, because the count is there. Otherwise the key starts again.
    """

    def __init__(self, max_quotas: int = MAX_QUOTAS) -> None:
        self._max_protected = max(1, int(max_quotas * _PROTECTED_PART))
        self._max_probation = max(1, max_quotas - self._max_protected)
        self._probation: OrderedDict[RateLimitKey, LocalQuota] = OrderedDict()
        self._protected: OrderedDict[RateLimitKey, LocalQuota] = OrderedDict()
        # Bound once: the methods of an OrderedDict are slow to look up.
        self._get_protected = self._protected.get
        self._touch_protected = self._protected.move_to_end

    def get(self, key: RateLimitKey) -> LocalQuota | None:
        """Return the quota of a key for a request."""
        quota = self._get_protected(key)
        if quota is not None:
            self._touch_protected(key)
            return quota
        quota = self._probation.pop(key, None)
        if quota is not None:
            self._protected[key] = quota
            if len(self._protected) > self._max_protected:
                demoted_key, demoted = self._protected.popitem(last=False)
                self._probation[demoted_key] = demoted
        return quota

    def put(self, key: RateLimitKey, quota: LocalQuota) -> LocalQuota | None:
        """Store the quota of a key. Returns the quota of another key that was evicted, if any."""
        if key in self._protected:
            self._protected[key] = quota
            return None
        self._probation[key] = quota
        if len(self._probation) > self._max_probation:
            _, evicted = self._probation.popitem(last=False)
            return evicted
        return None

    def __len__(self) -> int:
        return len(self._probation) + len(self._protected)


class Limiter:
    """Decides on requests from the worker's memory. `now` is a Unix time by the clock of Redis. Not thread-safe.

    Names contain client addresses, so Redis stores digests of them under `digest_key`, 32 bytes.
    """

    def __init__(
        self, digest_key: bytes, clock: Callable[[], float] = time.time, *, max_quotas: int = MAX_QUOTAS
    ) -> None:
        """Take the key of the digests and a clock. The owner sets `redis_available`."""
        self.redis_available = True
        self._clock = clock
        self._digest_key = digest_key
        self._quotas = QuotaCache(max_quotas)
        #: Quotas with something to return, the earliest first. A flood drops the oldest.
        self._returns: deque[LocalQuota] = deque()
        self._max_returns = max_quotas
        #: Numbers of decisions, for metrics.
        self.admitted = self.rejected = self.admitted_locally = self.rejected_locally = 0

    @classmethod
    def from_settings(cls, settings: RateLimitSettings, clock: Callable[[], float]) -> Self:
        """Return the limiter of one worker."""
        return cls(hashlib.sha256(settings.rate_limit_digest_key.get_secret_value().encode()).digest(), clock)

    def try_acquire(self, key: RateLimitKey) -> RateLimitDecision | None:
        """Decide on a request from memory. None: a lease is needed first, see :meth:`lease_request`."""
        clock = self._clock
        now = clock()
        if not self.redis_available:
            return self.acquire_locally(key, now)
        quota = self._quotas.get(key)
        if quota is not None and quota.leased > 0 and 0 < quota.resets_at - now <= WINDOW_SECONDS:
            # Nearly all requests: without further calls.
            quota.leased = leased = quota.leased - 1
            self.admitted += 1
            return RateLimitDecision(True, quota.limit, leased + quota.unreserved, quota.resets_at, now)  # noqa: FBT003 - keyword arguments cost on the hot path
        return self.acquire_leased(key, now)

    def acquire_leased(self, key: RateLimitKey, now: float) -> RateLimitDecision | None:
        """Decide on a request by the lease, or by the last reply of Redis if nothing is left. None: as above."""
        quota = self._quota(key, now)
        if quota.leased > 0:
            quota.leased -= 1
            self.admitted += 1
            return _decision(quota, now, is_admitted=True)
        if quota.unreserved <= 0 and now < quota.rejects_until:
            self.rejected += 1
            return _decision(quota, now, is_admitted=False)
        return None

    def acquire_locally(self, key: RateLimitKey, now: float) -> RateLimitDecision:
        """Decide on a request without Redis: by the lease, then by the last reply of Redis, else by the limit."""
        quota = self._quota(key, now)
        if quota.leased > 0:
            quota.leased -= 1
        elif quota.unreserved > 0:
            quota.unreserved -= 1
            quota.unreported += 1
            self._queue_return(quota)
        else:
            self.rejected_locally += 1
            return _decision(quota, now, is_admitted=False)
        self.admitted_locally += 1
        return _decision(quota, now, is_admitted=True)

    def peek(self, key: RateLimitKey, now: float) -> RateLimitDecision:
        """Return the state of a key in this worker without counting a request. The decision is always admitted."""
        return _decision(self._quota(key, now), now, is_admitted=True)

    def lease_request(self, key: RateLimitKey, waiting: int, now: float, *, size: int | None = None) -> LeaseRequest:
        """Return a request of a lease for at least the waiting requests; `size` replaces the usual size."""
        return self._request(self._quota(key, now), waiting, lease_size(key[0]) if size is None else size)

    def grant(self, request: LeaseRequest, grant: LeaseGrant, now: float) -> None:
        """Apply the reply to a request."""
        quota = request.quota
        quota.leased += grant.granted
        # Requests may have been admitted locally while this one was under way.
        quota.unreserved = max(0, grant.left - quota.unreported)
        if grant.granted == 0:
            quota.rejects_until = now + _REJECTION_SECONDS
        if quota.leased > 0:
            quota.expires_at = now + LEASE_SECONDS
            self._queue_return(quota)

    def fail(self, request: LeaseRequest) -> None:
        """Handle a request without a reply: its admissions are reported later."""
        if request.unreported:
            request.quota.unreported += request.unreported
            self._queue_return(request.quota)

    def pending_returns(self, now: float, limit: int, *, only_expired: bool = True) -> Iterator[LeaseRequest]:
        """Return at most `limit` requests that return expired leases and report local admissions."""
        window = int(now // WINDOW_SECONDS)
        for _ in range(min(limit, len(self._returns))):
            quota = self._returns[0]
            if quota.window == window and quota.leased > 0 and only_expired and now < quota.expires_at:
                return
            self._returns.popleft()
            quota.is_queued = False
            if quota.window == window and (quota.leased > 0 or quota.unreported > 0):
                yield self._request(quota, 0, 0)

    def __len__(self) -> int:
        return len(self._quotas)

    def _quota(self, key: RateLimitKey, now: float) -> LocalQuota:
        quota = self._quotas.get(key)
        if quota is None or not 0 < quota.resets_at - now <= WINDOW_SECONDS:
            window = int(now // WINDOW_SECONDS)
            quota = LocalQuota(key, key[0], window, (window + 1) * WINDOW_SECONDS, unreserved=key[0])
            evicted = self._quotas.put(key, quota)
            if evicted is not None and (evicted.leased > 0 or evicted.unreported > 0):
                evicted.expires_at = now
                self._queue_return(evicted)
        return quota

    def _queue_return(self, quota: LocalQuota) -> None:
        if quota.is_queued:
            return
        if len(self._returns) >= self._max_returns:
            self._returns.popleft().is_queued = False
        quota.is_queued = True
        self._returns.append(quota)

    def _request(self, quota: LocalQuota, minimum: int, maximum: int) -> LeaseRequest:
        unreported, quota.unreported = quota.unreported, 0
        added = unreported
        if maximum == 0:
            # Counted as left until the return reaches Redis: if it never does, the client loses none.
            added -= quota.leased
            quota.unreserved += quota.leased
            quota.leased = 0
        name = " ".join(quota.key[1:]).encode()
        digest = hashlib.blake2b(name, key=self._digest_key, digest_size=_DIGEST_BYTES).hexdigest()
        arguments = (quota.limit, added, minimum, maximum, quota.resets_at)
        return LeaseRequest(quota, rate_limit_key(digest, quota.window), arguments, unreported)


def _decision(quota: LocalQuota, now: float, *, is_admitted: bool) -> RateLimitDecision:
    return RateLimitDecision(is_admitted, quota.limit, quota.leased + quota.unreserved, quota.resets_at, now)
