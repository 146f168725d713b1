"""What was written whole is read again, whatever has happened to what lies around it."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_api.events.spool.frame import CorruptRange, Frame, FrameError, frames_in, pack_frame

SUBMISSIONS = st.lists(
    st.tuples(st.text(max_size=20), st.lists(st.binary(max_size=50), min_size=1, max_size=5).map(tuple)),
    min_size=1,
    max_size=8,
)


def packed(number: int) -> bytes:
    """Give a frame that can be told from others."""
    return pack_frame("proj_1", (b"record %d" % number,), 1000 + number)


def bodies(content: bytes) -> list[bytes]:
    """Read the records of all whole frames."""
    return [body for found in frames_in(content) if isinstance(found, Frame) for body in found.unpack()[1]]


@given(SUBMISSIONS)
def test_frames_are_read_as_they_were_written(submissions: list[tuple[str, tuple[bytes, ...]]]) -> None:
    content = b"".join(pack_frame(project, records, 7) for project, records in submissions)
    found = [one.unpack() for one in frames_in(content) if isinstance(one, Frame)]
    assert found == submissions


@given(SUBMISSIONS, st.data())
def test_of_a_file_that_was_cut_anywhere_only_the_last_frame_is_lost(
    submissions: list[tuple[str, tuple[bytes, ...]]], data: st.DataObject
) -> None:
    frames = [pack_frame(project, records, 7) for project, records in submissions]
    last = len(frames[-1])
    cut = data.draw(st.integers(1, last - 1))
    content = b"".join(frames)[:-cut]
    *whole, tail = frames_in(content)
    assert [type(one) for one in whole] == [Frame] * (len(frames) - 1)
    assert isinstance(tail, CorruptRange)
    assert (tail.is_torn, tail.end) == (True, len(content))


@given(st.integers(0, len(packed(1)) - 1), st.integers(1, 255))
def test_a_damaged_byte_costs_its_own_frame_and_no_other(place: int, change: int) -> None:
    damaged = bytearray(packed(1))
    damaged[place] ^= change
    content = packed(0) + bytes(damaged) + packed(2)
    assert bodies(content) == [b"record 0", b"record 2"]
    gaps = [one for one in frames_in(content) if isinstance(one, CorruptRange)]
    assert [(gap.start, gap.end, gap.is_torn) for gap in gaps] == [(len(packed(0)), 2 * len(packed(0)), False)]


def test_a_file_that_ends_in_zeros_ends_before_them() -> None:
    *_, tail = frames_in(packed(0) + bytes(500))
    assert isinstance(tail, CorruptRange)
    assert (tail.start, tail.is_torn) == (len(packed(0)), True)


def test_garbage_at_the_end_is_damage_and_not_an_unfinished_write() -> None:
    *_, tail = frames_in(packed(0) + b"garbage" * 50)
    assert isinstance(tail, CorruptRange)
    assert not tail.is_torn


def test_a_payload_of_another_release_is_told_by_its_own_error() -> None:
    frame = Frame(0, 10, 1, 1, b"\xc1" + zlib.crc32(b"").to_bytes(4, "big"))
    with pytest.raises(FrameError):
        frame.unpack()
