"""The limiter of a worker: admission with and without a lease, and the reports to Redis."""

import pytest

from common.errors import RateLimitedError
from common.rate_limit.limiter import (
    LEASE_SECONDS,
    WINDOW_SECONDS,
    LeaseGrant,
    LeaseRequest,
    Limiter,
    RateLimitDecision,
    lease_size,
)

HOUR = 1_700_000_000 // WINDOW_SECONDS * WINDOW_SECONDS
NOW = HOUR + 100.0
KEY = (1000, "user")


def a_limiter() -> Limiter:
    """Return a limiter without leases."""
    return Limiter(bytes(32))


def leased(limiter: Limiter, granted: int, left: int, now: float = NOW) -> LeaseRequest:
    """Grant the limiter a lease and return the request for it."""
    request = limiter.lease_request(KEY, 1, now)
    limiter.grant(request, LeaseGrant(granted, left), now)
    return request


def decision(limiter: Limiter, now: float = NOW) -> RateLimitDecision:
    """Return a decision, which must be possible from memory."""
    made = limiter.acquire_leased(KEY, now)
    assert made is not None
    return made


def test_lease_is_a_hundredth_of_the_limit_and_at_least_one() -> None:
    assert [lease_size(limit) for limit in (1, 60, 199, 200, 1000, 5000)] == [1, 1, 1, 2, 10, 50]


def test_limiter_without_a_lease_makes_no_decision() -> None:
    assert a_limiter().acquire_leased(KEY, NOW) is None


def test_lease_request_has_the_limit_and_the_end_of_the_window() -> None:
    request = a_limiter().lease_request(KEY, 3, NOW)
    assert request.arguments == (1000, 0, 3, 10, HOUR + WINDOW_SECONDS)
    assert "user" not in request.key


def test_remaining_falls_with_each_request_of_a_lease() -> None:
    limiter = a_limiter()
    leased(limiter, 3, 997)
    assert [decision(limiter).remaining for _ in range(3)] == [999, 998, 997]
    assert limiter.acquire_leased(KEY, NOW) is None
    leased(limiter, 3, 994)
    assert decision(limiter).remaining == 996


def test_decision_has_the_headers_of_its_window() -> None:
    limiter = a_limiter()
    leased(limiter, 1, 999)
    made = decision(limiter)
    assert (made.limit, made.resets_at, made.retry_after) == (1000, HOUR + WINDOW_SECONDS, 3500)
    assert made.headers() == {
        "X-RateLimit-Limit": "1000",
        "X-RateLimit-Remaining": "999",
        "X-RateLimit-Reset": str(HOUR + WINDOW_SECONDS),
    }
    assert made.rejection() is None


def test_retry_after_is_at_least_a_second() -> None:
    rejected = a_limiter().peek(KEY, HOUR + WINDOW_SECONDS - 0.001)
    assert rejected.retry_after == 1


def test_exhausted_key_is_rejected_from_memory_for_a_second() -> None:
    limiter = a_limiter()
    leased(limiter, 0, 0)
    rejected = decision(limiter, NOW + 0.9)
    assert (rejected.is_admitted, rejected.remaining) == (False, 0)
    error = rejected.rejection()
    assert isinstance(error, RateLimitedError)
    assert (error.status, error.headers) == (429, {"Retry-After": "3500"})
    assert limiter.acquire_leased(KEY, NOW + 1.1) is None


def test_new_window_starts_with_the_complete_limit() -> None:
    limiter = a_limiter()
    leased(limiter, 0, 0)
    later = HOUR + WINDOW_SECONDS
    assert limiter.acquire_leased(KEY, later) is None
    assert limiter.peek(KEY, later).remaining == 1000
    assert limiter.lease_request(KEY, 1, later).arguments[-1] == HOUR + 2 * WINDOW_SECONDS


def test_grant_of_the_former_window_admits_no_request_in_the_next() -> None:
    limiter = a_limiter()
    request = limiter.lease_request(KEY, 1, HOUR + WINDOW_SECONDS - 1)
    later = HOUR + WINDOW_SECONDS + 1.0
    assert limiter.acquire_leased(KEY, later) is None
    limiter.grant(request, LeaseGrant(10, 500), later)
    assert limiter.acquire_leased(KEY, later) is None
    assert list(limiter.pending_returns(later, 10, only_expired=False)) == []


