"""Stores one batch in one transaction: the raw rows that are new, and the cells that count exactly those."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

import psycopg
import structlog
from psycopg import errors

from common.errors import OnboardingError, UnavailableError
from common.wire.stream_records import ExposureRecord, StreamRecordError, decode_record
from management_api.activity.cell_rows import EncodedCells, copy_cells, encoded_cells
from management_api.database.driver import driver_cursor
from management_api.database.transactions import Database
from management_api.event_consumer import statements
from management_api.event_consumer.batch_activity import device_of
from management_api.event_consumer.batch_count import StoredExposure, exposure_cells
from management_api.event_consumer.dead_letters import (
    UNKNOWN_PROJECT,
    project_of,
    settle_letters,
    still_wanted,
    store_letter,
    unknown_projects,
)
from management_api.event_consumer.device_numbers import BatchDevices, DeviceKey
from management_api.event_consumer.event_rows import COPY_EVENTS, copy_pieces
from management_api.event_consumer.event_tally import EventCounts, EventTally
from management_api.event_consumer.former_ids import FormerIds
from management_api.event_consumer.listed_ids import ListedIds, Suspects, suspect_all
from management_api.event_consumer.new_events import remember
from management_api.event_consumer.preparation import PreparedBatch, UsedKey, prepare_batch
from management_api.event_consumer.stream_entry import StreamEntry

log = structlog.stdlib.get_logger(__name__)

#: How often a transaction is begun again after it lost against another one; it waits for nothing in between, because
#: the other one is done by then.
MAX_ATTEMPTS = 5

#: Another transaction was quicker: with rows in another order, or with an event of the batch.
LOST_RACES = (errors.DeadlockDetected, errors.SerializationFailure, errors.UniqueViolation)

#: Classes of SQLSTATE that say that the data cannot be stored: cardinality, data, integrity, a limit of the program
#: (a key too long for an index, nesting too deep). All others are the server's own and pass.
DATA_FAULTS = frozenset({"21", "22", "23", "54"})

_MEBIBYTE = 1024 * 1024

Cursor = psycopg.Cursor[Any]


class BatchRefusedError(OnboardingError):
    """PostgreSQL cannot store something in this batch, now or later."""


class BatchStore:
    """Writes batches of stream entries to PostgreSQL.

    What `former_ids` knows makes it faster; somebody has to tell it to keep up with the turns.
    """

    def __init__(self, database: Database, *, id_filter_mb: int = 64) -> None:
        self._database = database
        self.former_ids = FormerIds(database, limit_bytes=id_filter_mb * _MEBIBYTE)
        self.tally = EventTally()

    def store(self, entries: Sequence[StreamEntry]) -> None:
        """Prepare and store entries, see :meth:`store_prepared`."""
        self.store_prepared(prepare_batch(entries))

    def store_prepared(self, batch: PreparedBatch) -> None:
        """Store a batch. Repeated events and those of deleted projects are left out.

        Entries of projects that were never in this database become dead letters: a restore has lost the project.

        Raises BatchRefusedError when the data is at fault, and an error of the database when the server is; nothing
        is stored then.
        """
        if batch.refusal is not None:
            raise _refusal(batch.refusal)
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                with _driver_errors_as_they_are():
                    counts = self._store_once(batch)
            except LOST_RACES:
                if not attempts_left:
                    raise
            except (ValueError, OverflowError) as error:
                raise _refusal(error) from error
            except psycopg.Error as error:
                if _is_fault_of_data(error):
                    raise _refusal(error) from error
                raise
            else:
                self.tally.add(counts)
                if counts.unknown:
                    log.warning("events.of_unknown_projects", events=counts.unknown)
                return

    def store_dead_letter(self, entry: StreamEntry, reason: str) -> None:
        """Keep an entry that cannot be stored."""
        with self._database.transaction() as session:
            store_letter(driver_cursor(session), entry, reason)

    def _store_once(self, batch: PreparedBatch) -> EventCounts:
        # All that is looked up has an index.
        with self._database.transaction_by_indexes() as session, driver_cursor(session) as cursor:
            alive = hold_projects(cursor, batch)
            if batch.has_letters:
                # Behind the projects, as a deletion locks them too.
                wanted = still_wanted(cursor, batch.entries)
                if len(wanted) < len(batch.entries):
                    batch = prepare_batch(wanted)
            counts = store_activity(cursor, batch, alive, self.former_ids.suspects)
            rejected = {each.entry: each.reason for each in batch.unreadable}
            if unknown := unknown_projects(cursor, set(batch.project_ids) - alive.keys()):
                of_unknown = sum(event.record.project_id in unknown for event in batch.activity.events)
                counts = replace(counts, dropped=counts.dropped - of_unknown, unknown=of_unknown)
                rejected |= _entries_of(batch, unknown)
            if batch.has_letters:
                settle_letters(cursor, batch.entries, rejected)
            for entry, reason in rejected.items():
                store_letter(cursor, entry, reason)
            # Last, because many batches want the same few rows and should hold them for a moment only.
            _note_used_keys(cursor, batch.used_keys)
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


def hold_projects(cursor: Cursor, batch: PreparedBatch) -> Mapping[str, int]:
    """Keep those projects of a batch that exist until the transaction ends; gives the next device's number of each."""
    cursor.execute(statements.LOCK_PROJECTS, [batch.project_ids])
    return dict(cursor.fetchall())


