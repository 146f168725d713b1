"""The rate limiter of one worker, without I/O (contract, section 1, Rate limits; decision 19).

Redis holds one number for a key and a window: the admissions of all workers. A worker admits the first requests of a
key at once, on credit of one lease, and reports them a moment later. A key with more requests gets a lease: admissions
that are counted ahead, spent by memory operations, and returned when the lease expires. So no worker admits more than
one lease above the limit. The owner of a limiter sends its settlements to Redis and passes the replies back.
"""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

import msgspec

from common.errors import RateLimitedError
from common.rate_limit.quotas import LocalQuota, QuotaQueue, RateLimitKey
from common.settings.shared import RateLimitSettings
from common.wire.redis_keys import rate_limit_key

LIMIT_HEADER = "X-RateLimit-Limit"
REMAINING_HEADER = "X-RateLimit-Remaining"
RESET_HEADER = "X-RateLimit-Reset"

#: When Redis has nothing left, a key is rejected for this time without another report.
_REJECTION_SECONDS = 1.0
_DIGEST_BYTES = 16

#: A worker keeps at most so many quotas.
MAX_QUOTAS = 50_000
#: The part of the cache that is reserved for keys with more than one request.
_PROTECTED_PART = 0.8

#: Fixed windows, aligned to the UTC hour (contract, section 1).
WINDOW_SECONDS = 3600
#: The remainder of a lease is returned after this time.
LEASE_SECONDS = 10.0
#: Admissions on credit are reported after this time: the requests of a phone's start are one report.
REPORT_SECONDS = 1.0
#: A lease is at most this fraction of the limit.
_LEASES_PER_LIMIT = 100
#: A count outlives its window by this time, for requests that are on their way at the end of the window.
_EXTRA_SECONDS = 60
#: A report is urgent when this part of the credit is used, and a lease is renewed when one part in four is left.
_USED, _PARTS = 3, 4

