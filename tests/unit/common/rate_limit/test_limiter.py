"""The limiter of one worker: what it admits by a lease, without one, and what it tells Redis."""

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
    """Give a limiter that holds nothing."""
    return Limiter(bytes(32))


def leased(limiter: Limiter, granted: int, left: int, now: float = NOW) -> LeaseRequest:
    """Let the limiter have a lease, and give what it had asked for."""
    request = limiter.lease_request(KEY, 1, now)
    limiter.grant(request, LeaseGrant(granted, left), now)
    return request


def ruling(limiter: Limiter, now: float = NOW) -> RateLimitDecision:
    """Give a ruling that must be possible from memory."""
    given = limiter.acquire_leased(KEY, now)
    assert given is not None
    return given


def test_a_lease_is_a_hundredth_of_the_limit_and_one_at_least() -> None:
    assert [lease_size(limit) for limit in (1, 60, 199, 200, 1000, 5000)] == [1, 1, 1, 2, 10, 50]


def test_without_a_lease_nothing_is_ruled() -> None:
    assert a_limiter().acquire_leased(KEY, NOW) is None


def test_a_lease_is_asked_for_by_limit_and_window() -> None:
    request = a_limiter().lease_request(KEY, 3, NOW)
    assert request.arguments == (1000, 0, 3, 10, HOUR + WINDOW_SECONDS)
    assert "user" not in request.key


def test_each_request_of_a_lease_leaves_one_less() -> None:
    limiter = a_limiter()
    leased(limiter, 3, 997)
    assert [ruling(limiter).remaining for _ in range(3)] == [999, 998, 997]
    assert limiter.acquire_leased(KEY, NOW) is None
    leased(limiter, 3, 994)
    assert ruling(limiter).remaining == 996


def test_a_ruling_tells_the_windows_end() -> None:
    limiter = a_limiter()
    leased(limiter, 1, 999)
    given = ruling(limiter)
    assert (given.limit, given.resets_at, given.retry_after) == (1000, HOUR + WINDOW_SECONDS, 3500)
    assert given.headers() == {
        "X-RateLimit-Limit": "1000",
        "X-RateLimit-Remaining": "999",
        "X-RateLimit-Reset": str(HOUR + WINDOW_SECONDS),
    }
    assert given.rejection() is None


def test_the_last_moment_of_a_window_says_to_wait_a_second() -> None:
    refused = a_limiter().peek(KEY, HOUR + WINDOW_SECONDS - 0.001)
    assert refused.retry_after == 1


def test_what_redis_has_no_more_of_is_refused_from_memory_for_a_second() -> None:
    limiter = a_limiter()
    leased(limiter, 0, 0)
    refused = ruling(limiter, NOW + 0.9)
    assert (refused.is_admitted, refused.remaining) == (False, 0)
    error = refused.rejection()
    assert isinstance(error, RateLimitedError)
    assert (error.status, error.headers) == (429, {"Retry-After": "3500"})
    assert limiter.acquire_leased(KEY, NOW + 1.1) is None


def test_a_new_window_begins_with_nothing_used() -> None:
    limiter = a_limiter()
    leased(limiter, 0, 0)
    later = HOUR + WINDOW_SECONDS
    assert limiter.acquire_leased(KEY, later) is None
    assert limiter.peek(KEY, later).remaining == 1000
    assert limiter.lease_request(KEY, 1, later).arguments[-1] == HOUR + 2 * WINDOW_SECONDS


def test_a_grant_of_the_last_window_admits_nobody_in_this_one() -> None:
    limiter = a_limiter()
    request = limiter.lease_request(KEY, 1, HOUR + WINDOW_SECONDS - 1)
    later = HOUR + WINDOW_SECONDS + 1.0
    assert limiter.acquire_leased(KEY, later) is None
    limiter.grant(request, LeaseGrant(10, 500), later)
    assert limiter.acquire_leased(KEY, later) is None
    assert list(limiter.pending_returns(later, 10, only_expired=False)) == []


def test_alone_a_worker_goes_on_from_what_redis_last_said() -> None:
    limiter = a_limiter()
    leased(limiter, 1, 2)
    assert [limiter.acquire_locally(KEY, NOW).remaining for _ in range(3)] == [2, 1, 0]
    assert not limiter.acquire_locally(KEY, NOW).is_admitted


