"""Bodies of events: batches are split before their items are read, and each item takes one typed decode.

A client has the secret key of the app, which a stranger can extract. So the work for a body is bounded before it is
parsed: by the values in a batch, by the number of its items and by the bytes of an item.
"""

import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple

import msgspec
import orjson
from msgspec import Meta

from common.errors import Detail, InvalidRequestError, MalformedBodyError, PayloadTooLargeError, RequestError
from common.json_body import convert_object, parse_object, storage_error
from common.text import has_forbidden_characters
from common.timestamps import format_timestamp
from common.wire.public_bodies import (
    EVENT_TYPE_PATTERN,
    MAX_BATCH_EVENTS,
    MAX_DEVICE_ID_LENGTH,
    MAX_EVENT_LOCALE_LENGTH,
    MAX_FIELD_LENGTH,
    MAX_PROPERTIES_BYTES,
    SINGLE_BODY_BYTES,
    EventBatchBody,
    EventBody,
    Platform,
    any_time_ms,
    corrected_time_ms,
    event_time_ms,
)

#: Commas and opening brackets of a batch, those in texts included. 500 events with 39 members each have as many.
MAX_BATCH_VALUES = 20_500
#: Escapes that are hidden from the parser of a batch, and what stands for them: bytes that UTF-8 does not have. An
#: escaped backslash comes first, because `u` after it is text.
_HIDDEN_ESCAPES = ((b"\\\\", b"\xfe\xff"), (b"\\ud", b"\xfdud"), (b"\\uD", b"\xfduD"))
_is_event_type = re.compile(EVENT_TYPE_PATTERN).match
_BACKSLASH, _SPACE = b"\\ "

_Field = Annotated[str, Meta(min_length=1, max_length=MAX_FIELD_LENGTH)]
_NO_PROPERTIES = msgspec.Raw(b"null")


#: A device whose clock differs by less from that of the edge keeps its times.
MAX_SKEW_MS = 60_000
_SKEW = "clock_skew_seconds"


class _Batch(msgspec.Struct, rename="camel"):
    events: list[msgspec.Raw]
    sent_at: msgspec.Raw = _NO_PROPERTIES


class SplitBatch(NamedTuple):
    """The JSON of each event, or its error, and the time when the device sent the batch, in Unix milliseconds."""

    items: list[bytes | RequestError]
    sent_at_ms: int | None


