"""A spool of release 0.1.0 is replayed after an upgrade, also a damaged one."""

import fcntl
import os
from pathlib import Path

import pytest

from common.wire.stream_records import EventRecord, decode_record
from edge_api.events.former_spool import former_segments
from edge_api.events.spool import Spool
from tests.unit.edge_api.events.spools import spool_in

#: Written by release 0.1.0: the events a, b and c, d; b and c came with one request.
SEGMENT = Path(__file__).with_name("release_0_1_0.segment").read_bytes()
#: Where the frame of the second request begins.
SECOND = SEGMENT.index(b"OBS\x01", 1)


def leave_former_spool(folder: Path, content: bytes) -> Path:
    """Make a spool as release 0.1.0 leaves it behind; return its segment."""
    spool = folder / "spool-0123456789abcdef"
    spool.mkdir(parents=True)
    (spool / "lock").touch()
    segment = spool / "00000001.segment"
    segment.write_bytes(content)
    return segment


async def replayed_ids(spool: Spool) -> list[list[str]]:
    """Take everything out of the spool; return the ids of the events of each write."""
    found: list[list[str]] = []
    while (batch := await spool.next_batch()) is not None:
        for write in batch.writes:
            records = [decode_record(body) for body in write.bodies]
            found.append([record.event_id for record in records if isinstance(record, EventRecord)])
        await spool.confirm(batch, len(batch.stored))
    return found


async def upgraded(folder: Path) -> tuple[list[list[str]], int]:
    """Open the spool of this release on the folder; return the replayed ids, and the number of damaged places."""
    spool = spool_in(folder)
    await spool.adopt_orphans()
    found = await replayed_ids(spool)
    damaged = spool.status().damaged
    await spool.aclose()
    return found, damaged


async def test_former_spool_is_replayed_and_leaves_nothing(tmp_path: Path) -> None:
    leave_former_spool(tmp_path, SEGMENT)
    assert await upgraded(tmp_path) == ([["a"], ["b", "c"], ["d"]], 0)
    assert list(tmp_path.iterdir()) == []


def test_age_of_former_spool_is_kept(tmp_path: Path) -> None:
    leave_former_spool(tmp_path, SEGMENT)
    (segment,) = former_segments(tmp_path)
    assert (segment.counts, segment.oldest_ms) == ([1, 2, 1], 1_763_795_493_000)


@pytest.mark.parametrize("tail", [b"OBS", bytes(500), SEGMENT[:-1]], ids=["header", "zeros", "frame"])
async def test_unfinished_end_of_former_segment_is_dropped(tmp_path: Path, tail: bytes) -> None:
    leave_former_spool(tmp_path, SEGMENT[:SECOND] + tail)
    found, damaged = await upgraded(tmp_path)
    assert (found[0], damaged) == (["a"], 0)
    assert list(tmp_path.iterdir()) == []


async def test_damaged_frame_of_former_segment_loses_one_frame_only(tmp_path: Path) -> None:
    content = bytearray(SEGMENT)
    content[SECOND + 50] ^= 1
    leave_former_spool(tmp_path, bytes(content))
    assert await upgraded(tmp_path) == ([["a"], ["d"]], 1)
    assert [file.name for file in (tmp_path / "damaged").iterdir()] == ["spool-0123456789abcdef-00000001.segment"]


async def test_former_spool_of_a_running_worker_is_not_adopted(tmp_path: Path) -> None:
    segment = leave_former_spool(tmp_path, SEGMENT)
    lock = os.open(segment.parent / "lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert await upgraded(tmp_path) == ([], 0)
    os.close(lock)
    assert await upgraded(tmp_path) == ([["a"], ["b", "c"], ["d"]], 0)


async def test_former_segment_that_cannot_be_read_stays(tmp_path: Path) -> None:
    segment = leave_former_spool(tmp_path, SEGMENT)
    (segment.parent / "00000000.segment").mkdir()
    assert await upgraded(tmp_path) == ([["a"], ["b", "c"], ["d"]], 0)
    assert (segment.parent / "00000000.segment").is_dir()
