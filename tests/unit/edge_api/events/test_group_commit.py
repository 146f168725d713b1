"""Groups form without delays, every request gets a result, memory is bounded, nothing is confirmed falsely."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
import structlog

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
    for _ in range(10):
        await asyncio.sleep(0)


async def test_writes_that_arrive_during_a_group_form_the_next_group() -> None:
    sink = GatedSink()
    commits = GroupCommit(sink, max_pending=100)
    async with running(commits):
        first = asyncio.create_task(commits.commit([an_event()]))
        await run_ready_tasks()
        others = [asyncio.create_task(commits.commit([an_event()])) for _ in range(20)]
        await run_ready_tasks()
        sink.gate.set()
        await asyncio.gather(first, *others)
    assert sink.groups == [1, 20]


async def test_next_group_is_sent_before_requests_of_the_last_are_notified() -> None:
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
    assert diary == ["sent 1", "sent 2", "notified", "notified", "notified"]


async def test_callback_that_raises_does_not_cost_other_requests_theirs() -> None:
    def fail(_error: Exception | None) -> None:
        raise RuntimeError

    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    results: list[Exception | None] = []
    async with running(commits):
        commits.submit([an_event()], fail)
        commits.submit([an_event()], results.append)
        await commits.commit([an_event()])
    assert results == [None]


async def test_failed_group_fails_all_requests_that_wait_for_it() -> None:
    sink = GatedSink(OSError())
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    async with running(commits):
        result = await asyncio.gather(*(commits.commit([an_event()]) for _ in range(3)), return_exceptions=True)
    assert [type(result) for result in result] == [UnavailableError] * 3


async def test_defect_of_the_sink_leaves_no_request_waiting() -> None:
    commits = GroupCommit(BrokenSink(), max_pending=100)
    task = asyncio.create_task(commits.run())
    with pytest.raises(UnavailableError):
        await commits.commit([an_event()])
    with pytest.raises(RuntimeError):
        await task


async def test_backlog_is_committed_after_a_defect_of_the_sink() -> None:
    commits = GroupCommit(BrokenSink(), max_pending=5000)
    results: list[Exception | None] = []
    for _ in range(3):
        commits.submit([an_event()] * 1000, results.append)
    for _ in range(3):
        # As its background task restarts it.
        with pytest.raises(RuntimeError):
            async with asyncio.timeout(1):
                await commits.run()
    assert len(results) == 3


async def test_records_above_the_bound_are_refused_at_once() -> None:
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


async def test_best_effort_records_fill_at_most_half_of_the_bound() -> None:
    sink = GatedSink()
    commits = GroupCommit(sink, max_pending=10)
    async with running(commits):
        taken = [commits.submit_best_effort(an_exposure(), lambda _: None) for _ in range(7)]
        sink.gate.set()
        await commits.commit([an_event()] * 5)
    assert taken == [True] * 5 + [False] * 2


async def test_closing_commits_waiting_records_and_refuses_new_ones() -> None:
    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=10)
    assert commits.submit_best_effort(an_exposure(), lambda _: None)
    commits.close()
    assert not commits.submit_best_effort(an_exposure(), lambda _: None)
    with pytest.raises(UnavailableError):
        await commits.commit([an_event()])
    await commits.run()
    assert sink.groups == [1]


async def test_cancelled_request_does_not_disturb_the_others() -> None:
    sink = GatedSink()
    commits = GroupCommit(sink, max_pending=10)
    async with running(commits):
        gone, stays = (asyncio.create_task(commits.commit([an_event()])) for _ in range(2))
        await run_ready_tasks()
        gone.cancel()
        sink.gate.set()
        await stays


async def test_failure_counts_until_a_success_or_for_some_seconds() -> None:
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
    assert seen == [False, True, False]


async def test_lost_exposures_do_not_count_as_a_failure() -> None:
    commits = GroupCommit(OddSink(), max_pending=100)
    commits.submit([an_event()], lambda _: None)
    assert commits.submit_best_effort(an_exposure(), lambda _: None)
    with structlog.testing.capture_logs() as logged:
        async with running(commits):
            await run_ready_tasks()
    assert (commits.is_failing, commits.stats.dropped, logged) == (False, 1, [])


@pytest.mark.parametrize(("sink", "counts"), [(GatedSink(), (3, 7, 0, 2)), (GatedSink(OSError()), (0, 9, 1, 2))])
async def test_stored_refused_and_dropped_records_are_counted(
    sink: GatedSink, counts: tuple[int, int, int, int]
) -> None:
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=6)
    async with running(commits):
        with contextlib.suppress(UnavailableError):
            await commits.commit([an_event(), an_event()])
        assert commits.submit_best_effort(an_exposure(), lambda _: None)
        with contextlib.suppress(UnavailableError):
            await commits.commit([an_event()] * 7)
    stats = commits.stats
    assert (stats.stored, stats.rejected, stats.dropped, sum(stats.durations.bucket_counts)) == counts


async def test_writes_that_the_sink_fails_go_to_the_fallback_alone() -> None:
    fallback = FakeFallback(is_direct=True)
    commits = GroupCommit(OddSink(), fallback, max_pending=100)
    results: list[Exception | None] = []
    for _ in range(5):
        commits.submit([an_event()], results.append)
    async with running(commits):
        await run_ready_tasks()
    assert fallback.appended == []
    assert (fallback.failed, results) == ([2], [None] * 5)


async def test_writes_that_must_not_overtake_go_to_the_fallback_first() -> None:
    sink, fallback = GatedSink(), FakeFallback(is_direct=False)
    commits = GroupCommit(sink, fallback, max_pending=100)
    async with running(commits):
        await commits.commit([an_event()])
    assert (sink.groups, fallback.appended) == ([], [1])
