"""An exposure is sent once, and again only when it was lost, evicted or made new by a change."""

import asyncio
import time

from common.rules.resolution import Choice, Source, variant_choice
from common.wire.public_bodies import ResolveBody
from common.wire.snapshot import Snapshot
from common.wire.stream_records import ExposureRecord, StreamRecord
from edge_api.events.exposures import ExposureRecorder
from edge_api.events.group_commit import GroupCommit, OnDone
from tests.support.data.snapshots import KEY_ID, a_snapshot, next_revision
from tests.unit.edge_api.events.sinks import GatedSink
from tests.unit.edge_api.events.used_quotas import no_quotas, quotas_used_up

SNAPSHOT = a_snapshot()
CHOICE = Choice(Source.DEFAULT, "flow_default")


def record(recorder: ExposureRecorder, device_id: str = "phone", snapshot: Snapshot = SNAPSHOT) -> None:
    recorder.record(snapshot, ResolveBody(device_id=device_id), CHOICE, KEY_ID)


async def committed(commits: GroupCommit) -> None:
    """Commit the waiting records, and end."""
    commits.close()
    await commits.run()


async def test_exposure_that_was_sent_lately_is_not_sent_again() -> None:
    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    recorder = ExposureRecorder(commits, no_quotas())
    for device_id in ("phone", "tablet", "phone"):
        record(recorder, device_id)
    await committed(commits)
    assert sink.groups == [2]


async def test_exposure_is_sent_again_after_a_change_of_the_project() -> None:
    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    recorder = ExposureRecorder(commits, no_quotas())
    changed = next_revision(SNAPSHOT)
    for snapshot in (SNAPSHOT, changed, changed):
        record(recorder, snapshot=snapshot)
    await committed(commits)
    assert sink.groups == [2]


async def test_exposure_that_was_not_offered_for_long_is_sent_again() -> None:
    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    recorder = ExposureRecorder(commits, no_quotas(), max_sent=2)
    # "a" is used in each generation of two; "b" only in the first one.
    for device_id in ("a", "b", "c", "a", "d", "a", "b"):
        record(recorder, device_id)
    await committed(commits)
    assert sink.groups == [5]


async def test_lost_exposure_is_sent_again() -> None:
    sink = GatedSink(OSError())
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    recorder = ExposureRecorder(commits, no_quotas())
    task = asyncio.create_task(commits.run())
    for _ in range(2):
        record(recorder)
        for _ in range(10):
            await asyncio.sleep(0)
    commits.close()
    await task
    assert sink.groups == [1, 1]


async def test_exposure_that_found_no_room_is_sent_later() -> None:
    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=2)
    recorder = ExposureRecorder(commits, no_quotas())
    task = asyncio.create_task(commits.run())
    record(recorder, "a")
    record(recorder, "b")
    for _ in range(10):
        await asyncio.sleep(0)
    record(recorder, "b")
    commits.close()
    await task
    assert sink.groups == [1, 1]


async def test_record_has_the_fields_of_the_exposure() -> None:
    records: list[ExposureRecord] = []

    class Commits(GroupCommit):
        def submit_best_effort(self, record: StreamRecord, on_done: OnDone) -> bool:
            assert isinstance(record, ExposureRecord)
            records.append(record)
            return super().submit_best_effort(record, on_done)

    before = int(time.time() * 1000)
    recorder = ExposureRecorder(Commits(GatedSink(), max_pending=100), no_quotas())
    device = ResolveBody(device_id="phone", platform="ios")
    recorder.record(SNAPSHOT, device, variant_choice("flow_b", "exp_1", "b", 3), KEY_ID)
    [record] = records
    assert record == ExposureRecord(
        SNAPSHOT.project_id, "phone", "flow_b", record.exposed_at_ms, "exp_1", "b", "ios", KEY_ID
    )
    assert record.exposed_at_ms >= before


async def test_exposures_end_with_the_quota_of_new_devices_alone() -> None:
    sink = GatedSink()
    sink.gate.set()
    commits = GroupCommit(sink, max_pending=100)
    for quota in ("events", "property_bytes", "new_devices"):
        record(ExposureRecorder(commits, quotas_used_up({SNAPSHOT.project_id: {quota}})), quota)
    await committed(commits)
    assert sink.groups == [2]
