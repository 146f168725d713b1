"""Records survive the way through a stream, and damaged ones are refused."""

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.stream_records import (
    EventRecord,
    ExposureRecord,
    StreamRecord,
    StreamRecordError,
    decode_record,
    encode_record,
)

EVENT = EventRecord("p", "e", "flow_started", "d", 1, 2, flow_id="f", properties={"a": [1, {"b": None}]})


@pytest.mark.parametrize("record", [EVENT, ExposureRecord("p", "d", "f", 3, variant="b")])
def test_what_is_written_is_what_is_read(record: StreamRecord) -> None:
    assert decode_record(encode_record(record)) == record


def test_a_record_without_the_members_of_a_later_release_is_read() -> None:
    short = msgspec.msgpack.encode(["event", "p", "e", "t", "d", 1, 2])
    assert decode_record(short) == EventRecord("p", "e", "t", "d", 1, 2)


@given(st.binary(max_size=80))
@example(b"\x91\xa1\x80")
def test_any_bytes_are_refused_by_one_error(body: bytes) -> None:
    with pytest.raises(StreamRecordError):
        decode_record(body)


def test_a_record_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(StreamRecordError):
        decode_record(msgspec.msgpack.encode(["rumour", "p"]))
