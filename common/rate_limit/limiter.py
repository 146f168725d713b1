"""The limiter of one worker, without I/O: whoever owns it carries its requests to Redis and the grants back."""

import hashlib
from collections import deque
from collections.abc import Iterator
from typing import Self

from common.rate_limit.decisions import RateLimitDecision
from common.rate_limit.leases import LEASE_SECONDS, LeaseGrant, LeaseRequest, LocalQuota, lease_size
from common.rate_limit.quota_cache import MAX_QUOTAS, QuotaCache
from common.rate_limit.rate_limit_keys import RateLimitKey
from common.rate_limit.windows import WINDOW_SECONDS, window_at, window_end
from common.settings.shared import RateLimitSettings
from common.wire.redis_keys import rate_limit_key

#: For so long a key that is used up is refused without asking Redis whether another worker has given back.
_REFUSAL_SECONDS = 1.0
_DIGEST_BYTES = 16


class Limiter:
    """Rules on requests from what the worker holds. `now` is always a Unix time; it is not safe for threads.

    The names of keys hold client addresses, so Redis sees them as digests under the 32 bytes of `digest_key`.
    """

    def __init__(self, digest_key: bytes, *, most_allowances: int = MAX_QUOTAS) -> None:
        self._digest_key = digest_key
        self._memory = QuotaCache(most_allowances)
        #: Allowances that have something to settle, the earliest first; a flood of them loses the oldest.
        self._line: deque[LocalQuota] = deque()
        self._longest_line = most_allowances
        #: How often it has ruled, for metrics.
        self.admitted = self.refused = self.admitted_alone = self.refused_alone = 0

    @classmethod
    def of(cls, settings: RateLimitSettings) -> Self:
        """Make the limiter of a service's worker."""
        return cls(hashlib.sha256(settings.rate_limit_digest_key.get_secret_value().encode()).digest())

    def try_acquire(self, key: RateLimitKey, now: float) -> RateLimitDecision | None:
        """Rule on a request by what is held. None means that a lease is needed first, see :meth:`lease_request`."""
        allowance = self._allowance(key, now)
        leased = allowance.leased
        if leased > 0:
            allowance.leased = leased = leased - 1
            self.admitted += 1
            return RateLimitDecision(True, allowance.limit, leased + allowance.unleased, allowance.resets_at, now)  # noqa: FBT003 - the hot way
        if allowance.unleased <= 0 and now < allowance.refuses_until:
            self.refused += 1
            return _ruling(allowance, now, is_admitted=False)
        return None

    def acquire_locally(self, key: RateLimitKey, now: float) -> RateLimitDecision:
        """Rule on a request without Redis: by the lease, then by what Redis last said to be left, else by the limit."""
        allowance = self._allowance(key, now)
        if allowance.leased > 0:
            allowance.leased -= 1
        elif allowance.unleased > 0:
            allowance.unleased -= 1
            allowance.alone += 1
            self._line_up(allowance)
        else:
            self.refused_alone += 1
            return _ruling(allowance, now, is_admitted=False)
        self.admitted_alone += 1
        return _ruling(allowance, now, is_admitted=True)

    def peek(self, key: RateLimitKey, now: float) -> RateLimitDecision:
        """Tell how a client stands, as far as this worker knows, without counting anything."""
        return _ruling(self._allowance(key, now), now, is_admitted=True)

    def lease_request(self, key: RateLimitKey, waiting: int, now: float) -> LeaseRequest:
        """Ask for a lease for at least the requests that wait."""
        return self._request(self._allowance(key, now), waiting, lease_size(key.limit))

    def grant(self, request: LeaseRequest, grant: LeaseGrant, now: float) -> None:
        """Take what Redis has given."""
        allowance = request.allowance
        allowance.leased += grant.granted
        # Requests may have been admitted alone while this one was on its way.
        allowance.unleased = max(0, grant.left - allowance.alone)
        if grant.granted == 0:
            allowance.refuses_until = now + _REFUSAL_SECONDS
        if allowance.leased > 0:
            allowance.expires_at = now + LEASE_SECONDS
            self._line_up(allowance)

    def fail(self, request: LeaseRequest) -> None:
        """Take note that Redis did not answer: what was to be settled is settled later."""
        if request.alone:
            request.allowance.alone += request.alone
            self._line_up(request.allowance)

    def pending_returns(self, now: float, most: int, *, only_expired: bool = True) -> Iterator[LeaseRequest]:
        """Give back expired leases and tell of requests admitted alone, at most so many; none is lost by asking."""
        window = window_at(now)
        for _ in range(min(most, len(self._line))):
            allowance = self._line[0]
            if allowance.window == window and allowance.leased > 0 and only_expired and now < allowance.expires_at:
                return
            self._line.popleft()
            allowance.is_lined_up = False
            if allowance.window == window and (allowance.leased > 0 or allowance.alone > 0):
                yield self._request(allowance, 0, 0)

    def __len__(self) -> int:
        return len(self._memory)

    def _allowance(self, key: RateLimitKey, now: float) -> LocalQuota:
        allowance = self._memory.use(key.name)
        if allowance is None or not 0 < allowance.resets_at - now <= WINDOW_SECONDS:
            window = window_at(now)
            allowance = LocalQuota(key.name, key.limit, window, window_end(window), unleased=key.limit)
            dropped = self._memory.keep(key.name, allowance)
            if dropped is not None and (dropped.leased > 0 or dropped.alone > 0):
                dropped.expires_at = now
                self._line_up(dropped)
        return allowance

    def _line_up(self, allowance: LocalQuota) -> None:
        if allowance.is_lined_up:
            return
        if len(self._line) >= self._longest_line:
            self._line.popleft().is_lined_up = False
        allowance.is_lined_up = True
        self._line.append(allowance)

    def _request(self, allowance: LocalQuota, least: int, most: int) -> LeaseRequest:
        alone, allowance.alone = allowance.alone, 0
        settled = alone
        if most == 0:
            # Until Redis has taken them back they count as left: if it never does, none is lost to the client.
            settled -= allowance.leased
            allowance.unleased += allowance.leased
            allowance.leased = 0
        digest = hashlib.blake2b(allowance.key.encode(), key=self._digest_key, digest_size=_DIGEST_BYTES).hexdigest()
        arguments = (allowance.limit, settled, least, most, allowance.resets_at)
        return LeaseRequest(allowance, rate_limit_key(digest, allowance.window), arguments, alone)


def _ruling(allowance: LocalQuota, now: float, *, is_admitted: bool) -> RateLimitDecision:
    return RateLimitDecision(
        is_admitted, allowance.limit, allowance.leased + allowance.unleased, allowance.resets_at, now
    )
