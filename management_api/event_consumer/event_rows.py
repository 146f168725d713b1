"""Events as rows of PostgreSQL's binary COPY format, which costs a third of what text costs both sides."""

import struct
from collections.abc import Iterator, Sequence

import msgspec
import orjson
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

#: Sends the events of a batch, each as `EventEncoder` has encoded it.
COPY_EVENTS = """
    COPY events (
        project_id, event_type, flow_id, screen_id, experiment_id, variant, platform, app_version,
        device_id, session_id, event_id, occurred_at, received_at, properties
    ) FROM STDIN (FORMAT binary)
"""

#: PostgreSQL counts time from 2000 on, in microseconds.
_POSTGRESQL_EPOCH_MS = 946_684_800_000

_COLUMNS = columns_of_row(14)
#: Two moments, and the length of the properties.
_times_and_length = struct.Struct(">iqiqi").pack
#: The version of the binary form of jsonb, which is text behind it.
_JSONB_VERSION = b"\x01"

#: So much is sent at once.
_PIECE_ROWS = 250


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event, what stands for its id, and the bytes of its row."""

    record: EventRecord
    digest: bytes
    copied: bytes


class _Kinds(dict[tuple[str | None, ...], bytes]):
    """The columns in which many events of a batch are alike, each combination encoded once."""

    def __missing__(self, texts: tuple[str | None, ...]) -> bytes:
        fields = [NULL if text is None else bytes_field(text.encode()) for text in texts]
        self[texts] = start = b"".join((_COLUMNS, *fields))
        return start


class EventEncoder:
    """Encodes the events of one batch; what they have in common only once."""

    def __init__(self) -> None:
        self._kinds = _Kinds()
        self._texts = TextFields()

    def row(self, record: EventRecord) -> bytes:
        """Give an event's row.

        Raises DatetimeFieldOverflow for a moment beyond 64 bits, and JSONEncodeError for what JSON does not have.
        """
        properties = orjson.dumps(record.properties)
        event_id = record.event_id.encode()
        try:
            times_and_length = _times_and_length(
                8,
                (record.occurred_at_ms - _POSTGRESQL_EPOCH_MS) * 1000,
                8,
                (record.received_at_ms - _POSTGRESQL_EPOCH_MS) * 1000,
                len(properties) + 1,
            )
        except struct.error as error:
            raise errors.DatetimeFieldOverflow("a moment beyond all calendars") from error
        texts = self._texts
        return b"".join((
            self._kinds[
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
            times_and_length,
            _JSONB_VERSION,
            properties,
        ))  # fmt: skip


def copy_pieces(rows: Sequence[bytes]) -> Iterator[bytes]:
    """Give the bytes of a COPY of rows, a piece after the other."""
    yield HEADER
    for start in range(0, len(rows), _PIECE_ROWS):
        yield b"".join(rows[start : start + _PIECE_ROWS])
    yield TRAILER
