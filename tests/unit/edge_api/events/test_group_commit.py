"""Groups form by themselves, nobody waits for ever, memory is bounded, nothing false is confirmed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from common.errors import UnavailableError
from edge_api.events.group_commit import GroupCommit
from tests.unit.edge_api.events.records import AnsweringLog, BrokenLog, GatedLog, an_event, an_exposure


@contextlib.asynccontextmanager
async def running(commits: GroupCommit) -> AsyncIterator[None]:
    """Run the committer until the block ends, then let it finish."""
    task = asyncio.create_task(commits.run())
    try:
        yield
    finally:
        commits.close()
        await task


async def settle_down() -> None:
    """Let every task that can go on do so."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_what_gathers_while_one_group_is_under_way_is_the_next() -> None:
    async def scenario() -> list[int]:
        log = GatedLog()
        commits = GroupCommit(log, pending_limit=100)
        async with running(commits):
            first = asyncio.create_task(commits.commit([an_event()]))
            await settle_down()
            others = [asyncio.create_task(commits.commit([an_event()])) for _ in range(20)]
            await settle_down()
            log.gate.set()
            await asyncio.gather(first, *others)
        return log.groups

    assert asyncio.run(scenario()) == [1, 20]


def test_the_next_group_is_sent_before_those_of_the_last_are_told() -> None:
    async def scenario() -> list[str]:
        diary: list[str] = []
        commits = GroupCommit(AnsweringLog(diary), pending_limit=100)

        def told(_fate: Exception | None) -> None:
            diary.append("told")

        commits.promise([an_event()], told)
        async with running(commits):
            await asyncio.sleep(0)
            for _ in range(2):
                commits.promise([an_event()], told)
            await settle_down()
        return diary

    assert asyncio.run(scenario()) == ["sent 1", "sent 2", "told", "told", "told"]


def test_an_answer_that_cannot_be_given_costs_nobody_else_theirs() -> None:
    def fail(_fate: Exception | None) -> None:
        raise RuntimeError

    async def scenario() -> list[Exception | None]:
        log = GatedLog()
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100)
        told: list[Exception | None] = []
        async with running(commits):
            commits.promise([an_event()], fail)
            commits.promise([an_event()], told.append)
            await commits.commit([an_event()])
        return told

    assert asyncio.run(scenario()) == [None]


def test_a_failed_group_fails_everyone_who_waits_for_it() -> None:
    async def scenario() -> list[BaseException | None]:
        log = GatedLog(OSError())
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100)
        async with running(commits):
            return await asyncio.gather(*(commits.commit([an_event()]) for _ in range(3)), return_exceptions=True)

    assert [type(result) for result in asyncio.run(scenario())] == [UnavailableError] * 3


def test_a_defect_of_the_log_leaves_nobody_waiting() -> None:
    async def scenario() -> None:
        commits = GroupCommit(BrokenLog(), pending_limit=100)
        task = asyncio.create_task(commits.run())
        with pytest.raises(UnavailableError):
            await commits.commit([an_event()])
        with pytest.raises(RuntimeError):
            await task

    asyncio.run(scenario())


def test_more_than_may_wait_is_refused_at_once() -> None:
    async def scenario() -> None:
        log = GatedLog()
        commits = GroupCommit(log, pending_limit=3)
        async with running(commits):
            waiting = asyncio.create_task(commits.commit([an_event()] * 2))
            await settle_down()
            with pytest.raises(UnavailableError):
                await commits.commit([an_event()] * 2)
            log.gate.set()
            await waiting
            await commits.commit([an_event()] * 3)

    asyncio.run(scenario())


def test_records_whose_loss_is_tolerable_never_fill_more_than_half() -> None:
    async def scenario() -> list[bool]:
        log = GatedLog()
        commits = GroupCommit(log, pending_limit=10)
        async with running(commits):
            taken = [commits.offer(an_exposure(), lambda _: None) for _ in range(7)]
            log.gate.set()
            await commits.commit([an_event()] * 5)
        return taken

    assert asyncio.run(scenario()) == [True] * 5 + [False] * 2


def test_closing_commits_what_waits_and_takes_no_more() -> None:
    async def scenario() -> list[int]:
        log = GatedLog()
        log.gate.set()
        commits = GroupCommit(log, pending_limit=10)
        assert commits.offer(an_exposure(), lambda _: None)
        commits.close()
        assert not commits.offer(an_exposure(), lambda _: None)
        with pytest.raises(UnavailableError):
            await commits.commit([an_event()])
        await commits.run()
        return log.groups

    assert asyncio.run(scenario()) == [1]


def test_a_request_that_gave_up_does_not_disturb_the_others() -> None:
    async def scenario() -> None:
        log = GatedLog()
        commits = GroupCommit(log, pending_limit=10)
        async with running(commits):
            gone, stays = (asyncio.create_task(commits.commit([an_event()])) for _ in range(2))
            await settle_down()
            gone.cancel()
            log.gate.set()
            await stays

    asyncio.run(scenario())


def test_a_failure_counts_until_a_group_succeeds_or_nothing_was_tried_for_a_while() -> None:
    async def scenario() -> list[bool]:
        now, log = [100.0], GatedLog(OSError())
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100, clock=lambda: now[0])
        seen = [commits.is_failing]
        async with running(commits):
            with contextlib.suppress(UnavailableError):
                await commits.commit([an_event()])
            seen.append(commits.is_failing)
            now[0] += 60
            seen.append(commits.is_failing)
        return seen

    assert asyncio.run(scenario()) == [False, True, False]


def test_what_became_of_records_is_counted() -> None:
    async def scenario(failure: OSError | None) -> tuple[int, int, int, int]:
        log = GatedLog() if failure is None else GatedLog(failure)
        log.gate.set()
        commits = GroupCommit(log, pending_limit=6)
        async with running(commits):
            with contextlib.suppress(UnavailableError):
                await commits.commit([an_event(), an_event()])
            assert commits.offer(an_exposure(), lambda _: None)
            with contextlib.suppress(UnavailableError):
                await commits.commit([an_event()] * 7)
        tally = commits.tally
        return tally.stored, tally.refused, tally.dropped, sum(tally.durations.cells)

    assert asyncio.run(scenario(None)) == (3, 7, 0, 2)
    assert asyncio.run(scenario(OSError())) == (0, 9, 1, 2)
