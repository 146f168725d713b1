"""Leases: admissions that a worker takes from the shared count ahead of its requests.

Redis holds one number for a key and a window: how many admissions the workers have taken. A worker spends its lease by
memory operations, and returns what is left when the lease expires. So the workers together never admit more than the
limit while Redis answers, and reject at most what is unused in leases.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from common.rate_limit.keys import RateLimitKey

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


class LeaseGrant(NamedTuple):
    """The reply of the script."""

    granted: int
    left: int


@dataclass(slots=True)
class LocalQuota:
    """The state of one key in one window, in one worker.

    `leased` admissions belong to this worker. Beyond them `unreserved` are left according to the last reply of Redis.
    `unreported` were admitted without Redis, which is told of them later.
    """

    key: RateLimitKey
    limit: int
    window: int
    resets_at: int
    unreserved: int
    leased: int = 0
    unreported: int = 0
    expires_at: float = 0.0
    #: Redis had nothing left; it is not asked again before this moment.
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
    """Return how many admissions a worker takes at once, far from the limit."""
    return max(1, limit // _LEASES_PER_LIMIT)


class ServerClock:
    """Unix time by the clock of Redis, so that all workers agree on windows, however wrong their own clocks are."""

    def __init__(self, local: Callable[[], float] = time.time) -> None:
        self._local = local
        #: The clock of Redis minus the local clock, in seconds; 0 before the first measurement.
        self.difference = 0.0

    def __call__(self) -> float:
        """Return the Unix time."""
        return self._local() + self.difference

    def synchronize(self, server_time: tuple[int, int], sent_at: float) -> None:
        """Take the reply of TIME, in seconds and microseconds, to a command sent at `sent_at` by the local clock."""
        seconds, microseconds = server_time
        self.difference = seconds + microseconds / 1e6 - (sent_at + self._local()) / 2

    def local(self) -> float:
        """Return the Unix time of the local clock."""
        return self._local()


class QuotaCache:
    """A segmented LRU cache: a flood of keys with one request each cannot evict the keys in use.

    An eviction costs nothing while Redis answers, because the count is there. Otherwise the key starts again.
    """

    def __init__(self, max_quotas: int = MAX_QUOTAS) -> None:
        self._max_protected = max(1, int(max_quotas * _PROTECTED_PART))
        self._max_probation = max(1, max_quotas - self._max_protected)
        self._probation: OrderedDict[RateLimitKey, LocalQuota] = OrderedDict()
        self._protected: OrderedDict[RateLimitKey, LocalQuota] = OrderedDict()

    def get(self, key: RateLimitKey) -> LocalQuota | None:
        """Return the quota of a key for a request."""
        quota = self._protected.get(key)
        if quota is not None:
            self._protected.move_to_end(key)
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