def store_activity(
    cursor: Cursor,
    batch: PreparedBatch,
    alive: Mapping[str, int],
    suspects_among: Callable[[ListedIds], Suspects] = suspect_all,
) -> EventCounts:
    """Store what is new, of the projects that exist and are held, and count exactly that; says what was new."""
    activity = batch.activity
    wanted = activity.of_projects(alive)
    devices = BatchDevices(cursor, wanted.devices, alive)
    if devices.has_erased:
        later = [entry for entry in batch.entries if not _is_of_before_erasure(entry, devices)]
        wanted = prepare_batch(later).activity.of_projects(alive)
    ids = remember(cursor, wanted.ids, suspects_among)
    count = wanted.count if ids is wanted.ids else wanted.counted(ids.events)
    exposures = _store_exposures(cursor, wanted.exposures)
    named = list(dict.fromkeys([*count.devices, *((project_id, device_id) for project_id, device_id, *_ in exposures)]))
    expected = devices.expected_numbers(named)

    def cells(numbers: Mapping[DeviceKey, int]) -> EncodedCells:
        return encoded_cells(chain(count.cells(numbers), exposure_cells(exposures, numbers)))

    if ids.events:
        with cursor.copy(COPY_EVENTS) as copy:
            for piece in copy_pieces(ids.events):
                copy.write(piece)
            # PostgreSQL is at work on the events meanwhile.
            encoded = cells(expected)
    else:
        encoded = cells(expected)
    numbers = devices.store_numbers(expected)
    copy_cells(cursor, encoded if numbers is expected else cells(numbers))
    return EventCounts(len(ids.events), len(wanted.events) - len(ids.events), len(activity.events) - len(wanted.events))


def _store_exposures(cursor: Cursor, records: Sequence[ExposureRecord]) -> list[StoredExposure]:
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


def _entries_of(batch: PreparedBatch, unknown: Container[str]) -> dict[StreamEntry, str]:
    """Return the entries of unknown projects, each with the reason of its dead letter."""
    owners = {entry: project_of(entry.body) for entry in batch.entries}
    return {
        entry: f"{UNKNOWN_PROJECT}: {project_id} was never in this database"
        for entry, project_id in owners.items()
        if project_id in unknown
    }


def _note_used_keys(cursor: Cursor, used: Sequence[UsedKey]) -> None:
    if used:
        cursor.execute(statements.NOTE_USED_KEYS, [list(column) for column in zip(*used, strict=True)])


def _is_of_before_erasure(entry: StreamEntry, devices: BatchDevices) -> bool:
    try:
        record = decode_record(entry.body)
    except StreamRecordError:
        return False
    return devices.is_of_before_erasure(device_of(record), entry.accepted_at_ms)


def _refusal(error: Exception) -> BatchRefusedError:
    return BatchRefusedError(f"{type(error).__name__}: {error}")


def _is_fault_of_data(error: psycopg.Error) -> bool:
    """Tell whether it will fail again; an error without SQLSTATE comes from the driver, or from a lost connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.DataError)
    return error.sqlstate[:2] in DATA_FAULTS
