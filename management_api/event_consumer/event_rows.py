"""Events as rows of PostgreSQL's binary COPY format, which costs a third of what text costs both sides."""

import struct
from collections.abc import Iterator, Sequence

import msgspec
from psycopg import errors

from common.stream_records import EventRecord
from management_api.database.binary_copy import HEADER, TRAILER, TextFields, columns_of_row, length_of_field

#: Sends the events of a batch, in the order of `encoded_rows`.
COPY_EVENTS = """
    COPY events (
        project_id, event_id, event_type, device_id, flow_id, screen_id, experiment_id, variant, session_id,
        occurred_at, received_at, platform, app_version, properties
    ) FROM STDIN (FORMAT binary)
"""

#: PostgreSQL counts time from 2000 on, in microseconds.
_POSTGRESQL_EPOCH_MS = 946_684_800_000

_COLUMNS = columns_of_row(14)
_times = struct.Struct(">iqiq").pack
#: The version of the binary form of jsonb, which is text behind it.
_JSONB = b"\x01"

#: So much is sent at once.
_PIECE_ROWS = 250


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event, and its properties as JSON."""

    record: EventRecord
    properties: bytes


def encoded_rows(rows: Sequence[EventRow]) -> Iterator[tuple[bytes, Sequence[EventRow]]]:
    """Give the bytes of a COPY piece by piece, each with its rows.

    Raises DatetimeFieldOverflow for a moment beyond 64 bits.
    """
    texts = TextFields()
    parts = [HEADER]
    for start in range(0, len(rows), _PIECE_ROWS):
        piece = rows[start : start + _PIECE_ROWS]
        for row in piece:
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
                length_of_field(len(event_id)),
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
                length_of_field(len(properties) + 1),
                _JSONB,
                properties,
            )
        if start + _PIECE_ROWS >= len(rows):
            parts.append(TRAILER)
        yield b"".join(parts), piece
        parts.clear()
