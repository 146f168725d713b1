"""Events as rows of PostgreSQL's binary COPY format, which costs a third of what text costs both sides."""

import struct
from collections.abc import Iterable, Iterator

import msgspec
from psycopg import errors

from common.stream_records import EventRecord

#: Sends the events of a batch, in the order of `encoded_rows`.
COPY_EVENTS = """
    COPY events (
        project_id, event_id, event_type, device_id, flow_id, screen_id, experiment_id, variant, session_id,
        occurred_at, received_at, platform, app_version, properties
    ) FROM STDIN (FORMAT binary)
"""

#: PostgreSQL counts time from 2000 on, in microseconds.
_POSTGRESQL_EPOCH_MS = 946_684_800_000

_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_TRAILER = struct.pack(">h", -1)
_COLUMNS = struct.pack(">h", 14)
_NULL = struct.pack(">i", -1)
_length = struct.Struct(">i").pack
_times = struct.Struct(">iqiq").pack
#: The version of the binary form of jsonb, which is text behind it.
_JSONB = b"\x01"

#: So much is sent at once.
_CHUNK_ROWS = 500


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event, and its properties as JSON."""

    record: EventRecord
    properties: bytes


class _Texts(dict[str | None, bytes]):
    """Encoded texts of a batch, most of which occur in many of its events."""

    def __missing__(self, text: str | None) -> bytes:
        if text is None:
            return _NULL
        encoded = text.encode()
        self[text] = field = _length(len(encoded)) + encoded
        return field


def encoded_rows(rows: Iterable[EventRow]) -> Iterator[bytes]:
    """Give the bytes of a COPY, piece by piece. Raises DatetimeFieldOverflow for a moment beyond 64 bits."""
    texts = _Texts()
    parts = [_HEADER]
    for count, row in enumerate(rows, 1):
        record, properties = row.record, row.properties
        event_id = record.event_id.encode()
        try:
            times = _times(
                8,
                (record.occurred_at_ms - _POSTGRESQL_EPOCH_MS) * 1000,
                8,
                (record.received_at_ms - _POSTGRESQL_EPOCH_MS) * 1000,
            )
        except struct.error as error:
            raise errors.DatetimeFieldOverflow("a moment beyond all calendars") from error
        parts += (
            _COLUMNS,
            texts[record.project_id],
            _length(len(event_id)),
            event_id,
            texts[record.event_type],
            texts[record.device_id],
            texts[record.flow_id],
            texts[record.screen_id],
            texts[record.experiment_id],
            texts[record.variant],
            texts[record.session_id],
            times,
            texts[record.platform],
            texts[record.app_version],
            _length(len(properties) + 1),
            _JSONB,
            properties,
        )
        if count % _CHUNK_ROWS == 0:
            yield b"".join(parts)
            parts.clear()
    parts.append(_TRAILER)
    yield b"".join(parts)
