"""An exposure is sent once, and again only when it was lost or forgotten."""

import asyncio

from edge_api.events.exposures import ExposureRecorder
from edge_api.events.group_commit import GroupCommit
from tests.unit.edge_api.events.records import GatedLog, an_exposure

REVISION = 7


async def committed(commits: GroupCommit) -> None:
    """Commit what waits, and end."""
    commits.close()
    await commits.run()


def test_an_exposure_that_was_sent_lately_is_not_sent_again() -> None:
    async def scenario() -> list[int]:
        log = GatedLog()
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100)
        recorder = ExposureRecorder(commits)
        for device_id in ("phone", "tablet", "phone"):
            recorder.offer(an_exposure(device_id), REVISION)
        await committed(commits)
        return log.groups

    assert asyncio.run(scenario()) == [2]


def test_an_exposure_is_sent_again_once_its_project_has_changed() -> None:
    async def scenario() -> list[int]:
        log = GatedLog()
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100)
        recorder = ExposureRecorder(commits)
        for revision in (REVISION, REVISION + 1, REVISION + 1):
            recorder.offer(an_exposure("phone"), revision)
        await committed(commits)
        return log.groups

    assert asyncio.run(scenario()) == [2]


def test_only_so_many_are_remembered_the_latest_used_among_them() -> None:
    async def scenario() -> list[int]:
        log = GatedLog()
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100)
        recorder = ExposureRecorder(commits, remembered=2)
        for device_id in ("a", "b", "a", "c", "a", "b"):
            recorder.offer(an_exposure(device_id), REVISION)
        await committed(commits)
        return log.groups

    assert asyncio.run(scenario()) == [4]


def test_a_lost_exposure_may_be_sent_again() -> None:
    async def scenario() -> list[int]:
        log = GatedLog(OSError())
        log.gate.set()
        commits = GroupCommit(log, pending_limit=100)
        recorder = ExposureRecorder(commits)
        task = asyncio.create_task(commits.run())
        for _ in range(2):
            recorder.offer(an_exposure(), REVISION)
            for _ in range(10):
                await asyncio.sleep(0)
        commits.close()
        await task
        return log.groups

    assert asyncio.run(scenario()) == [1, 1]


def test_an_exposure_that_found_no_room_may_be_sent_later() -> None:
    async def scenario() -> list[int]:
        log = GatedLog()
        log.gate.set()
        commits = GroupCommit(log, pending_limit=2)
        recorder = ExposureRecorder(commits)
        task = asyncio.create_task(commits.run())
        recorder.offer(an_exposure("a"), REVISION)
        recorder.offer(an_exposure("b"), REVISION)
        for _ in range(10):
            await asyncio.sleep(0)
        recorder.offer(an_exposure("b"), REVISION)
        commits.close()
        await task
        return log.groups

    assert asyncio.run(scenario()) == [1, 1]
