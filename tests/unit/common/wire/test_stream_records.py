"""Stream records: decoded as they were encoded, and refused when damaged."""

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
def test_record_is_decoded_as_it_was_encoded(record: StreamRecord) -> None:
    assert decode_record(encode_record(record)) == record


def test_record_without_later_members_is_decoded() -> None:
    short = msgspec.msgpack.encode(["event", "p", "e", "t", "d", 1, 2])
    assert decode_record(short) == EventRecord("p", "e", "t", "d", 1, 2)


def test_record_with_unknown_members_is_decoded_without_them() -> None:
    written = msgspec.msgpack.decode(encode_record(EVENT))
    later = msgspec.msgpack.encode([*written, "a later member"])
    assert decode_record(later) == EVENT


def test_trace_of_record_is_optional() -> None:
    traced = msgspec.structs.replace(EVENT, traceparent="00-1-2-01", request_id="request-1")
    assert decode_record(encode_record(traced)) == traced
    before = msgspec.msgpack.decode(encode_record(EVENT))[:-2]
    assert decode_record(msgspec.msgpack.encode(before)) == EVENT


@given(st.binary(max_size=80))
@example(b"\x91\xa1\x80")
def test_damaged_bytes_raise_one_error(body: bytes) -> None:
    with pytest.raises(StreamRecordError):
        decode_record(body)


def test_record_of_unknown_kind_is_refused() -> None:
    with pytest.raises(StreamRecordError):
        decode_record(msgspec.msgpack.encode(["rumour", "p"]))
