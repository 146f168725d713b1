"""Records of the event streams: one event or exposure, as msgpack.

Both kinds are arrays after a tag, so an entry is small, and a later release can append fields with defaults. Times are
Unix milliseconds.
"""

from typing import Any

import msgspec

from common.errors import OnboardingError


class StreamRecordError(OnboardingError):
    """The bytes of a stream entry are no record of this release."""


class EventRecord(msgspec.Struct, frozen=True, array_like=True, tag="event", gc=False):
    """An analytics event that the edge has accepted (contract, section 4)."""

    project_id: str
    event_id: str
    event_type: str
    device_id: str
    occurred_at_ms: int
    received_at_ms: int
    flow_id: str | None = None
    screen_id: str | None = None
    experiment_id: str | None = None
    variant: str | None = None
    session_id: str | None = None
    platform: str | None = None
    app_version: str | None = None
    properties: dict[str, Any] = msgspec.field(default_factory=dict)
    #: The id (not the value) of the secret key of the request.
    secret_key_id: str | None = None
    #: The span and the id of the request, while traces are on.
    traceparent: str | None = None
    request_id: str | None = None
    #: The language of the texts that the user saw.
    locale: str | None = None


class ExposureRecord(msgspec.Struct, frozen=True, array_like=True, tag="exposure", gc=False):
    """A resolution: a device and its flow (contract, section 4, Exposures)."""

    project_id: str
    device_id: str
    flow_id: str
    exposed_at_ms: int
    experiment_id: str | None = None
    variant: str | None = None
    platform: str | None = None
    secret_key_id: str | None = None


StreamRecord = EventRecord | ExposureRecord

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[StreamRecord] = msgspec.msgpack.Decoder(StreamRecord)


def encode_record(record: StreamRecord) -> bytes:
    """Return the bytes of a stream entry's field."""
    return _ENCODER.encode(record)


def decode_record(body: bytes) -> StreamRecord:
    """Decode a stream entry's field. Raises StreamRecordError."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # msgspec raises errors of other classes for text that is not UTF-8, and for deep nesting.
        raise StreamRecordError(f"the entry cannot be decoded: {error}") from error
