"""Workers of the edge share a count: exact under load, across the hour and around an outage."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import redis

from common.rate_limit.server_clock import ServerClock
from edge_api.rate_limiter import RateLimiter
from tests.integration.rate_limits.workers import edge_worker, management_worker
from tests.support.polling import eventually
from tests.support.rate_limits import HourClock
from tests.support.servers.running_server import RunningServer

LIMIT = 400
LEASE = 4
KEY = (LIMIT, "secret-key proj_of_the_test 203.0.113.9")


@asynccontextmanager
async def workers(redis_url: str, clock: HourClock, count: int = 4) -> AsyncIterator[list[RateLimiter]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(edge_worker(redis_url, clock)) for _ in range(count)]


async def admitted_of(fleet: Sequence[RateLimiter], requests: int) -> int:
    """Send the requests to all workers at once and return the number of those admitted."""
    decisions = await asyncio.gather(*(fleet[number % len(fleet)].acquire_later(KEY) for number in range(requests)))
    return sum(decision.is_admitted for decision in decisions)


async def until_shared(worker: RateLimiter) -> None:
    """Wait until the worker has reached Redis."""
    await asyncio.to_thread(lambda: eventually(lambda: worker.redis_available))


async def test_four_workers_at_five_times_the_limit_exceed_it_by_a_lease_each(redis_url: str, clock: HourClock) -> None:
    async with workers(redis_url, clock) as fleet:
        for _ in range(2):
            admitted = [await admitted_of(fleet, LIMIT // 4) for _ in range(20)]
            assert LIMIT <= sum(admitted) <= LIMIT + 4 * LEASE
            clock.next_hour()


async def test_killed_worker_loses_no_more_than_its_lease(redis_url: str, clock: HourClock) -> None:
    async with workers(redis_url, clock) as fleet:
        before = sum([await admitted_of(fleet, 50) for _ in range(4)])
        after = sum([await admitted_of(fleet[1:], LIMIT) for _ in range(5)])
        assert LIMIT - LEASE <= before + after <= LIMIT + 4 * LEASE


async def test_concurrent_requests_share_a_call_of_the_script(
    private_redis_server: RunningServer, clock: HourClock
) -> None:
    """The server is its own: the lasting edges of other tests return leases to the common one."""
    async with workers(private_redis_server.url, clock, count=1) as [worker]:
        with redis.Redis.from_url(private_redis_server.url) as client:
            client.config_resetstat()
            assert await admitted_of([worker], 300) == 300
            assert client.info("commandstats")["cmdstat_eval"]["calls"] <= 2


async def test_first_requests_of_a_client_are_decided_without_waiting(redis_url: str, clock: HourClock) -> None:
    async with workers(redis_url, clock, count=1) as [worker]:
        first = [worker.acquire(KEY) for _ in range(LEASE + 1)]
        assert [decision and decision.remaining for decision in first] == [
            *range(LIMIT - 1, LIMIT - LEASE - 1, -1),
            None,
        ]
        assert (await worker.acquire_later(KEY)).remaining == LIMIT - LEASE - 1


async def test_remaining_of_a_client_at_one_worker_falls_by_one_each_time(redis_url: str, clock: HourClock) -> None:
    async with workers(redis_url, clock, count=1) as [worker]:
        assert [(await worker.acquire_later(KEY)).remaining for _ in range(LIMIT)] == list(range(LIMIT - 1, -1, -1))
        assert not (await worker.acquire_later(KEY)).is_admitted


async def test_worker_that_stops_cleanly_returns_its_lease(redis_url: str, clock: HourClock) -> None:
    async with workers(redis_url, clock, count=1) as [worker]:
        await worker.acquire_later(KEY)
    async with workers(redis_url, clock, count=1) as [worker]:
        assert await admitted_of([worker], 5 * LIMIT) == LIMIT - 1


async def test_workers_limit_locally_without_redis_and_share_a_count_after_it(
    private_redis_server: RunningServer, clock: HourClock
) -> None:
    async with workers(private_redis_server.url, clock, count=2) as (first, second):
        await first.acquire_later(KEY)
        await second.acquire_later(KEY)
        private_redis_server.kill()
        local = [(await first.acquire_later(KEY)).remaining for _ in range(100)]
        assert local == list(range(LIMIT - 2, LIMIT - 102, -1))
        assert not first.redis_available
        await asyncio.to_thread(private_redis_server.start)
        await until_shared(first)
        assert (await first.acquire_later(KEY)).is_admitted
        admitted = await admitted_of([first, second], 5 * LIMIT)
        assert LIMIT - 103 <= admitted <= LIMIT - 103 + 2 * LEASE


async def test_hanging_redis_delays_requests_once(private_redis_server: RunningServer, clock: HourClock) -> None:
    async with edge_worker(private_redis_server.url, clock, timeout_ms=200) as worker:
        await worker.acquire_later(KEY)
        os.kill(private_redis_server.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            assert await admitted_of([worker], LIMIT - 1) == LIMIT - 1
            # Each request that waited would add 0.2 s.
            assert time.monotonic() - began < 10
            assert not worker.redis_available
            assert worker.acquire((60, "address of an anonymous client")) is not None
        finally:
            os.kill(private_redis_server.pid, signal.SIGCONT)
        await until_shared(worker)


async def test_both_services_share_one_count(redis_url: str, clock: HourClock) -> None:
    key = (60, "address 203.0.113.9")
    management = management_worker(redis_url, clock)

    async with workers(redis_url, clock, count=1) as [edge]:
        for number in range(30):
            assert (await edge.acquire_later(key)).is_admitted
            # The edge does so a moment later.
            await edge.settle_all()
            assert management.acquire(key).remaining == 58 - 2 * number
        assert not management.acquire(key).is_admitted
        # One on credit: the edge has not heard of the last one of management.
        assert (await edge.acquire_later(key)).is_admitted
        await edge.settle_all()
        assert not (await edge.acquire_later(key)).is_admitted
    management.close()


@pytest.mark.parametrize("hours", [-1, 1])
async def test_worker_with_a_wrong_clock_shares_the_window_of_redis(redis_url: str, hours: int) -> None:
    key = (60, "address 203.0.113.9")

    wrong = ServerClock(lambda: time.time() + hours * 3600)
    async with edge_worker(redis_url, wrong) as wrong_worker, edge_worker(redis_url, ServerClock()) as right_worker:
        decisions = [await worker.acquire_later(key) for _ in range(60) for worker in (wrong_worker, right_worker)]
    assert 60 <= sum(decision.is_admitted for decision in decisions) <= 60 + 2
    assert len({decision.resets_at for decision in decisions}) == 1
    assert wrong.difference == pytest.approx(-hours * 3600, abs=5)
