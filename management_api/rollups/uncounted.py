"""The records of a batch that no rollup counts yet: one row for each project, written with the raw rows.

The row becomes visible with the events of its batch, and the transaction that counts it deletes it. So each event is
counted once, whatever order batches commit in, and no process needs to know the position of another.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple, cast

import msgspec
import numpy as np
import psycopg

from common.wire.stream_records import EventRecord
from management_api.rollups.event_keys import event_key
from management_api.rollups.rollup import DAY_MS, KEY_COLUMNS, EventKey

_PLACE, _MOMENT = np.dtype("<u4"), np.dtype("<i8")

_NO_COLUMNS = (None,) * len(KEY_COLUMNS)

#: Two longer names do not fit into an index of rollups. The names that edges accept have up to 1,024 bytes.
MAX_NAME_BYTES = 1100
_FIRST_DAY, _LAST_DAY = ((day - date(1970, 1, 1)).days for day in (date.min, date.max))

STORE = """
    INSERT INTO uncounted_batches (project_id, events, records)
    SELECT * FROM unnest(%b::text[], %b::integer[], %b::bytea[])
"""
READ = "SELECT project_id, stored_no, stored_at, records FROM uncounted_batches WHERE project_id = %s"

Cursor = psycopg.Cursor[Any]
#: Project, device, flow, and the day counted from 1970-01-01.
StoredExposure = tuple[str, str, str, int]


class UncountedRecords(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """New events and exposures of one project, as they are stored.

    Each event is a device, a key and a moment (Unix milliseconds): three arrays of little-endian numbers. Each
    exposure is a device, a day counted from 1970-01-01, and a flow. Devices and keys stand for their places in the
    lists.
    """

    devices: list[str]
    #: Of event keys. Records from before a column was added lack the last ones.
    keys: list[tuple[str | None, ...]]
    device_places: bytes
    key_places: bytes
    moments: bytes
    exposures: list[tuple[int, int, str]]
    #: The bytes of the properties of all events, as JSON.
    property_bytes: int = 0

    @property
    def event_count(self) -> int:
        """The number of events."""
        return len(self.moments) // _MOMENT.itemsize

    @property
    def count(self) -> int:
        """The number of events and exposures."""
        return self.event_count + len(self.exposures)

    def event_keys(self) -> list[EventKey]:
        """Return the keys of the events, with all columns."""
        return [cast("EventKey", (*key, *_NO_COLUMNS[len(key) :])) for key in self.keys]

    def events(self) -> Iterable[tuple[int, int, int]]:
        """Return the place of the device, the place of the key and the moment of each event."""
        return zip(
            np.frombuffer(self.device_places, _PLACE).tolist(),
            np.frombuffer(self.key_places, _PLACE).tolist(),
            np.frombuffer(self.moments, _MOMENT).tolist(),
            strict=True,
        )


class UncountedBatch(NamedTuple):
    """The uncounted records of one project in one batch. `stored_no` is from the sequence that numbers events."""

    project_id: str
    stored_no: int
    stored_at: datetime
    records: UncountedRecords


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(UncountedRecords)


class RecordsBuilder:
    """Collects the new records of one project."""

    def __init__(self) -> None:
        self._devices: dict[str, int] = {}
        self._keys: dict[EventKey, int] = {}
        self._device_places: list[int] = []
        self._key_places: list[int] = []
        self._moments: list[int] = []
        self._exposures: list[tuple[int, int, str]] = []
        self._property_bytes = 0

    def add_event(self, record: EventRecord, property_bytes: int) -> None:
        """Add an event, with the bytes of its properties as JSON."""
        self._property_bytes += property_bytes
        self._device_places.append(self._devices.setdefault(record.device_id, len(self._devices)))
        self._key_places.append(self._keys.setdefault(event_key(record), len(self._keys)))
        self._moments.append(record.occurred_at_ms)

    def add_exposure(self, device_id: str, flow_id: str, day: int) -> None:
        """Add an exposure."""
        self._exposures.append((self._devices.setdefault(device_id, len(self._devices)), day, flow_id))

    def encode(self) -> tuple[int, bytes]:
        """Return the number of records, and their stored form.

        Raises ValueError for a name that no index takes, OverflowError for a moment beyond the calendar.
        """
        for names in (self._devices, *self._keys, (flow_id for _, _, flow_id in self._exposures)):
            if any(name is not None and len(name.encode()) > MAX_NAME_BYTES for name in names):
                raise ValueError(f"A name has more than {MAX_NAME_BYTES} bytes")
        if self._moments and not (
            min(self._moments) // DAY_MS >= _FIRST_DAY and max(self._moments) // DAY_MS <= _LAST_DAY
        ):
            raise OverflowError("A moment is beyond the calendar")
        records = UncountedRecords(
            list(self._devices),
            list(self._keys),
            np.array(self._device_places, _PLACE).tobytes(),
            np.array(self._key_places, _PLACE).tobytes(),
            np.array(self._moments, _MOMENT).tobytes(),
            self._exposures,
            self._property_bytes,
        )
        return len(self._moments) + len(self._exposures), _ENCODER.encode(records)


def store_uncounted(
    cursor: Cursor, events: Iterable[tuple[EventRecord, int]], exposures: Iterable[StoredExposure]
) -> None:
    """Store the new records of a batch, so that they are counted: each event with the bytes of its properties.

    Raises like `RecordsBuilder.encode`.
    """
    builders: dict[str, RecordsBuilder] = {}
    for record, property_bytes in events:
        builders.setdefault(record.project_id, RecordsBuilder()).add_event(record, property_bytes)
    for project_id, device_id, flow_id, day in exposures:
        builders.setdefault(project_id, RecordsBuilder()).add_exposure(device_id, flow_id, day)
    if builders:
        encoded = [builder.encode() for builder in builders.values()]
        cursor.execute(STORE, [list(builders), [count for count, _ in encoded], [records for _, records in encoded]])


def read_uncounted(cursor: Cursor, project_id: str) -> list[UncountedBatch]:
    """Return the uncounted batches of a project. Raises msgspec.DecodeError for a damaged one."""
    cursor.execute(
        "SELECT project_id, stored_no, stored_at, records FROM uncounted_batches WHERE project_id = %s", [project_id]
    )
    return decode_batches(cursor.fetchall())


def decode_batches(rows: Sequence[tuple[str, int, datetime, bytes]]) -> list[UncountedBatch]:
    """Return stored rows as batches. Raises msgspec.DecodeError for a damaged one."""
    return [
        UncountedBatch(project_id, stored_no, stored_at.astimezone(UTC), _DECODER.decode(records))
        for project_id, stored_no, stored_at, records in rows
    ]
