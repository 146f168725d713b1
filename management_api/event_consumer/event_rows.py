"""Events as rows of PostgreSQL's binary COPY format, which costs a third of what text costs both sides."""

import struct
from collections.abc import Iterator, Sequence

import msgspec
from psycopg import errors

from common.stream_records import EventRecord
from management_api.database.binary_copy import (
    HEADER,
    NULL,
    TRAILER,
    TextFields,
    bytes_field,
    columns_of_row,
    length_of_field,
)

#: Sends the events of a batch, in the order of `encoded_rows`.
COPY_EVENTS = """
    COPY events (
        project_id, event_type, flow_id, screen_id, experiment_id, variant, platform, app_version,
        device_id, session_id, event_id, occurred_at, received_at, properties
    ) FROM STDIN (FORMAT binary)
"""

#: PostgreSQL counts time from 2000 on, in microseconds.
_POSTGRESQL_EPOCH_MS = 946_684_800_000

_COLUMNS = columns_of_row(14)
_times = struct.Struct(">iqiq").pack
#: The version of the binary form of jsonb, which is text behind it.
JSONB_VERSION = b"\x01"

#: So much is sent at once.
_PIECE_ROWS = 250


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event, and its properties as PostgreSQL takes them: JSON behind a version."""

    record: EventRecord
    properties: bytes


class _Kinds(dict[tuple[str | None, ...], bytes]):
    """The columns in which many events of a batch are alike, each combination encoded once."""

    def __missing__(self, texts: tuple[str | None, ...]) -> bytes:
        fields = [NULL if text is None else bytes_field(text.encode()) for text in texts]
        self[texts] = start = b"".join((_COLUMNS, *fields))
        return start


def encoded_rows(rows: Sequence[EventRow]) -> Iterator[tuple[bytes, Sequence[EventRow]]]:
    """Give the bytes of a COPY piece by piece, each with its rows.

    Raises DatetimeFieldOverflow for a moment beyond 64 bits.
    """
    kinds, texts = _Kinds(), TextFields()
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
                kinds[
                    record.project_id,
                    record.event_type,
                    record.flow_id,
                    record.screen_id,
                    record.experiment_id,
                    record.variant,
                    record.platform,
                    record.app_version,
                ],
                texts[record.device_id],
                texts[record.session_id],
                length_of_field(len(event_id)),
                event_id,
                times,
                length_of_field(len(properties)),
                properties,
            )
        if start + _PIECE_ROWS >= len(rows):
            parts.append(TRAILER)
        yield b"".join(parts), piece
        parts.clear()
