"""Workers of the management service share a count: exact under load, across the hour and around an outage."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import redis

from common.rate_limit.server_clock import ServerClock
from common.settings.shared import RateLimitSettings
from management_api.rate_limiter import RateLimiter
from tests.integration.rate_limits.workers import management_worker
from tests.support.polling import eventually
from tests.support.rate_limits import HourClock
from tests.support.servers.running_server import RunningServer

LIMIT = 400
KEY = (LIMIT, "jwt user_of_the_test")


@contextmanager
def workers(redis_url: str, clock: HourClock, count: int = 4) -> Iterator[list[RateLimiter]]:
    created = [management_worker(redis_url, clock) for _ in range(count)]
    try:
        yield created
    finally:
        for worker in created:
            worker.close()


def admitted_of(fleet: list[RateLimiter], requests: int) -> int:
    """Send the requests to all workers at once, from two threads each, and return the number of those admitted."""
    with ThreadPoolExecutor(2 * len(fleet)) as threads:
        decisions = threads.map(lambda number: fleet[number % len(fleet)].acquire(KEY), range(requests))
        return sum(decision.is_admitted for decision in decisions)


def test_four_workers_at_five_times_the_limit_admit_the_limit_every_hour(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock) as fleet:
        for _ in range(2):
            assert admitted_of(fleet, 5 * LIMIT) == LIMIT
            clock.next_hour()


def test_worker_that_ends_takes_no_admission_with_it(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock) as fleet:
        before = admitted_of(fleet, LIMIT // 2)
        after = admitted_of(fleet[1:], 5 * LIMIT)
    assert before + after == LIMIT


@pytest.mark.parametrize("has_redis", [True, False])
def test_costly_requests_take_their_cost_at_any_worker(redis_url: str, clock: HourClock, has_redis: bool) -> None:  # noqa: FBT001 - a parameter
    with workers(redis_url if has_redis else "redis://127.0.0.1:1", clock, count=1) as [worker]:
        worker.acquire(KEY)
        remaining = [worker.acquire(KEY, 150).remaining for _ in range(3)]
        assert remaining == [249, 99, 0]
        assert not worker.acquire(KEY).is_admitted


def test_request_costs_one_call_of_the_script(private_redis_server: RunningServer, clock: HourClock) -> None:
    """The server is its own: the lasting edges of other tests return leases to the common one."""
    url = private_redis_server.url
    with workers(url, clock, count=1) as [worker], redis.Redis.from_url(url) as redis_client:
        redis_client.config_resetstat()
        for _ in range(10):
            worker.acquire(KEY)
        assert redis_client.info("commandstats")["cmdstat_eval"]["calls"] == 10


def test_workers_limit_locally_without_redis_and_share_a_count_after_it(
    private_redis_server: RunningServer, clock: HourClock
) -> None:
    with workers(private_redis_server.url, clock, count=2) as (first, second):
        assert (first.acquire(KEY).is_admitted, second.acquire(KEY).is_admitted) == (True, True)
        private_redis_server.kill()
        local = [first.acquire(KEY).remaining for _ in range(100)]
        assert local == list(range(LIMIT - 2, LIMIT - 102, -1))
        assert not first.redis_available
        private_redis_server.start()
        eventually(lambda: first.redis_available)
        # The first worker reports its local admissions with its next request.
        assert first.acquire(KEY).remaining == LIMIT - 103
        assert admitted_of([first, second], 5 * LIMIT) == LIMIT - 103


def test_hanging_redis_delays_one_request(private_redis_server: RunningServer, clock: HourClock) -> None:
    worker = management_worker(private_redis_server.url, clock, timeout_ms=200)
    worker.acquire(KEY)
    os.kill(private_redis_server.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert all(worker.acquire(KEY).is_admitted for _ in range(LIMIT - 1))
        # Each request that waited would add 0.2 s.
        assert time.monotonic() - began < 10
        assert not worker.redis_available
    finally:
        os.kill(private_redis_server.pid, signal.SIGCONT)
    eventually(lambda: worker.redis_available)
    worker.close()


def test_full_redis_rejects_no_request(private_redis_server: RunningServer, clock: HourClock) -> None:
    with redis.Redis.from_url(private_redis_server.url) as client:
        client.config_set("maxmemory", 1)
    with workers(private_redis_server.url, clock, count=1) as [worker]:
        assert worker.acquire(KEY).is_admitted


def test_service_without_redis_limits_in_each_worker(clock: HourClock) -> None:
    worker = RateLimiter.from_settings(RateLimitSettings(), None, clock)
    assert [worker.acquire((2, "address a")).is_admitted for _ in range(3)] == [True, True, False]
    assert not worker.redis_available


def test_peek_counts_nothing(redis_url: str, clock: HourClock) -> None:
    with workers(redis_url, clock, count=1) as [worker]:
        assert {worker.peek(KEY).remaining for _ in range(5)} == {LIMIT}
        assert worker.acquire(KEY).remaining == LIMIT - 1


def test_worker_with_a_wrong_clock_follows_the_window_of_redis(redis_url: str) -> None:
    wrong = ServerClock(lambda: time.time() - 3600)
    worker = management_worker(redis_url, wrong)
    decision = worker.acquire((60, "address a"))
    worker.close()
    assert 0 < decision.resets_at - time.time() <= 3600 + 5
    assert wrong.difference == pytest.approx(3600, abs=5)
