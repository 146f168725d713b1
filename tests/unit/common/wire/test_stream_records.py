"""Records survive the way through a stream, and damaged ones are refused."""

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.wire.stream_records import (
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


def test_a_record_with_members_of_a_later_release_is_read_without_them() -> None:
    """So a consumer of the release before reads what says in which trace it began."""
    written = msgspec.msgpack.decode(encode_record(EVENT))
    later = msgspec.msgpack.encode([*written, "a member of tomorrow"])
    assert decode_record(later) == EVENT


def test_records_without_a_trace_are_read_and_those_with_one_keep_it() -> None:
    traced = msgspec.structs.replace(EVENT, traceparent="00-1-2-01", request_id="request-1")
    assert decode_record(encode_record(traced)) == traced
    before = msgspec.msgpack.decode(encode_record(EVENT))[:-2]
    assert decode_record(msgspec.msgpack.encode(before)) == EVENT


@given(st.binary(max_size=80))
@example(b"\x91\xa1\x80")
def test_any_bytes_are_refused_by_one_error(body: bytes) -> None:
    with pytest.raises(StreamRecordError):
        decode_record(body)


def test_a_record_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(StreamRecordError):
        decode_record(msgspec.msgpack.encode(["rumour", "p"]))