class PlainEvent(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """The fields without their patterns, which take most of the time."""

    event_type: str
    device_id: Annotated[str, Meta(min_length=1, max_length=MAX_DEVICE_ID_LENGTH)]
    event_id: _Field | None = None
    flow_id: _Field | None = None
    screen_id: _Field | None = None
    experiment_id: _Field | None = None
    variant: _Field | None = None
    session_id: _Field | None = None
    timestamp: str | None = None
    sent_at: str | None = None
    platform: Platform | None = None
    app_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    locale: Annotated[str, Meta(max_length=MAX_EVENT_LOCALE_LENGTH)] | None = None
    properties: msgspec.Raw = _NO_PROPERTIES

    def texts(self) -> list[str]:
        """Return the texts that may have any characters. Event types, platforms and times have forms."""
        fields = (
            *(self.device_id, self.event_id, self.flow_id, self.screen_id),
            *(self.experiment_id, self.variant, self.session_id, self.app_version, self.locale),
        )
        return [text for text in fields if text]


#: The fields with trimmed texts, the time of the event in Unix milliseconds, and the properties.
ReadEvent = tuple[EventBody | PlainEvent, int, dict[str, Any]]

_BATCH_DECODER = msgspec.json.Decoder(_Batch)
_DECODER = msgspec.json.Decoder(PlainEvent)


def split_batch(body: bytes) -> SplitBatch:
    """Return the parts of a batch. At most 5 ms for 1 MiB.

    Raises MalformedBodyError, InvalidRequestError, and PayloadTooLargeError for a batch with too many values.
    """
    if body.count(b",") + body.count(b"[") + body.count(b"{") > MAX_BATCH_VALUES:
        raise PayloadTooLargeError(MAX_BATCH_VALUES, "JSON values")
    items, sent_at = _items(body)
    if not 0 < len(items) <= MAX_BATCH_EVENTS:
        raise InvalidRequestError([Detail.invalid("events", f"must be a list of 1 to {MAX_BATCH_EVENTS} events")])
    return SplitBatch(
        [item if len(item) <= SINGLE_BODY_BYTES else _too_large() for item in items], _sent_at_ms(sent_at)
    )


def read_event(body: bytes, received_at_ms: int, subject: str, sent_at_ms: int | None = None) -> ReadEvent:
    """Read one event. Raises MalformedBodyError and InvalidRequestError, which names every bad field.

    `sent_at_ms` is that of the batch. Where the clock of the device is wrong by more than MAX_SKEW_MS, the time of the
    event is corrected, and the properties name the difference.

    Nearly all events take one typed decode; one that it rejects, or may accept wrongly, is validated completely. The
    text of a MalformedBodyError begins with the subject.
    """
    event = _read_plainly(body, received_at_ms, sent_at_ms)
    return read_completely(body, received_at_ms, subject, sent_at_ms) if event is None else event


def _read_plainly(body: bytes, received_at_ms: int, sent_at_ms: int | None) -> ReadEvent | None:
    """Return the event, or None where the complete validation has to decide."""
    if storage_error(body) is not None:
        return None
    try:
        event = _DECODER.decode(body)
        raw = memoryview(event.properties)
        properties = orjson.loads(raw) if len(raw) <= MAX_PROPERTIES_BYTES else False
        occurred_at_ms, skew_ms = _times(event, received_at_ms, sent_at_ms)
    except (ValueError, RecursionError):
        return None
    if properties is None:
        properties = {}
    if not isinstance(properties, dict) or _is_event_type(event.event_type) is None:
        return None
    has_escapes = _BACKSLASH in body
    if has_escapes or _SPACE in body or not body.isascii():
        texts = event.texts()
        if texts != [text.strip() for text in texts] or (has_escapes and has_forbidden_characters("".join(texts))):
            return None
    if skew_ms:
        properties[_SKEW] = skew_ms // 1000
    return event, occurred_at_ms, properties


def _times(event: PlainEvent, received_at_ms: int, sent_at_ms: int | None) -> tuple[int, int]:
    """Return the time of an event by the clock of the edge, and the skew of the device's. Raises ValueError."""
    if event.sent_at is not None:
        sent_at_ms = any_time_ms(event.sent_at)
    skew_ms = 0 if sent_at_ms is None else _skew_ms(sent_at_ms, received_at_ms)
    if event.timestamp is None:
        return received_at_ms, skew_ms
    if skew_ms:
        return corrected_time_ms(any_time_ms(event.timestamp), skew_ms, received_at_ms), skew_ms
    return event_time_ms(event.timestamp, received_at_ms), 0


def read_completely(body: bytes, received_at_ms: int, subject: str, sent_at_ms: int | None) -> ReadEvent:
    """Read one event like `read_event`, by the validation that has the messages, which takes twice as long."""
    document = parse_object(body, subject)
    skew_ms = _skew_of(document, received_at_ms, sent_at_ms)
    with suppress(ValueError):
        # The limits apply to the corrected time. What is no time is rejected below.
        if skew_ms and isinstance(document.get("timestamp"), str):
            corrected = corrected_time_ms(any_time_ms(document["timestamp"].strip()), skew_ms, received_at_ms)
            document["timestamp"] = format_timestamp(datetime.fromtimestamp(corrected / 1000, UTC))
    event = convert_object(document, EventBody)
    occurred_at_ms = received_at_ms if event.timestamp is None else event.timestamp.unix_ms
    properties = {} if event.properties is None else event.properties.members
    return event, occurred_at_ms, {**properties, _SKEW: skew_ms // 1000} if skew_ms else properties


def _skew_of(document: dict[str, Any], received_at_ms: int, sent_at_ms: int | None) -> int:
    """Return the skew of an event that may have a `sentAt` of its own; 0 where that is no time."""
    own = document.get("sentAt")
    with suppress(ValueError):
        if own is not None:
            sent_at_ms = any_time_ms(own.strip()) if isinstance(own, str) else None
        return 0 if sent_at_ms is None else _skew_ms(sent_at_ms, received_at_ms)
    return 0


def _skew_ms(sent_at_ms: int, received_at_ms: int) -> int:
    """Return the clock of the device minus that of the edge; 0 for a small difference."""
    skew_ms = sent_at_ms - received_at_ms
    return skew_ms if abs(skew_ms) > MAX_SKEW_MS else 0


def _sent_at_ms(sent_at: bytes) -> int | None:
    """Return the time of a batch. Raises InvalidRequestError."""
    try:
        value = orjson.loads(sent_at)
        return None if value is None else any_time_ms(value.strip() if isinstance(value, str) else "")
    except orjson.JSONDecodeError:
        raise InvalidRequestError([Detail.invalid("sentAt", "must be a text")]) from None
    except ValueError as error:
        raise InvalidRequestError([Detail.invalid("sentAt", str(error))]) from None


def _items(body: bytes) -> tuple[list[bytes], bytes]:
    try:
        return _raw_items(body)
    except msgspec.ValidationError:
        # No object, or no list: the complete validation has the message.
        convert_object(parse_object(body), EventBatchBody)
    except (ValueError, RecursionError):
        pass
    raise MalformedBodyError("The request body must be valid JSON")


def _raw_items(body: bytes) -> tuple[list[bytes], bytes]:
    try:
        batch = _BATCH_DECODER.decode(body)
        return [bytes(item) for item in batch.events], bytes(batch.sent_at)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # JavaScript writes the escape of a lone surrogate where a text was cut inside of an emoji. The parser must not
        # see it, so that only its event is rejected. The body must be UTF-8, or a stand-in could be a part of it.
        body.decode()
        for escape, stand_in in _HIDDEN_ESCAPES:
            body = body.replace(escape, stand_in)
        batch = _BATCH_DECODER.decode(body)
        return [_revealed(bytes(item)) for item in batch.events], _revealed(bytes(batch.sent_at))


def _revealed(item: bytes) -> bytes:
    for escape, stand_in in _HIDDEN_ESCAPES:
        item = item.replace(stand_in, escape)
    return item


def _too_large() -> MalformedBodyError:
    return MalformedBodyError(f"The event may have at most {SINGLE_BODY_BYTES} bytes")