#: KEYS: the counts of keys in one window, only one in a Cluster. ARGV, one text of five numbers for each of them: the
#: limit; the admissions to add (made on credit, less those returned); the minimum wanted (the number of waiting
#: requests); the maximum wanted; the Unix second of the window's end. As five arguments they would cost the worker
#: three times as much, because redis-py encodes each. Returns for each the admissions leased and those left for others.
#: Leases shrink near the limit, so that few admissions stay unused in one worker while another one rejects. No command
#: is newer than Redis 6.2.
LEASE_SCRIPT = f"""
local replies = {{}}
for number, key in ipairs(KEYS) do
    local limit, added, minimum, maximum, ends = string.match(ARGV[number], '^(%S+) (%S+) (%S+) (%S+) (%S+)$')
    local taken = math.max(0, tonumber(redis.call('GET', key) or '0') + tonumber(added))
    local left = math.max(0, tonumber(limit) - taken)
    local wanted = math.max(tonumber(minimum), math.min(tonumber(maximum), math.floor(left / 20)))
    local granted = math.min(left, wanted)
    redis.call('SET', key, taken + granted, 'EXAT', tonumber(ends) + {_EXTRA_SECONDS})
    replies[number] = {{granted, left - granted}}
end
return replies
"""


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
    """The reply of the script about one key."""

    granted: int
    left: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The arguments of the script about one quota. Without a reply, its `reported` admissions are reported again."""

    quota: LocalQuota
    key: str
    arguments: tuple[int, int, int, int, int]
    reported: int

    @property
    def argument(self) -> bytes:
        """The argument of the script for the key."""
        return b"%d %d %d %d %d" % self.arguments


def lease_size(limit: int) -> int:
    """Return the number of admissions that a worker leases, or admits on credit, far from the limit."""
    return max(1, limit // _LEASES_PER_LIMIT)


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
        """Take the key of the digests and a clock. The owner sets `redis_available` and `on_urgent`."""
        self.redis_available = True
        #: Called when a settlement should not wait.
        self.on_urgent: Callable[[], None] = _ignore
        self._clock = clock
        self._digest_key = digest_key
        self._quotas = QuotaCache(max_quotas)
        self._urgent, self._reports, self._returns = (QuotaQueue(max_quotas) for _ in range(3))
        #: Numbers of decisions, for metrics.
        self.admitted = self.rejected = self.admitted_locally = self.rejected_locally = 0

    @classmethod
    def from_settings(cls, settings: RateLimitSettings, clock: Callable[[], float]) -> Self:
        """Return the limiter of one worker."""
        return cls(hashlib.sha256(settings.rate_limit_digest_key.get_secret_value().encode()).digest(), clock)

    def acquire(self, key: RateLimitKey) -> RateLimitDecision | None:
        """Decide on a request from memory. None: its burst exceeds the credit, so it waits for the next reply."""
        now = self._clock()
        quota = self._quotas.get(key)
        if quota is None or not 0 < quota.resets_at - now <= WINDOW_SECONDS:
            quota = self._begin_window(key, now)
        leased = quota.leased
        if leased > 0 and self.redis_available:
            # Nearly all requests: without further calls.
            quota.leased = leased = leased - 1
            self.admitted += 1
            if leased == quota.renew_at:
                self._request_settlement(quota)
            return RateLimitDecision(True, quota.limit, leased + quota.unreserved, quota.resets_at, now)  # noqa: FBT003 - keyword arguments cost on the hot path
        return self._acquire_without_lease(quota, now)

    def acquire_locally(self, key: RateLimitKey) -> RateLimitDecision:
        """Decide on a request without Redis: by the lease, then by the last reply of Redis, else by the limit."""
        now = self._clock()
        return self._acquire_locally(self._quota(key, now), now)

    def peek(self, key: RateLimitKey) -> RateLimitDecision:
        """Return the state of a key in this worker without counting a request. The decision is always admitted."""
        now = self._clock()
        return _decision(self._quota(key, now), now, is_admitted=True)

    def spend(self, key: RateLimitKey, admissions: int) -> None:
        """Take further admissions for a request that was admitted, or as many as are left."""
        now = self._clock()
        quota = self._quota(key, now)
        of_lease = min(admissions, quota.leased)
        quota.leased -= of_lease
        for _ in range(min(admissions - of_lease, quota.unreserved)):
            self._admit_on_credit(quota, now)

    def settle_with(self, key: RateLimitKey, admissions: int = 1) -> Settlement:
        """Return the settlement that takes admissions for one request, besides the reports of its key."""
        return self._settlement(self._quota(key, self._clock()), minimum=admissions, maximum=admissions)

    def pending(self, limit: int, *, all_leases: bool = False) -> list[Settlement]:
        """Return at most `limit` settlements that are due; `all_leases` returns leases that have not expired, too."""
        now = self._clock()
        window = int(now // WINDOW_SECONDS)
        batch: list[Settlement] = []
        while self._urgent and len(batch) < limit:
            quota = self._urgent.pop()
            if quota.window == window:
                batch.append(self._urgent_settlement(quota))
        while self._reports and len(batch) < limit and (all_leases or self._reports.first().report_at <= now):
            quota = self._reports.pop()
            if quota.window == window and (quota.unreported > 0 or quota.is_local):
                batch.append(self._settlement(quota))
        while self._returns and len(batch) < limit and (all_leases or self._returns.first().expires_at <= now):
            quota = self._returns.pop()
            if quota.window == window and quota.leased > 0:
                batch.append(self._settlement(quota, returned=quota.leased))
        return batch

    def apply(self, settlement: Settlement, grant: LeaseGrant) -> None:
        """Apply the reply to a settlement."""
        now, quota = self._clock(), settlement.quota
        quota.is_local = False
        quota.in_flight -= settlement.reported
        quota.leased += grant.granted
        # Requests may have been admitted while the settlement was under way.
        quota.unreserved = max(0, grant.left - quota.unreported - quota.in_flight)
        if grant.left == 0 and quota.leased == 0:
            quota.rejects_until = now + _REJECTION_SECONDS
        if grant.granted:
            quota.expires_at = now + LEASE_SECONDS
            quota.renew_at = quota.leased // _PARTS or -1
        # Requests that came meanwhile are tried again, too: the credit is free again.
        quota.waiting = 0
        self._queue_balance(quota, now)

    def fail(self, settlement: Settlement) -> None:
        """Handle a settlement without a reply: its admissions are reported later, and the key is limited locally."""
        quota = settlement.quota
        quota.is_local = True
        quota.in_flight -= settlement.reported
        quota.unreported += settlement.reported
        self._queue_balance(quota, self._clock())

    def __len__(self) -> int:
        return len(self._quotas)

    def _acquire_without_lease(self, quota: LocalQuota, now: float) -> RateLimitDecision | None:
        if not self.redis_available or quota.is_local:
            return self._acquire_locally(quota, now)
        if quota.unreserved <= 0:
            if now >= quota.rejects_until:
                # Another worker may have returned a lease. The reply is for the next requests.
                self._request_settlement(quota)
            self.rejected += 1
            return _decision(quota, now, is_admitted=False)
        unsettled = quota.unreported + quota.in_flight
        if unsettled >= quota.credit:
            quota.waiting += 1
            self._request_settlement(quota)
            return None
        self._admit_on_credit(quota, now)
        if (unsettled + 1) * _PARTS > quota.credit * _USED:
            self._request_settlement(quota)
        self.admitted += 1
        return _decision(quota, now, is_admitted=True)

    def _acquire_locally(self, quota: LocalQuota, now: float) -> RateLimitDecision:
        if quota.leased > 0:
            quota.leased -= 1
        elif quota.unreserved > 0:
            self._admit_on_credit(quota, now)
        else:
            self.rejected_locally += 1
            return _decision(quota, now, is_admitted=False)
        self.admitted_locally += 1
        return _decision(quota, now, is_admitted=True)

    def _admit_on_credit(self, quota: LocalQuota, now: float) -> None:
        quota.unreserved -= 1
        quota.unreported += 1
        if quota.unreported == 1:
            quota.report_at = now + REPORT_SECONDS
            self._reports.add(quota)

    def _quota(self, key: RateLimitKey, now: float) -> LocalQuota:
        quota = self._quotas.get(key)
        if quota is None or not 0 < quota.resets_at - now <= WINDOW_SECONDS:
            return self._begin_window(key, now)
        return quota

    def _begin_window(self, key: RateLimitKey, now: float) -> LocalQuota:
        window = int(now // WINDOW_SECONDS)
        limit = key[0]
        quota = LocalQuota(key, limit, window, (window + 1) * WINDOW_SECONDS, limit, lease_size(limit))
        evicted = self._quotas.put(key, quota)
        if evicted is not None:
            # What Redis does not know of it waits in the queues.
            evicted.expires_at = now
        return quota

    def _request_settlement(self, quota: LocalQuota) -> None:
        self._urgent.add(quota)
        self.on_urgent()

    def _queue_balance(self, quota: LocalQuota, now: float) -> None:
        if quota.unreported > 0 or quota.is_local:
            quota.report_at = now + REPORT_SECONDS
            self._reports.add(quota)
        if quota.leased > 0:
            self._returns.add(quota)

    def _urgent_settlement(self, quota: LocalQuota) -> Settlement:
        """Return a settlement that asks for a lease. A credit of one is as good as a lease of one."""
        is_exhausted = quota.leased == 0 and quota.unreserved <= 0
        minimum, quota.waiting = max(quota.waiting, int(is_exhausted)), 0
        return self._settlement(quota, minimum=minimum, maximum=quota.credit if quota.credit > 1 else 0)

    def _settlement(self, quota: LocalQuota, *, minimum: int = 0, maximum: int = 0, returned: int = 0) -> Settlement:
        reported, quota.unreported = quota.unreported, 0
        quota.in_flight += reported
        # Counted as left until the return reaches Redis: if it never does, the client loses none.
        quota.unreserved += returned
        quota.leased -= returned
        name = " ".join(quota.key[1:]).encode()
        digest = hashlib.blake2b(name, key=self._digest_key, digest_size=_DIGEST_BYTES).hexdigest()
        arguments = (quota.limit, reported - returned, minimum, maximum, quota.resets_at)
        return Settlement(quota, rate_limit_key(digest, quota.window), arguments, reported)


def _ignore() -> None:
    pass


def _decision(quota: LocalQuota, now: float, *, is_admitted: bool) -> RateLimitDecision:
    return RateLimitDecision(is_admitted, quota.limit, quota.leased + quota.unreserved, quota.resets_at, now)
