"""Workers of the management service that share a count: exact under load, across the hour, and around an outage."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import redis

from common.rate_limit.rate_limit_keys import RateLimitKey
from common.settings.shared import RateLimitSettings
from management_api.rate_limits.rate_limits import RateLimiter
from tests.hour_clock import HourClock
from tests.integration.rate_limits.workers import management_worker
from tests.polling import eventually
from tests.running_server import RunningServer

LIMIT = 400
LEASE = 4
BUCKET = RateLimitKey("jwt user_of_the_test", LIMIT)


@contextmanager
def workers(redis_url: str, clock: HourClock, count: int = 4) -> Iterator[list[RateLimiter]]:
    """Give so many workers."""
    made = [management_worker(redis_url, clock) for _ in range(count)]
    try:
        yield made
    finally:
        for worker in made:
            worker.close()


def admitted_of(fleet: list[RateLimiter], requests: int) -> int:
    """Send the requests to all workers at once, from two threads each, and count those that are admitted."""
    with ThreadPoolExecutor(2 * len(fleet)) as threads:
        rulings = threads.map(lambda number: fleet[number % len(fleet)].acquire(BUCKET), range(requests))
        return sum(ruling.is_admitted for ruling in rulings)


def test_four_workers_at_five_times_the_limit_admit_the_limit_in_every_hour(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock) as fleet:
        for _ in range(2):
            assert admitted_of(fleet, 5 * LIMIT) == LIMIT
            clock.next_hour()


def test_a_worker_that_dies_takes_no_more_than_its_lease_with_it(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock) as fleet:
        before = admitted_of(fleet, LIMIT // 2)
        after = admitted_of(fleet[1:], 5 * LIMIT)
    assert LIMIT - LEASE <= before + after <= LIMIT


def test_a_worker_that_ends_in_order_gives_its_lease_back(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock, count=1) as fleet:
        assert fleet[0].acquire(BUCKET).remaining == LIMIT - 1
    with workers(redis_url, clock, count=1) as fleet:
        assert admitted_of(fleet, 5 * LIMIT) == LIMIT - 1


def test_one_client_of_one_worker_has_one_less_each_time(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock, count=1) as [worker]:
        assert [worker.acquire(BUCKET).remaining for _ in range(LIMIT)] == list(range(LIMIT - 1, -1, -1))
        refused = worker.acquire(BUCKET)
    assert (refused.is_admitted, refused.remaining, refused.resets_at) == (False, 0, clock.window_end)


def test_without_redis_a_worker_limits_alone_and_with_it_the_count_is_one_again(
    private_redis_server: RunningServer, clock: HourClock
) -> None:
    with workers(private_redis_server.url, clock, count=2) as (one, other):
        assert (one.acquire(BUCKET).is_admitted, other.acquire(BUCKET).is_admitted) == (True, True)
        private_redis_server.kill()
        alone = [one.acquire(BUCKET).remaining for _ in range(100)]
        assert alone == list(range(LIMIT - 2, LIMIT - 102, -1))
        assert not one.is_shared
        private_redis_server.start()
        eventually(lambda: one.is_shared)
        # What one admitted alone, the other is not asked to know before Redis does.
        eventually(lambda: _taken(private_redis_server.url) == 101 + LEASE)
        assert admitted_of([one, other], 5 * LIMIT) == LIMIT - 102


def test_a_redis_that_hangs_delays_one_request_and_then_none(
    private_redis_server: RunningServer, clock: HourClock
) -> None:
    worker = management_worker(private_redis_server.url, clock, timeout_ms=200)
    worker.acquire(BUCKET)
    os.kill(private_redis_server.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert all(worker.acquire(BUCKET).is_admitted for _ in range(LIMIT - 1))
        assert time.monotonic() - began < 2
        assert not worker.is_shared
    finally:
        os.kill(private_redis_server.pid, signal.SIGCONT)
    eventually(lambda: worker.is_shared)
    worker.close()


def test_a_redis_that_is_full_refuses_no_request(private_redis_server: RunningServer, clock: HourClock) -> None:
    with redis.Redis.from_url(private_redis_server.url) as client:
        client.config_set("maxmemory", 1)
    with workers(private_redis_server.url, clock, count=1) as [worker]:
        assert worker.acquire(BUCKET).is_admitted


def test_a_service_without_redis_limits_each_worker_alone(clock: HourClock) -> None:
    worker = RateLimiter.of(RateLimitSettings(), None, clock)
    assert [worker.acquire(RateLimitKey("address a", 2)).is_admitted for _ in range(3)] == [True, True, False]
    assert not worker.is_shared


def test_to_look_counts_nothing(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock, count=1) as [worker]:
        assert {worker.peek(BUCKET).remaining for _ in range(5)} == {LIMIT}
        assert worker.acquire(BUCKET).remaining == LIMIT - 1


@pytest.mark.parametrize("limit", [1, 60, 99])
def test_small_limits_are_exact_over_workers(redis_url: str, clock: HourClock, limit: int) -> None:
    key = RateLimitKey("address a", limit)
    with workers(redis_url, clock) as fleet:
        answers = [fleet[number % 4].acquire(key).is_admitted for number in range(limit + 8)]
    assert answers == [True] * limit + [False] * 8


def _taken(redis_url: str) -> int:
    """Give how many admissions the workers have taken."""
    with redis.Redis.from_url(redis_url) as client:
        [key] = client.keys("onboarding:rate:*")
        return int(client.get(key) or 0)
