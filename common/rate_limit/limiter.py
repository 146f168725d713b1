"""The rate limiter of one worker, without I/O: its owner sends its requests to Redis and hands the replies back."""

import hashlib
from collections import deque
from collections.abc import Iterator
from typing import Self

import msgspec

from common.errors import RateLimitedError
from common.rate_limit.keys import RateLimitKey
from common.rate_limit.leases import (
    LEASE_SECONDS,
    MAX_QUOTAS,
    WINDOW_SECONDS,
    LeaseGrant,
    LeaseRequest,
    LocalQuota,
    QuotaCache,
    lease_size,
)
from common.settings.shared import RateLimitSettings
from common.wire.redis_keys import rate_limit_key

LIMIT_HEADER = "X-RateLimit-Limit"
REMAINING_HEADER = "X-RateLimit-Remaining"
RESET_HEADER = "X-RateLimit-Reset"

#: After Redis had nothing left, a key is rejected for this time without another question.
_REJECTION_SECONDS = 1.0
_DIGEST_BYTES = 16


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


class Limiter:
    """Decides on requests from the worker's memory. `now` is a Unix time by the clock of Redis. Not thread-safe.

    Names contain client addresses, so Redis sees digests of them under `digest_key`, 32 bytes.
    """

    def __init__(self, digest_key: bytes, *, max_quotas: int = MAX_QUOTAS) -> None:
        self._digest_key = digest_key
        self._quotas = QuotaCache(max_quotas)
        #: Quotas with something to return, the earliest first. A flood drops the oldest.
        self._returns: deque[LocalQuota] = deque()
        self._max_returns = max_quotas
        #: Numbers of decisions, for metrics.
        self.admitted = self.rejected = self.admitted_locally = self.rejected_locally = 0

    @classmethod
    def from_settings(cls, settings: RateLimitSettings) -> Self:
        """Return the limiter of one worker."""
        return cls(hashlib.sha256(settings.rate_limit_digest_key.get_secret_value().encode()).digest())

    def try_acquire(self, key: RateLimitKey, now: float) -> RateLimitDecision | None:
        """Decide on a request from memory. None: a lease is needed first, see :meth:`lease_request`."""
        quota = self._quota(key, now)
        leased = quota.leased
        if leased > 0:
            quota.leased = leased = leased - 1
            self.admitted += 1
            return RateLimitDecision(True, quota.limit, leased + quota.unreserved, quota.resets_at, now)  # noqa: FBT003 - keyword arguments cost on the hot path
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

    def lease_request(self, key: RateLimitKey, waiting: int, now: float) -> LeaseRequest:
        """Return a request of a lease for at least the waiting requests."""
        return self._request(self._quota(key, now), waiting, lease_size(key[0]))

    def grant(self, request: LeaseRequest, grant: LeaseGrant, now: float) -> None:
        """Take the reply to a request."""
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
        """Take note that a request had no reply: its admissions are reported later."""
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
            # Counted as left until Redis has them back: if it never does, the client loses none.
            added -= quota.leased
            quota.unreserved += quota.leased
            quota.leased = 0
        name = " ".join(quota.key[1:]).encode()
        digest = hashlib.blake2b(name, key=self._digest_key, digest_size=_DIGEST_BYTES).hexdigest()
        arguments = (quota.limit, added, minimum, maximum, quota.resets_at)
        return LeaseRequest(quota, rate_limit_key(digest, quota.window), arguments, unreported)


def _decision(quota: LocalQuota, now: float, *, is_admitted: bool) -> RateLimitDecision:
    return RateLimitDecision(is_admitted, quota.limit, quota.leased + quota.unreserved, quota.resets_at, now)
