"""The limiter of a worker: admission on credit, by a lease and alone, and what it reports to Redis."""

import pytest

from common.errors import RateLimitedError
from common.rate_limit.limiter import (
    LEASE_SECONDS,
    REPORT_SECONDS,
    WINDOW_SECONDS,
    LeaseGrant,
    Limiter,
    RateLimitDecision,
    Settlement,
    lease_size,
)

HOUR = 1_700_000_000 // WINDOW_SECONDS * WINDOW_SECONDS
KEY = (1000, "user")
CREDIT = 10


class Worker:
    """A limiter with a clock that stands still, and its settlements."""

    def __init__(self, *, max_quotas: int = 1000) -> None:
        self.now = HOUR + 100.0
        self.limiter = Limiter(bytes(32), lambda: self.now, max_quotas=max_quotas)

    def acquire(self, times: int = 1) -> list[RateLimitDecision | None]:
        """Send so many requests."""
        return [self.limiter.acquire(KEY) for _ in range(times)]

    def decision(self) -> RateLimitDecision:
        """Return the decision on a request, which must be possible from memory."""
        decision = self.limiter.acquire(KEY)
        assert decision is not None
        return decision

    def settle(self, granted: int, left: int) -> list[tuple[int, int, int]]:
        """Reply to all settlements that are due, and return their added, minimum and maximum admissions."""
        batch = self.limiter.pending(100)
        for settlement in batch:
            self.limiter.apply(settlement, LeaseGrant(granted, left))
        return [settlement.arguments[1:4] for settlement in batch]

    def pending(self) -> list[Settlement]:
        return self.limiter.pending(10_000)


def with_lease(granted: int, left: int) -> Worker:
    """Return a worker whose credit is used up, and that has a lease."""
    worker = Worker()
    worker.acquire(CREDIT)
    worker.settle(granted, left)
    return worker


def test_lease_is_a_hundredth_of_the_limit_and_at_least_one() -> None:
    assert [lease_size(limit) for limit in (1, 60, 199, 200, 1000, 5000)] == [1, 1, 1, 2, 10, 50]


def test_requests_within_the_credit_are_admitted_at_once() -> None:
    decisions = Worker().acquire(CREDIT + 1)
    assert [decision and decision.remaining for decision in decisions] == [*range(999, 989, -1), None]


def test_few_requests_are_one_report_after_a_second_without_a_lease() -> None:
    worker = Worker()
    worker.acquire(5)
    assert worker.pending() == []
    worker.now += REPORT_SECONDS
    assert worker.settle(0, 995) == [(5, 0, 0)]
    worker.now += 2 * LEASE_SECONDS
    assert worker.pending() == []


def test_most_of_the_credit_is_reported_at_once_for_a_lease() -> None:
    worker, wakes = Worker(), []
    worker.limiter.on_urgent = lambda: wakes.append(worker.now)
    worker.acquire(7)
    assert wakes == []
    worker.acquire(1)
    assert len(wakes) == 1
    assert worker.settle(10, 982) == [(8, 0, 10)]
    assert worker.decision().remaining == 991


def test_burst_above_the_credit_asks_for_an_admission_of_each_waiting_request() -> None:
    worker = Worker()
    worker.acquire(CREDIT + 20)
    assert worker.settle(20, 970) == [(10, 20, 10)]
    assert [decision and decision.remaining for decision in worker.acquire(20)] == list(range(989, 969, -1))


def test_lease_is_renewed_before_it_is_used_up() -> None:
    worker = with_lease(10, 980)
    worker.acquire(7)
    assert worker.pending() == []
    worker.acquire(1)
    assert worker.settle(10, 970) == [(0, 0, 10)]
    assert all(worker.acquire(12))


def test_worker_alone_admits_exactly_the_limit_whatever_is_settled() -> None:
    worker = Worker()
    worker.limiter.redis_available = False
    decisions = worker.acquire(1001)
    assert [decision and decision.is_admitted for decision in decisions] == [True] * 1000 + [False]
    worker.limiter.redis_available = True
    assert not worker.decision().is_admitted


def test_decision_has_the_headers_of_its_window() -> None:
    made = Worker().decision()
    assert (made.limit, made.resets_at, made.retry_after) == (1000, HOUR + WINDOW_SECONDS, 3500)
    assert made.headers() == {
        "X-RateLimit-Limit": "1000",
        "X-RateLimit-Remaining": "999",
        "X-RateLimit-Reset": str(HOUR + WINDOW_SECONDS),
    }
    assert made.rejection() is None


def test_retry_after_is_at_least_a_second() -> None:
    worker = Worker()
    worker.now = HOUR + WINDOW_SECONDS - 0.001
    assert worker.limiter.peek(KEY).retry_after == 1


def test_exhausted_key_is_rejected_at_once_and_asks_again_after_a_second() -> None:
    worker = with_lease(0, 0)
    rejected = worker.decision()
    error = rejected.rejection()
    assert isinstance(error, RateLimitedError)
    assert (rejected.remaining, error.status, error.headers) == (0, 429, {"Retry-After": "3500"})
    assert worker.pending() == []
    worker.now += 1
    assert not worker.decision().is_admitted
    assert worker.settle(1, 9) == [(0, 1, 10)]
    assert worker.decision().is_admitted