def test_alone_a_worker_admits_the_limit_to_whom_it_does_not_know() -> None:
    limiter = a_limiter()
    admitted = [limiter.acquire_locally(KEY, NOW).is_admitted for _ in range(1001)]
    assert admitted == [True] * 1000 + [False]


def test_redis_is_told_of_requests_admitted_alone() -> None:
    limiter = a_limiter()
    for _ in range(7):
        limiter.acquire_locally(KEY, NOW)
    request = leased(limiter, 10, 983)
    assert request.arguments[:4] == (1000, 7, 1, 10)
    assert ruling(limiter).remaining == 992
    assert limiter.lease_request(KEY, 1, NOW).arguments[1] == 0


def test_redis_is_told_again_when_it_did_not_answer() -> None:
    limiter = a_limiter()
    limiter.acquire_locally(KEY, NOW)
    limiter.fail(limiter.lease_request(KEY, 1, NOW))
    limiter.acquire_locally(KEY, NOW)
    [request] = limiter.pending_returns(NOW, 10)
    assert request.arguments[:4] == (1000, 2, 0, 0)


def test_a_request_admitted_alone_while_a_lease_is_fetched_is_counted() -> None:
    limiter = a_limiter()
    request = limiter.lease_request(KEY, 1, NOW)
    limiter.acquire_locally(KEY, NOW)
    limiter.grant(request, LeaseGrant(10, 990), NOW)
    assert ruling(limiter).remaining == 998


def test_an_expired_lease_is_given_back_once() -> None:
    limiter = a_limiter()
    leased(limiter, 10, 990)
    ruling(limiter)
    assert list(limiter.pending_returns(NOW + LEASE_SECONDS - 0.1, 10)) == []
    [request] = limiter.pending_returns(NOW + LEASE_SECONDS, 10)
    assert request.arguments[:4] == (1000, -9, 0, 0)
    limiter.grant(request, LeaseGrant(0, 999), NOW + LEASE_SECONDS)
    assert limiter.peek(KEY, NOW + LEASE_SECONDS).remaining == 999
    assert limiter.acquire_leased(KEY, NOW + LEASE_SECONDS) is None
    assert list(limiter.pending_returns(NOW + 1000, 10)) == []


def test_at_the_end_of_a_worker_all_leases_are_given_back() -> None:
    limiter = a_limiter()
    leased(limiter, 10, 990)
    [request] = limiter.pending_returns(NOW, 10, only_expired=False)
    assert request.arguments[1] == -10


def test_what_a_flood_pushes_out_gives_its_lease_back() -> None:
    limiter = Limiter(bytes(32), max_quotas=10)
    leased(limiter, 10, 990)
    for number in range(10):
        limiter.peek((60, f"stranger {number}"), NOW)
    requests = list(limiter.pending_returns(NOW + LEASE_SECONDS, 10))
    assert [request.arguments[1] for request in requests] == [-10]


def test_memory_is_bounded_under_a_flood_while_redis_is_away() -> None:
    limiter = Limiter(bytes(32), max_quotas=100)
    for number in range(5000):
        limiter.acquire_locally((60, f"stranger {number}"), NOW)
    assert len(limiter) <= 100
    assert len(list(limiter.pending_returns(NOW + LEASE_SECONDS, 10_000))) == 100


@pytest.mark.parametrize("key", [bytes(32), bytes(range(32))])
def test_the_name_in_redis_depends_on_the_digest_key_and_nothing_else_of_the_worker(key: bytes) -> None:
    names = {Limiter(key).lease_request(KEY, 1, NOW).key for _ in range(2)}
    assert len(names) == 1
    assert names != {Limiter(b"x" * 32).lease_request(KEY, 1, NOW).key}


def test_rulings_are_counted_by_what_they_were_and_whether_redis_was_there() -> None:
    limiter = a_limiter()
    leased(limiter, granted=1, left=0)
    assert ruling(limiter).is_admitted
    leased(limiter, granted=0, left=0)
    assert not ruling(limiter).is_admitted
    assert not limiter.acquire_locally(KEY, NOW).is_admitted
    assert limiter.acquire_locally((5, "another"), NOW).is_admitted
    counted = (limiter.admitted, limiter.rejected, limiter.admitted_locally, limiter.rejected_locally)
    assert counted == (1, 1, 1, 1)