def test_local_limiting_continues_from_the_last_count_of_redis() -> None:
    limiter = a_limiter()
    leased(limiter, 1, 2)
    assert [limiter.acquire_locally(KEY, NOW).remaining for _ in range(3)] == [2, 1, 0]
    assert not limiter.acquire_locally(KEY, NOW).is_admitted


def test_local_limiting_admits_the_limit_of_an_unknown_key() -> None:
    limiter = a_limiter()
    admitted = [limiter.acquire_locally(KEY, NOW).is_admitted for _ in range(1001)]
    assert admitted == [True] * 1000 + [False]


def test_next_lease_request_reports_local_admissions() -> None:
    limiter = a_limiter()
    for _ in range(7):
        limiter.acquire_locally(KEY, NOW)
    request = leased(limiter, 10, 983)
    assert request.arguments[:4] == (1000, 7, 1, 10)
    assert decision(limiter).remaining == 992
    assert limiter.lease_request(KEY, 1, NOW).arguments[1] == 0


def test_failed_report_of_local_admissions_is_repeated() -> None:
    limiter = a_limiter()
    limiter.acquire_locally(KEY, NOW)
    limiter.fail(limiter.lease_request(KEY, 1, NOW))
    limiter.acquire_locally(KEY, NOW)
    [request] = limiter.pending_returns(NOW, 10)
    assert request.arguments[:4] == (1000, 2, 0, 0)


def test_local_admission_during_a_lease_request_is_counted() -> None:
    limiter = a_limiter()
    request = limiter.lease_request(KEY, 1, NOW)
    limiter.acquire_locally(KEY, NOW)
    limiter.grant(request, LeaseGrant(10, 990), NOW)
    assert decision(limiter).remaining == 998


def test_expired_lease_is_returned_once() -> None:
    limiter = a_limiter()
    leased(limiter, 10, 990)
    decision(limiter)
    assert list(limiter.pending_returns(NOW + LEASE_SECONDS - 0.1, 10)) == []
    [request] = limiter.pending_returns(NOW + LEASE_SECONDS, 10)
    assert request.arguments[:4] == (1000, -9, 0, 0)
    limiter.grant(request, LeaseGrant(0, 999), NOW + LEASE_SECONDS)
    assert limiter.peek(KEY, NOW + LEASE_SECONDS).remaining == 999
    assert limiter.acquire_leased(KEY, NOW + LEASE_SECONDS) is None
    assert list(limiter.pending_returns(NOW + 1000, 10)) == []


def test_all_leases_are_pending_returns_at_a_stop() -> None:
    limiter = a_limiter()
    leased(limiter, 10, 990)
    [request] = limiter.pending_returns(NOW, 10, only_expired=False)
    assert request.arguments[1] == -10


def test_lease_of_an_evicted_key_is_returned() -> None:
    limiter = Limiter(bytes(32), max_quotas=10)
    leased(limiter, 10, 990)
    for number in range(10):
        limiter.peek((60, f"address {number}"), NOW)
    requests = list(limiter.pending_returns(NOW + LEASE_SECONDS, 10))
    assert [request.arguments[1] for request in requests] == [-10]


def test_quotas_are_bounded_under_a_flood_while_redis_is_down() -> None:
    limiter = Limiter(bytes(32), max_quotas=100)
    for number in range(5000):
        limiter.acquire_locally((60, f"address {number}"), NOW)
    assert len(limiter) <= 100
    assert len(list(limiter.pending_returns(NOW + LEASE_SECONDS, 10_000))) == 100


@pytest.mark.parametrize("key", [bytes(32), bytes(range(32))])
def test_key_in_redis_depends_only_on_the_digest_key(key: bytes) -> None:
    names = {Limiter(key).lease_request(KEY, 1, NOW).key for _ in range(2)}
    assert len(names) == 1
    assert names != {Limiter(b"x" * 32).lease_request(KEY, 1, NOW).key}


def test_decisions_are_counted_by_outcome_and_by_local_limiting() -> None:
    limiter = a_limiter()
    leased(limiter, granted=1, left=0)
    assert decision(limiter).is_admitted
    leased(limiter, granted=0, left=0)
    assert not decision(limiter).is_admitted
    assert not limiter.acquire_locally(KEY, NOW).is_admitted
    assert limiter.acquire_locally((5, "another"), NOW).is_admitted
    counted = (limiter.admitted, limiter.rejected, limiter.admitted_locally, limiter.rejected_locally)
    assert counted == (1, 1, 1, 1)
