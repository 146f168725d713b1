"""Bodies of events: batches are bounded before they are parsed, and the plain way agrees with the complete one."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import InvalidRequestError, MalformedBodyError, PayloadTooLargeError, RequestError
from common.timestamps import format_timestamp
from common.wire.public_bodies import BATCH_BODY_BYTES, EventBody
from edge_api.api.event_bodies import MAX_BATCH_VALUES, PlainEvent, ReadEvent, read_completely, read_event, split_batch

NOW_MS = 1_795_201_923_123
EVENT = {"eventType": "a", "deviceId": "d"}


def batch_of(*items: bytes) -> bytes:
    return b'{"events": [%b]}' % b", ".join(items)


def read(body: bytes) -> ReadEvent:
    return read_event(body, NOW_MS, "The event")


@pytest.mark.parametrize("events", [[], [EVENT] * 501, {}, "x", 1])
def test_batch_of_other_than_1_to_500_events_is_refused(events: object) -> None:
    with pytest.raises(InvalidRequestError, match=r"^events must be a list of 1 to 500 events$"):
        split_batch(orjson.dumps({"events": events}))


@pytest.mark.parametrize("document", [{}, {"events": None}])
def test_batch_without_events_is_refused(document: object) -> None:
    with pytest.raises(InvalidRequestError, match=r"^events is required$"):
        split_batch(orjson.dumps(document))


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 1000, b'{"events": [NaN]}', b'{"events": [', b"[]"])
def test_batch_that_is_no_object_is_malformed(body: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        split_batch(body)


@pytest.mark.parametrize("value", [b"0,", b"[],", b"{},", b"[[[[[[]]]]]],"])
@pytest.mark.parametrize("start", [b'{"events":[', b'{"events":[{"eventType":"a","deviceId":"d","properties":{"x":['])
def test_batch_of_too_many_values_is_refused_before_it_is_parsed(start: bytes, value: bytes) -> None:
    # Not JSON: the refusal proves that no parser saw it.
    body = start + value * (BATCH_BODY_BYTES // len(value))
    with pytest.raises(PayloadTooLargeError, match=f"at most {MAX_BATCH_VALUES} JSON values"):
        split_batch(body)


def test_batch_of_500_events_with_39_members_is_split() -> None:
    properties = {f"property_{number}": f"value {number}" for number in range(26)}
    # The time of sending is a member of the batch.
    fields = [field.encode_name for field in msgspec.structs.fields(EventBody) if field.name != "sent_at"]
    event = dict.fromkeys(fields, "x") | {"properties": properties}
    assert split_batch(orjson.dumps({"events": [event] * 500})).items == [orjson.dumps(event)] * 500


def test_large_item_is_rejected_before_it_is_parsed() -> None:
    # Not UTF-8: only a parser of the item would see it.
    large = b'{"x": "%b"}' % (b"\xff" * 65_536)
    good = orjson.dumps(EVENT)
    items = split_batch(batch_of(good, large, good)).items
    assert (items[0], items[2]) == (good, good)
    assert isinstance(items[1], MalformedBodyError)
    assert items[1].message == "The event may have at most 65536 bytes"


@pytest.mark.parametrize("cut", ["\\ud83d", "\\udc00", "\\ud83d\\u0041", "\\ud83d\\ud83d\\ude00", "\\\\\\udead"])
def test_lone_surrogate_rejects_only_its_event(cut: str) -> None:
    good = b'{"eventType": "a", "deviceId": "\\ud83d\\ude00 \\\\ud83d"}'
    bad = b'{"eventType": "a", "deviceId": "%b"}' % cut.encode()
    first, second, third = split_batch(batch_of(good, bad, good)).items
    assert isinstance(second, bytes)
    for item in (first, third):
        assert isinstance(item, bytes)
        assert read(item)[0].device_id == "😀 \\ud83d"
    with pytest.raises(RequestError):
        read(second)


@pytest.mark.parametrize("text", [b"\xfe\xff", b"\xfdud83d", b"\xff"])
def test_batch_with_a_cut_emoji_that_is_no_utf_8_is_malformed(text: bytes) -> None:
    with pytest.raises(MalformedBodyError):
        split_batch(batch_of(b'{"eventType": "a", "deviceId": "\\ud83d"}', b'{"deviceId": "%b"}' % text))


@pytest.mark.parametrize(
    "document",
    [
        EVENT,
        {**EVENT, "sdkVersion": {"is": "ignored"}, "platform": None, "properties": None},
        {**EVENT, "deviceId": 'a\n"b"', "properties": {"note": ' "yes"\n', "bell": "\x07", "path": "C:\\u0000"}},
        {**EVENT, "properties": {"a": [1, 2.5, {"b": None}]}, "timestamp": "2026-11-20T21:12:03,123+02:00"},
        {
            **EVENT,
            "eventId": "é 1",
            "flowId": "f",
            "screenId": "s",
            "variant": "b",
            "sessionId": "1",
            "platform": "ios",
        },
    ],
)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_usual_event_takes_the_plain_way(document: dict[str, Any], separators: tuple[str, str]) -> None:
    body = json.dumps(document, separators=separators, ensure_ascii=False).encode()
    assert isinstance(read(body)[0], PlainEvent)


texts = st.sampled_from(["", "d", " d", "d\u00a0", "d" * 128, "d" * 129, "\x07", "\n", "é", "\0", '"', "ios", "flow_x"])
times = st.sampled_from(
    [
        "2026-11-20T21:12:03.123+02:00",
        "20261120T191203Z",
        "2026-11-20T19:12:00Z",
        "1999-12-31T23:59:59Z",
        "2026-11-20",
        " ",
    ]
)
values: st.SearchStrategy[object] = st.sampled_from(
    [None, 1, True, [], {}, {"a": 2**70, "b": [1e300]}, {"a": "x" * 16_384}, {"a": "\0"}]
)


@given(
    st.dictionaries(
        st.sampled_from([field.encode_name for field in msgspec.structs.fields(EventBody)]), texts | times | values
    )
)
def test_plain_and_complete_way_accept_the_same_events(members: dict[str, Any]) -> None:
    body = json.dumps({**EVENT, **members}, ensure_ascii=False).encode()
    try:
        complete, *expected = read_completely(body, NOW_MS, "The request body", None)
    except RequestError:
        with pytest.raises(RequestError):
            read(body)
        return
    event, *found = read(body)
    names = {field.name for field in msgspec.structs.fields(EventBody)} - {"timestamp", "sent_at", "properties"}
    assert {name: getattr(event, name) for name in names} == {name: getattr(complete, name) for name in names}
    assert found == expected


_DAY_MS = 86_400_000


def _time(unix_ms: int) -> str:
    return format_timestamp(datetime.fromtimestamp(unix_ms / 1000, UTC))


@pytest.mark.parametrize("skew_ms", [-60_000, -1, 0, 59_999, 60_000])
def test_time_of_a_device_with_a_good_clock_stays(skew_ms: int) -> None:
    body = orjson.dumps({**EVENT, "timestamp": _time(NOW_MS - 5000), "sentAt": _time(NOW_MS + skew_ms)})
    assert read(body)[1:] == (NOW_MS - 5000, {})


@pytest.mark.parametrize("space", ["", " "], ids=["plainly", "completely"])
@pytest.mark.parametrize("skew_ms", [-61_000, 61_000, 400 * _DAY_MS, 9000 * _DAY_MS, -20_000 * _DAY_MS])
def test_time_of_a_device_with_a_wrong_clock_is_corrected(skew_ms: int, space: str) -> None:
    event = {**EVENT, "sessionId": f"s{space}", "timestamp": _time(NOW_MS + skew_ms - 5000), "properties": {"a": 1}}
    corrected = (NOW_MS - 5000, {"a": 1, "clock_skew_seconds": skew_ms // 1000})
    assert read(orjson.dumps({**event, "sentAt": _time(NOW_MS + skew_ms)}))[1:] == corrected
    assert read_event(orjson.dumps(event), NOW_MS, "The event", NOW_MS + skew_ms)[1:] == corrected


def test_corrected_time_is_kept_within_the_limits() -> None:
    ahead = {**EVENT, "timestamp": _time(NOW_MS + 9 * _DAY_MS), "sentAt": _time(NOW_MS + 2 * _DAY_MS)}
    assert read(orjson.dumps(ahead))[1] == NOW_MS + _DAY_MS
    behind = {**EVENT, "timestamp": "1970-01-01T00:00:00.000Z", "sentAt": _time(NOW_MS + _DAY_MS)}
    assert read(orjson.dumps(behind))[1] == 946_684_800_000


def test_event_without_a_time_happened_when_it_arrived() -> None:
    body = orjson.dumps({**EVENT, "sentAt": _time(NOW_MS - _DAY_MS)})
    assert read(body)[1:] == (NOW_MS, {"clock_skew_seconds": -86_400})


@pytest.mark.parametrize("sent_at", ["yesterday", "", 5, {}, "2026-13-01T00:00:00Z"])
def test_time_of_sending_that_is_no_time_is_refused(sent_at: object) -> None:
    with pytest.raises(InvalidRequestError, match=r"^sentAt must be an ISO 8601 timestamp"):
        read(orjson.dumps({**EVENT, "sentAt": sent_at}))
    with pytest.raises(InvalidRequestError, match=r"^sentAt must be an ISO 8601 timestamp"):
        split_batch(orjson.dumps({"events": [EVENT], "sentAt": sent_at}))


def test_batch_has_the_time_of_sending_of_its_events() -> None:
    body = orjson.dumps({"sentAt": f" {_time(NOW_MS)} ", "events": [EVENT]})
    assert split_batch(body).sent_at_ms == NOW_MS
    assert split_batch(orjson.dumps({"sentAt": None, "events": [EVENT]})).sent_at_ms is None
