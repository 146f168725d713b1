"""Stores one batch in one transaction: the raw rows that are new, and the cells that count exactly those."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors

from common.errors import OnboardingError, UnavailableError
from common.stream_records import EventRecord, ExposureRecord
from management_api.activity.cell_rows import write_cells
from management_api.database.driver import driver_cursor
from management_api.database.transactions import Database
from management_api.event_consumer import statements
from management_api.event_consumer.batch_count import BatchCount
from management_api.event_consumer.dead_letters import settle_letters, still_wanted, store_letter
from management_api.event_consumer.decoding import DecodedBatch, decode_batch
from management_api.event_consumer.device_numbers import BatchDevices, DeviceKey
from management_api.event_consumer.event_rows import COPY_EVENTS, encoded_rows
from management_api.event_consumer.event_tally import EventCounts, EventTally
from management_api.event_consumer.new_events import new_events
from management_api.event_consumer.stream_entry import StreamEntry

#: How often a transaction is begun again after it lost against another one; it waits for nothing in between, because
#: the other one is done by then.
MAX_ATTEMPTS = 5

#: Classes of SQLSTATE that say that the data cannot be stored: cardinality, data, integrity, a limit of the program
#: (a key too long for an index, nesting too deep). All others are the server's own and pass.
DATA_FAULTS = frozenset({"21", "22", "23", "54"})

Cursor = psycopg.Cursor[Any]
#: Project, device, flow, and the day counted from 1970-01-01.
_StoredExposure = tuple[str, str, str, int]


class BatchRefusedError(OnboardingError):
    """PostgreSQL cannot store something in this batch, now or later."""


class BatchStore:
    """Writes batches of stream entries to PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.tally = EventTally()

    def store(self, entries: Sequence[StreamEntry]) -> None:
        """Store the entries; what is there already, or of a project that is gone, is left out.

        Raises BatchRefusedError when the data is at fault, and an error of the database when the server is; nothing
        is stored then.
        """
        batch = decode_batch(entries)
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                with _driver_errors_as_they_are():
                    counts = self._store_once(entries, batch)
            except (errors.DeadlockDetected, errors.SerializationFailure):
                if not attempts_left:
                    raise
            except (ValueError, OverflowError) as error:
                raise BatchRefusedError(f"{type(error).__name__}: {error}") from error
            except psycopg.Error as error:
                if _is_fault_of_data(error):
                    raise BatchRefusedError(f"{type(error).__name__}: {error}") from error
                raise
            else:
                self.tally.add(counts)
                return

    def store_dead_letter(self, entry: StreamEntry, reason: str) -> None:
        """Keep an entry that cannot be stored."""
        with self._database.transaction() as session:
            store_letter(driver_cursor(session), entry, reason)

    def _store_once(self, entries: Sequence[StreamEntry], batch: DecodedBatch) -> EventCounts:
        with self._database.transaction() as session, driver_cursor(session) as cursor:
            alive = hold_projects(cursor, batch)
            # Behind the projects, as a deletion locks them too.
            wanted = still_wanted(cursor, entries)
            if len(wanted) < len(entries):
                batch = decode_batch(wanted)
            counts = store_activity(cursor, batch, alive)
            unreadable = {each.entry: each.reason for each in batch.unreadable}
            settle_letters(cursor, wanted, unreadable)
            for entry, reason in unreadable.items():
                store_letter(cursor, entry, reason)
            # Last, because many batches want the same few rows and should hold them for a moment only.
            _note_used_keys(cursor, batch)
        return counts


@contextmanager
def _driver_errors_as_they_are() -> Iterator[None]:
    """Look behind "not available": which error of PostgreSQL it is decides what becomes of the batch."""
    try:
        yield
    except UnavailableError as error:
        if isinstance(error.__cause__, psycopg.Error):
            raise error.__cause__ from None
        raise


def hold_projects(cursor: Cursor, batch: DecodedBatch) -> Mapping[str, int]:
    """Keep those projects of a batch that exist until the transaction ends; gives the next device's number of each."""
    cursor.execute(statements.USE_INDEXES)
    cursor.execute(statements.LOCK_PROJECTS, [batch.project_ids()])
    return dict(cursor.fetchall())


def store_activity(cursor: Cursor, batch: DecodedBatch, alive: Mapping[str, int]) -> EventCounts:
    """Store what is new, of the projects that exist and are held, and count exactly that; says what was new."""
    events = [row for row in batch.events if row.record.project_id in alive]
    exposures = [record for record in batch.exposures if record.project_id in alive]
    named = [_device_of(row.record) for row in events]
    devices = BatchDevices(cursor, [*named, *map(_device_of, exposures)], alive)
    if devices.has_erased:
        events = [
            row for row in events if not devices.is_of_before_erasure(_device_of(row.record), row.record.received_at_ms)
        ]
        exposures = [
            record for record in exposures if not devices.is_of_before_erasure(_device_of(record), record.exposed_at_ms)
        ]
    new = new_events(cursor, events)
    count = BatchCount()
    if new:
        with cursor.copy(COPY_EVENTS) as copy:
            for piece, rows in encoded_rows(new):
                copy.write(piece)
                # PostgreSQL is at work on the piece meanwhile.
                count.add_events(rows)
    for exposure in _store_exposures(cursor, exposures):
        count.add_exposure(*exposure)
    write_cells(cursor, count.cells(devices.numbers(count.devices)))
    return EventCounts(len(new), len(events) - len(new), len(batch.events) - len(events))


def _store_exposures(cursor: Cursor, records: Sequence[ExposureRecord]) -> list[_StoredExposure]:
    if not records:
        return []
    columns = (
        [record.project_id for record in records],
        [record.device_id for record in records],
        [record.flow_id for record in records],
        [record.experiment_id for record in records],
        [record.variant for record in records],
        [record.exposed_at_ms for record in records],
        [record.platform for record in records],
    )
    cursor.execute(statements.STORE_EXPOSURES, columns)
    return cursor.fetchall()


def _note_used_keys(cursor: Cursor, batch: DecodedBatch) -> None:
    used: dict[tuple[str, str], int] = {}
    for project_id, key_id, at_ms in (
        *((row.record.project_id, row.record.secret_key_id, row.record.received_at_ms) for row in batch.events),
        *((record.project_id, record.secret_key_id, record.exposed_at_ms) for record in batch.exposures),
    ):
        if key_id is not None:
            used[project_id, key_id] = max(at_ms, used.get((project_id, key_id), at_ms))
    if used:
        projects, keys = zip(*used, strict=True)
        cursor.execute(statements.NOTE_USED_KEYS, [list(projects), list(keys), list(used.values())])


def _device_of(record: EventRecord | ExposureRecord) -> DeviceKey:
    return record.project_id, record.device_id


def _is_fault_of_data(error: psycopg.Error) -> bool:
    """Tell whether it will fail again; an error without SQLSTATE comes from the driver, or from a lost connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.DataError)
    return error.sqlstate[:2] in DATA_FAULTS
