"""Events as rows of PostgreSQL's binary COPY format, which costs a third of what text costs both sides."""

import struct
from collections.abc import Iterator, Sequence

import msgspec
import orjson
from psycopg import errors

from common.wire.stream_records import EventRecord
from management_api.database.binary_copy import (
    HEADER,
    NULL,
    POSTGRESQL_EPOCH_MS,
    TRAILER,
    TextFields,
    bytes_field,
    columns_of_row,
    length_of_field,
)
from management_api.database.recent_event_ids import event_id_digest
from management_api.event_consumer.device_numbers import DeviceKey

#: Sends the events of a batch, each as `EventEncoder` has encoded it.
COPY_EVENTS = """
    COPY events (
        project_id, event_type, flow_id, screen_id, experiment_id, variant, platform, app_version,
        device_id, session_id, event_id, occurred_at, received_at, properties
    ) FROM STDIN (FORMAT binary)
"""

_COLUMNS = columns_of_row(14)
#: Two moments, and the length of the properties.
_times_and_length = struct.Struct(">iqiqi").pack
#: The version of the binary form of jsonb, which is text behind it.
_JSONB_VERSION = b"\x01"

#: So much is sent at once.
_PIECE_ROWS = 250

#: Project, type, flow, screen, experiment, variant, platform, version of the app.
KindColumns = tuple[str, str, str | None, str | None, str | None, str | None, str | None, str | None]


class EventKind:
    """What many events of a batch have in common, encoded once: the columns that a row begins with."""

    __slots__ = ("columns", "copied")

    def __init__(self, columns: KindColumns) -> None:
        self.columns = columns
        fields = [NULL if text is None else bytes_field(text.encode()) for text in columns]
        self.copied = b"".join((_COLUMNS, *fields))


class EventRow(msgspec.Struct, frozen=True, gc=False):
    """An event, what stands for its id, the place of its device in the batch, and the bytes of its row."""

    record: EventRecord
    digest: bytes
    kind: EventKind
    place: int
    copied: bytes


class _Kinds(dict[KindColumns, EventKind]):
    def __missing__(self, columns: KindColumns) -> EventKind:
        self[columns] = kind = EventKind(columns)
        return kind


class EventEncoder:
    """Encodes the events of one batch; what they have in common only once."""

    def __init__(self) -> None:
        self._kinds = _Kinds()
        self._texts = TextFields()
        self._places: dict[DeviceKey, int] = {}

    @property
    def devices(self) -> list[DeviceKey]:
        """The devices of all events so far, in the order of their places."""
        return list(self._places)

    def row(self, record: EventRecord) -> EventRow:
        """Give an event's row.

        Raises DatetimeFieldOverflow for a moment beyond 64 bits, and JSONEncodeError for what JSON does not have.
        """
        project_id, device_id = record.project_id, record.device_id
        properties = orjson.dumps(record.properties)
        event_id = record.event_id.encode()
        try:
            times_and_length = _times_and_length(
                8,
                (record.occurred_at_ms - POSTGRESQL_EPOCH_MS) * 1000,
                8,
                (record.received_at_ms - POSTGRESQL_EPOCH_MS) * 1000,
                len(properties) + 1,
            )
        except struct.error as error:
            raise errors.DatetimeFieldOverflow("a moment beyond all calendars") from error
        kind = self._kinds[
            project_id,
            record.event_type,
            record.flow_id,
            record.screen_id,
            record.experiment_id,
            record.variant,
            record.platform,
            record.app_version,
        ]
        copied = b"".join((
            kind.copied,
            self._texts[device_id],
            self._texts[record.session_id],
            length_of_field(len(event_id)),
            event_id,
            times_and_length,
            _JSONB_VERSION,
            properties,
        ))  # fmt: skip
        place = self._places.setdefault((project_id, device_id), len(self._places))
        return EventRow(record, event_id_digest(project_id, record.event_id), kind, place, copied)


def copy_pieces(rows: Sequence[EventRow]) -> Iterator[bytes]:
    """Give the bytes of a COPY of events, a piece after the other."""
    yield HEADER
    for start in range(0, len(rows), _PIECE_ROWS):
        yield b"".join([row.copied for row in rows[start : start + _PIECE_ROWS]])
    yield TRAILER
