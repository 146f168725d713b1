"""Groups form without delays, every request gets a result, memory is bounded, nothing is confirmed falsely."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from common.errors import UnavailableError
from edge_api.events.group_commit import GroupCommit
from tests.unit.edge_api.events.sinks import (
    BrokenSink,
    FakeFallback,
    GatedSink,
    OddSink,
    RecordingSink,
    an_event,
    an_exposure,
)


@contextlib.asynccontextmanager
async def running(commits: GroupCommit) -> AsyncIterator[None]:
    """Run the group commit until the block ends, then let it finish."""
    task = asyncio.create_task(commits.run())
    try:
        yield
    finally:
        commits.close()
        await task


async def run_ready_tasks() -> None:
    """Let every task that can go on run."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_writes_that_arrive_during_a_group_form_the_next_group() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink()
        commits = GroupCommit(sink, max_pending=100)
        async with running(commits):
            first = asyncio.create_task(commits.commit([an_event()]))
            await run_ready_tasks()
            others = [asyncio.create_task(commits.commit([an_event()])) for _ in range(20)]
            await run_ready_tasks()
            sink.gate.set()
            await asyncio.gather(first, *others)
        return sink.groups

    assert asyncio.run(scenario()) == [1, 20]


def test_next_group_is_sent_before_requests_of_the_last_are_notified() -> None:
    async def scenario() -> list[str]:
        diary: list[str] = []
        commits = GroupCommit(RecordingSink(diary), max_pending=100)

        def notified(_error: Exception | None) -> None:
            diary.append("notified")

        commits.submit([an_event()], notified)
        async with running(commits):
            await asyncio.sleep(0)
            for _ in range(2):
                commits.submit([an_event()], notified)
            await run_ready_tasks()
        return diary

    assert asyncio.run(scenario()) == ["sent 1", "sent 2", "notified", "notified", "notified"]


def test_callback_that_raises_does_not_cost_other_requests_theirs() -> None:
    def fail(_error: Exception | None) -> None:
        raise RuntimeError

    async def scenario() -> list[Exception | None]:
        sink = GatedSink()
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100)
        results: list[Exception | None] = []
        async with running(commits):
            commits.submit([an_event()], fail)
            commits.submit([an_event()], results.append)
            await commits.commit([an_event()])
        return results

    assert asyncio.run(scenario()) == [None]


def test_failed_group_fails_all_requests_that_wait_for_it() -> None:
    async def scenario() -> list[BaseException | None]:
        sink = GatedSink(OSError())
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100)
        async with running(commits):
            return await asyncio.gather(*(commits.commit([an_event()]) for _ in range(3)), return_exceptions=True)

    assert [type(result) for result in asyncio.run(scenario())] == [UnavailableError] * 3


def test_defect_of_the_sink_leaves_no_request_waiting() -> None:
    async def scenario() -> None:
        commits = GroupCommit(BrokenSink(), max_pending=100)
        task = asyncio.create_task(commits.run())
        with pytest.raises(UnavailableError):
            await commits.commit([an_event()])
        with pytest.raises(RuntimeError):
            await task

    asyncio.run(scenario())


def test_records_above_the_bound_are_refused_at_once() -> None:
    async def scenario() -> None:
        sink = GatedSink()
        commits = GroupCommit(sink, max_pending=3)
        async with running(commits):
            waiting = asyncio.create_task(commits.commit([an_event()] * 2))
            await run_ready_tasks()
            with pytest.raises(UnavailableError):
                await commits.commit([an_event()] * 2)
            sink.gate.set()
            await waiting
            await commits.commit([an_event()] * 3)

    asyncio.run(scenario())


def test_best_effort_records_fill_at_most_half_of_the_bound() -> None:
    async def scenario() -> list[bool]:
        sink = GatedSink()
        commits = GroupCommit(sink, max_pending=10)
        async with running(commits):
            taken = [commits.submit_best_effort(an_exposure(), lambda _: None) for _ in range(7)]
            sink.gate.set()
            await commits.commit([an_event()] * 5)
        return taken

    assert asyncio.run(scenario()) == [True] * 5 + [False] * 2


def test_closing_commits_waiting_records_and_refuses_new_ones() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink()
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=10)
        assert commits.submit_best_effort(an_exposure(), lambda _: None)
        commits.close()
        assert not commits.submit_best_effort(an_exposure(), lambda _: None)
        with pytest.raises(UnavailableError):
            await commits.commit([an_event()])
        await commits.run()
        return sink.groups

    assert asyncio.run(scenario()) == [1]


def test_cancelled_request_does_not_disturb_the_others() -> None:
    async def scenario() -> None:
        sink = GatedSink()
        commits = GroupCommit(sink, max_pending=10)
        async with running(commits):
            gone, stays = (asyncio.create_task(commits.commit([an_event()])) for _ in range(2))
            await run_ready_tasks()
            gone.cancel()
            sink.gate.set()
            await stays

    asyncio.run(scenario())


def test_failure_counts_until_a_success_or_for_some_seconds() -> None:
    async def scenario() -> list[bool]:
        now, sink = [100.0], GatedSink(OSError())
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100, clock=lambda: now[0])
        seen = [commits.is_failing]
        async with running(commits):
            with contextlib.suppress(UnavailableError):
                await commits.commit([an_event()])
            seen.append(commits.is_failing)
            now[0] += 60
            seen.append(commits.is_failing)
        return seen

    assert asyncio.run(scenario()) == [False, True, False]


def test_stored_refused_and_dropped_records_are_counted() -> None:
    async def scenario(failure: OSError | None) -> tuple[int, int, int, int]:
        sink = GatedSink() if failure is None else GatedSink(failure)
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=6)
        async with running(commits):
            with contextlib.suppress(UnavailableError):
                await commits.commit([an_event(), an_event()])
            assert commits.submit_best_effort(an_exposure(), lambda _: None)
            with contextlib.suppress(UnavailableError):
                await commits.commit([an_event()] * 7)
        stats = commits.stats
        return stats.stored, stats.refused, stats.dropped, sum(stats.durations.bucket_counts)

    assert asyncio.run(scenario(None)) == (3, 7, 0, 2)
    assert asyncio.run(scenario(OSError())) == (0, 9, 1, 2)


def test_writes_that_the_sink_fails_go_to_the_fallback_alone() -> None:
    async def scenario() -> tuple[list[int], list[Exception | None]]:
        fallback = FakeFallback(is_direct=True)
        commits = GroupCommit(OddSink(), fallback, max_pending=100)
        results: list[Exception | None] = []
        for _ in range(5):
            commits.submit([an_event()], results.append)
        async with running(commits):
            await run_ready_tasks()
        assert fallback.appended == []
        return fallback.failed, results

    assert asyncio.run(scenario()) == ([2], [None] * 5)


def test_writes_that_must_not_overtake_go_to_the_fallback_first() -> None:
    async def scenario() -> tuple[list[int], list[int]]:
        sink, fallback = GatedSink(), FakeFallback(is_direct=False)
        commits = GroupCommit(sink, fallback, max_pending=100)
        async with running(commits):
            await commits.commit([an_event()])
        return sink.groups, fallback.appended

    assert asyncio.run(scenario()) == ([], [1])
