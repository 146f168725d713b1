"""An exposure is sent once, and again only when it was lost, evicted or made new by a change."""

import asyncio

from edge_api.events.exposures import ExposureRecorder
from edge_api.events.group_commit import GroupCommit
from tests.unit.edge_api.events.sinks import GatedSink, an_exposure

REVISION = 7


async def committed(commits: GroupCommit) -> None:
    """Commit the waiting records, and end."""
    commits.close()
    await commits.run()


def test_exposure_that_was_sent_lately_is_not_sent_again() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink()
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100)
        recorder = ExposureRecorder(commits)
        for device_id in ("phone", "tablet", "phone"):
            recorder.offer(an_exposure(device_id), REVISION)
        await committed(commits)
        return sink.groups

    assert asyncio.run(scenario()) == [2]


def test_exposure_is_sent_again_after_a_change_of_the_project() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink()
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100)
        recorder = ExposureRecorder(commits)
        for revision in (REVISION, REVISION + 1, REVISION + 1):
            recorder.offer(an_exposure("phone"), revision)
        await committed(commits)
        return sink.groups

    assert asyncio.run(scenario()) == [2]


def test_least_recently_used_exposure_is_evicted() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink()
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100)
        recorder = ExposureRecorder(commits, max_sent=2)
        for device_id in ("a", "b", "a", "c", "a", "b"):
            recorder.offer(an_exposure(device_id), REVISION)
        await committed(commits)
        return sink.groups

    assert asyncio.run(scenario()) == [4]


def test_lost_exposure_is_sent_again() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink(OSError())
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=100)
        recorder = ExposureRecorder(commits)
        task = asyncio.create_task(commits.run())
        for _ in range(2):
            recorder.offer(an_exposure(), REVISION)
            for _ in range(10):
                await asyncio.sleep(0)
        commits.close()
        await task
        return sink.groups

    assert asyncio.run(scenario()) == [1, 1]


def test_exposure_that_found_no_room_is_sent_later() -> None:
    async def scenario() -> list[int]:
        sink = GatedSink()
        sink.gate.set()
        commits = GroupCommit(sink, max_pending=2)
        recorder = ExposureRecorder(commits)
        task = asyncio.create_task(commits.run())
        recorder.offer(an_exposure("a"), REVISION)
        recorder.offer(an_exposure("b"), REVISION)
        for _ in range(10):
            await asyncio.sleep(0)
        recorder.offer(an_exposure("b"), REVISION)
        commits.close()
        await task
        return sink.groups

    assert asyncio.run(scenario()) == [1, 1]