def test_new_window_starts_with_the_complete_limit() -> None:
    worker = with_lease(0, 0)
    worker.now = HOUR + WINDOW_SECONDS
    assert worker.decision().remaining == 999
    worker.now += REPORT_SECONDS
    [settlement] = worker.pending()
    assert settlement.arguments == (1000, 1, 0, 0, HOUR + 2 * WINDOW_SECONDS)
    assert "user" not in settlement.key


def test_reply_of_the_former_window_admits_no_request_in_the_next() -> None:
    worker = Worker()
    worker.acquire(CREDIT)
    [settlement] = worker.pending()
    worker.now = HOUR + WINDOW_SECONDS + 1.0
    worker.acquire(CREDIT)
    worker.limiter.apply(settlement, LeaseGrant(10, 500))
    assert worker.limiter.acquire(KEY) is None


def test_local_limiting_continues_from_the_last_count_of_redis() -> None:
    worker = with_lease(1, 2)
    worker.limiter.redis_available = False
    assert [worker.limiter.acquire_locally(KEY).remaining for _ in range(3)] == [2, 1, 0]
    assert not worker.decision().is_admitted


def test_key_without_a_reply_is_limited_locally_until_the_next_one() -> None:
    worker = Worker()
    worker.acquire(CREDIT)
    [settlement] = worker.pending()
    worker.limiter.fail(settlement)
    assert all(worker.acquire(50))
    worker.now += REPORT_SECONDS
    assert worker.settle(0, 940) == [(60, 0, 0)]
    assert worker.acquire(CREDIT + 1)[-1] is None


def test_rejected_key_without_a_reply_asks_again() -> None:
    worker = with_lease(0, 0)
    worker.now += 1
    worker.acquire(1)
    [settlement] = worker.pending()
    worker.limiter.fail(settlement)
    worker.now += REPORT_SECONDS
    assert worker.settle(0, 5) == [(0, 0, 0)]
    assert worker.decision().is_admitted


def test_admission_during_a_settlement_is_counted() -> None:
    worker = Worker()
    worker.acquire(8)
    [settlement] = worker.pending()
    worker.acquire(1)
    worker.limiter.apply(settlement, LeaseGrant(10, 982))
    assert worker.decision().remaining == 990


def test_expired_lease_is_returned_once() -> None:
    worker = with_lease(10, 980)
    worker.acquire(1)
    worker.now += LEASE_SECONDS - 0.1
    assert worker.pending() == []
    worker.now += 0.1
    assert worker.settle(0, 989) == [(-9, 0, 0)]
    assert worker.limiter.peek(KEY).remaining == 989
    worker.now += 1000
    assert worker.pending() == []


def test_thousands_of_expired_leases_are_returned_in_one_round() -> None:
    worker = Worker(max_quotas=50_000)
    for number in range(5000):
        for _ in range(8):
            worker.limiter.acquire((1000, f"address {number}"))
    while worker.settle(10, 980):
        pass
    worker.now += LEASE_SECONDS
    assert len(worker.pending()) == 5000


def test_renewed_lease_does_not_keep_others_from_their_return() -> None:
    worker = with_lease(10, 980)
    other = (1000, "another user")
    for _ in range(8):
        worker.limiter.acquire(other)
    worker.settle(10, 982)
    worker.now += LEASE_SECONDS - 1
    worker.acquire(8)
    worker.settle(10, 970)
    worker.now += 1
    assert worker.settle(0, 990) == [(-10, 0, 0)]


def test_all_leases_and_reports_are_pending_at_a_stop() -> None:
    worker = with_lease(10, 980)
    worker.limiter.acquire((1000, "another user"))
    batch = worker.limiter.pending(10, all_leases=True)
    assert sorted(settlement.arguments[1] for settlement in batch) == [-10, 1]


def test_lease_of_an_evicted_key_is_returned() -> None:
    worker = Worker(max_quotas=10)
    worker.acquire(CREDIT)
    worker.settle(10, 980)
    for number in range(20):
        for _ in range(2):
            worker.limiter.peek((60, f"address {number}"))
    assert worker.settle(0, 990) == [(-10, 0, 0)]


def test_quotas_are_bounded_under_a_flood_while_redis_is_down() -> None:
    worker = Worker(max_quotas=100)
    worker.limiter.redis_available = False
    for number in range(5000):
        worker.limiter.acquire((60, f"address {number}"))
    assert len(worker.limiter) <= 100
    worker.now += LEASE_SECONDS
    assert len(worker.pending()) == 100


@pytest.mark.parametrize("key", [bytes(32), bytes(range(32))])
def test_key_in_redis_depends_only_on_the_digest_key(key: bytes) -> None:
    names = {Limiter(key).settle_with(KEY).key for _ in range(2)}
    assert len(names) == 1
    assert names != {Limiter(b"x" * 32).settle_with(KEY).key}


def test_decisions_are_counted_by_outcome_and_by_local_limiting() -> None:
    worker = with_lease(0, 0)
    assert not worker.decision().is_admitted
    assert not worker.limiter.acquire_locally(KEY).is_admitted
    assert worker.limiter.acquire_locally((5, "another")).is_admitted
    limiter = worker.limiter
    counted = (limiter.admitted, limiter.rejected, limiter.admitted_locally, limiter.rejected_locally)
    assert counted == (CREDIT, 1, 1, 1)
