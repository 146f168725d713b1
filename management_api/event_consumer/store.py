"""Stores one batch in one transaction: the raw rows that are new, and exactly these rows as records to be counted."""

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import structlog
from psycopg import errors
from psycopg.types.json import Jsonb

from common.errors import OnboardingError, UnavailableError
from common.telemetry.tracing import Attributes, TraceOrigin, valid_traceparent
from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecordError, decode_record
from management_api.db.engine import Database
from management_api.db.health import SCHEMA_DIFFERS, SERVING_FITS
from management_api.db.migrate import newest_revisions, schema_fit
from management_api.db.project_locks import LockedProjects, lock_free_projects, own_project, share_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.dead_letters import (
    UNKNOWN_PROJECT,
    drop_resolved,
    project_of,
    resolve_dead_letters,
    store_dead_letter,
    unknown_projects,
)
from management_api.event_consumer.decode import DecodedBatch, DecodedEvent, decode_batch
from management_api.event_consumer.deduplicate import projects_to_own, store_new_ids
from management_api.event_consumer.known_streams import KnownStreams
from management_api.event_consumer.metrics import EventCounter, EventCounts
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.device_digests import KEYED_AFTER, DeviceDigests
from management_api.rollups.devices import DeviceErasure, DeviceKey, find_erasures
from management_api.rollups.experiment_users import exposures_since_reset
from management_api.rollups.uncounted import StoredExposure, store_uncounted

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from common.telemetry.open_telemetry import Spans

log = structlog.stdlib.get_logger(__name__)

#: How often a transaction that lost against another one is repeated, without a wait: the other one has ended.
MAX_ATTEMPTS = 5
#: Errors after which a batch is stored again, because another transaction has committed first: it has locked rows in
#: another order, stored a row of the same key, or attached a partition.
LOST_RACES = (errors.DeadlockDetected, errors.SerializationFailure, errors.UniqueViolation, errors.CheckViolation)
#: Classes of SQLSTATE that mean that the data cannot be stored: cardinality, data, integrity, a limit of the program
#: (a key too long for an index, nesting too deep). All others are the server's own and pass.
DATA_FAULTS = frozenset({"21", "22", "23", "54"})

READ_CLOCK = "SELECT floor(extract(epoch FROM now()) * 1000)::bigint"

#: How long a batch of one project waits for its lock, or for another row. Other projects of the stream wait with it.
LOCK_TIMEOUT = "SET LOCAL lock_timeout = '1s'"

#: Their rows are locked already.
FIND_RECORDING_PROJECTS = "SELECT id FROM projects WHERE id = ANY(%s) AND record_answers"

#: Stores the first exposure of each flow and variant; a stored one stays, so that no rollup counts a time that the
#: table does not have. Returns the new ones, with the day counted from 1970-01-01.
STORE_EXPOSURES = """
    INSERT INTO exposures (project_id, device_id, flow_id, experiment_id, variant, exposed_at, platform)
    SELECT project_id, device_id, flow_id, coalesce(experiment_id, ''), coalesce(variant, ''),
        timestamptz 'epoch' + exposed_at_ms * interval '1 millisecond', platform
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[])
        AS given (project_id, device_id, flow_id, experiment_id, variant, exposed_at_ms, platform)
    ORDER BY 1, 2, 3, 4, 5, exposed_at_ms
    ON CONFLICT DO NOTHING
    RETURNING project_id, device_id, flow_id, (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01'
"""

FIND_RESETS = """
    SELECT id, salt_version, floor(extract(epoch FROM reset_at) * 1000)::bigint FROM experiments
    WHERE id = ANY(%s) AND reset_at IS NOT NULL
"""

COPY_EVENTS = """
    COPY events (
        project_id, event_id, event_type, device_id, occurred_at, received_at, flow_id, screen_id, experiment_id,
        variant, session_id, platform, app_version, locale, properties
    ) FROM STDIN (FORMAT binary)
"""
#: In the binary format a timestamptz is its microseconds from 2000 on, so an integer needs no conversion.
EVENT_TYPES = ("varchar", "text", "text", "text", "int8", "int8", *(["text"] * 8), "jsonb")
_YEAR_2000_MS = 946_684_800_000

#: Well below the age at which a digest gets a key, because the clocks of Redis and PostgreSQL may differ.
_LATE_MS = KEYED_AFTER / timedelta(milliseconds=1) / 2

Cursor = psycopg.Cursor[Any]


class BatchRefusedError(OnboardingError):
    """PostgreSQL cannot store something in this batch, now or later."""


class BatchStore:
    """Writes batches of stream entries to PostgreSQL."""

    def __init__(self, database: Database, spans: "Spans | None" = None, digests: DeviceDigests | None = None) -> None:
        self._database = database
        self._spans = spans
        self._digests = digests or DeviceDigests()
        self.event_counter = EventCounter()
        self.known_streams = KnownStreams(database)
        self._schema_serves = False

    def store(self, entries: Sequence[StreamEntry], *, waits: bool = False) -> list[StreamEntry]:
        """Store a batch, and return the entries that are left out because their projects are locked.

        With `waits` the lock of each project is waited for, for a second at most, so the entries should be of one
        project. Repeated events and those of deleted projects are not stored. Entries of projects that were never in
        this database become dead letters: a restore has lost the project.

        Raises BatchRefusedError when the data is at fault, LockNotAvailable, and an error of the database when the
        server is at fault; nothing is stored then.
        """
        self._require_schema()
        batch = decode_batch(entries)
        with self._span(batch):
            for attempts_left in reversed(range(MAX_ATTEMPTS)):
                try:
                    with _driver_errors():
                        counts, left_out = self._store_once(batch, waits=waits)
                except LOST_RACES:
                    if not attempts_left:
                        raise
                except (ValueError, OverflowError) as error:
                    raise _refusal(error) from error
                except psycopg.Error as error:
                    if _is_data_error(error):
                        raise _refusal(error) from error
                    raise
                else:
                    self.event_counter.add(counts)
                    if counts.unknown:
                        log.warning("events.of_unknown_projects", events=counts.unknown)
                    return left_out
        raise AssertionError("The last attempt returns or raises")

    def store_dead_letter(self, entry: StreamEntry, reason: str) -> None:
        """Store an entry as a dead letter. Raises LockNotAvailable while its project is locked."""
        project_id = project_of(entry.body)
        with _driver_errors(), self._database.transaction() as session, driver_cursor(session) as cursor:
            if project_id is not None:
                _wait_for_projects(cursor, [project_id])
            store_dead_letter(cursor, entry, reason, self._digests)

    def _require_schema(self) -> None:
        """Raise UnavailableError unless the schema serves this release.

        A migration may be carrying event ids over. Until it is complete, a repeated event would be stored twice.
        """
        if not self._schema_serves:
            with self._database.transaction() as session:
                self._schema_serves = schema_fit(session.connection(), newest_revisions()) in SERVING_FITS
            if not self._schema_serves:
                raise UnavailableError(SCHEMA_DIFFERS)

    def _store_once(self, batch: DecodedBatch, *, waits: bool) -> tuple[EventCounts, list[StreamEntry]]:
        # All that is looked up has an index.
        with self._database.transaction() as session, driver_cursor(session) as cursor:
            now_ms, (alive, busy) = lock_projects(cursor, batch, waits=waits)
            left_out = [entry for entry in batch.entries if project_of(entry.body) in busy] if busy else []
            if left_out:
                late = frozenset(left_out)
                batch = decode_batch([entry for entry in batch.entries if entry not in late])
            if batch.has_dead_letters:
                # Behind the projects, as a deletion locks them too.
                wanted = drop_resolved(cursor, batch.entries)
                if len(wanted) < len(batch.entries):
                    batch = decode_batch(wanted)
            new, repeated = store_records(cursor, batch, alive, now_ms, self._digests)
            missing = set(batch.project_ids) - alive
            unknown = unknown_projects(cursor, missing) if missing else set()
            rejected = batch.unreadable | _entries_of(batch, unknown)
            if batch.has_dead_letters:
                resolve_dead_letters(cursor, batch.entries, rejected)
            for entry, reason in rejected.items():
                store_dead_letter(cursor, entry, reason, self._digests)
        of_unknown = sum(event.record.project_id in unknown for event in batch.events) if unknown else 0
        return EventCounts(new, repeated, len(batch.events) - new - repeated - of_unknown, of_unknown), left_out

    def _span(self, batch: DecodedBatch) -> "AbstractContextManager[object]":
        """Return a span for the batch, linked with the traces of its events, while traces are on."""
        if self._spans is None:
            return nullcontext()
        entries = batch.entries
        stream = entries[0].stream if entries else ""
        attributes: Attributes = {"messaging.batch.message_count": len(entries), "messaging.destination.name": stream}
        return self._spans.batch("store events", attributes, _origins(batch.events))


def lock_projects(cursor: Cursor, batch: DecodedBatch, *, waits: bool = False) -> tuple[int, LockedProjects]:
    """Lock the existing projects of a batch until the transaction ends.

    Returns the moment by PostgreSQL's clock (Unix milliseconds), and the projects. With `waits`, raises
    LockNotAvailable.
    """
    cursor.execute(READ_CLOCK)
    [(now_ms,)] = cursor.fetchall()
    owned = projects_to_own(batch.events, now_ms)
    # An unreadable entry becomes a dead letter of the project that its bytes name.
    named = {project_id for entry in batch.unreadable if (project_id := project_of(entry.body)) is not None}
    shared = named.union(batch.project_ids)
    if waits:
        return now_ms, LockedProjects(_wait_for_projects(cursor, shared, owned), set())
    return now_ms, lock_free_projects(cursor, shared, owned)


def _wait_for_projects(cursor: Cursor, project_ids: Collection[str], owned: Collection[str] = ()) -> set[str]:
    """Lock projects, and return those that exist. A timeout of the statement is one of the lock: nothing else runs."""
    cursor.execute(LOCK_TIMEOUT)
    try:
        return {
            project_id
            for project_id in sorted(project_ids)
            if (own_project if project_id in owned else share_project)(cursor, project_id)
        }
    except errors.QueryCanceled as error:
        raise errors.LockNotAvailable(str(error)) from error


def store_records(
    cursor: Cursor, batch: DecodedBatch, alive: Container[str], now_ms: int, digests: DeviceDigests | None = None
) -> tuple[int, int]:
    """Store the new records of the locked projects, and have exactly those counted.

    Returns the numbers of new and of repeated events.
    """
    events, exposures = _of_projects(batch, alive)
    devices = {event.device for event in events} | {_device_of(record) for record in exposures}
    erasures = find_erasures(cursor, devices)
    late = _late_devices(batch, now_ms) if digests else set()
    if digests and late:
        erasures |= digests.find_erasures(cursor, late)
    if erasures:
        later = decode_batch([entry for entry in batch.entries if not _precedes_erasure(entry, erasures)])
        events, exposures = _of_projects(later, alive)
    new = store_new_ids(cursor, events, now_ms) if events else []
    stored_exposures = _store_exposures(cursor, exposures) if exposures else []
    wanted = _without_unwanted_answers(cursor, new)
    copy_events(cursor, wanted)
    store_uncounted(cursor, ((event.record, len(event.properties)) for event in wanted), stored_exposures)
    return len(new), len(events) - len(new)


def _late_devices(batch: DecodedBatch, now_ms: int) -> set[DeviceKey]:
    """Return the devices of entries that were accepted so long ago that the digest of an erasure may have a key."""
    late = [entry for entry in batch.entries if entry.accepted_at_ms < now_ms - _LATE_MS]
    if not late:
        return set()
    decoded = decode_batch(late)
    return {event.device for event in decoded.events} | {_device_of(record) for record in decoded.exposures}


def _without_unwanted_answers(cursor: Cursor, events: Sequence[DecodedEvent]) -> Sequence[DecodedEvent]:
    """Return the events to store: without the answers on hosted pages, where the project does not record them.

    A page sends no answers then. One that was opened before the setting was changed may.
    """
    projects = {event.record.project_id for event in events if event.has_hosted_answer}
    if not projects:
        return events
    cursor.execute(FIND_RECORDING_PROJECTS, [list(projects)])
    unwanted = projects - {project_id for (project_id,) in cursor}
    return [
        event.without_answer() if event.has_hosted_answer and event.record.project_id in unwanted else event
        for event in events
    ]


def _of_projects(batch: DecodedBatch, project_ids: Container[str]) -> tuple[list[DecodedEvent], list[ExposureRecord]]:
    return (
        [event for event in batch.events if event.record.project_id in project_ids],
        [exposure for exposure in batch.exposures if exposure.project_id in project_ids],
    )


def _precedes_erasure(entry: StreamEntry, erasures: Mapping[DeviceKey, DeviceErasure]) -> bool:
    """Return whether the device of the entry was erased after it was accepted."""
    try:
        erasure = erasures.get(_device_of(decode_record(entry.body)))
    except StreamRecordError:
        return False
    return erasure is not None and erasure.is_after_entry(entry.accepted_at_ms)


def copy_events(cursor: Cursor, events: Sequence[DecodedEvent]) -> None:
    """Store events."""
    if not events:
        return
    with cursor.copy(COPY_EVENTS) as copy:
        copy.set_types(EVENT_TYPES)
        for event in events:
            record = event.record
            copy.write_row((
                record.project_id, record.event_id, record.event_type, record.device_id,
                (record.occurred_at_ms - _YEAR_2000_MS) * 1000, (record.received_at_ms - _YEAR_2000_MS) * 1000,
                record.flow_id, record.screen_id,
                record.experiment_id, record.variant, record.session_id, record.platform, record.app_version,
                record.locale,
                # The properties are JSON already.
                Jsonb(event.properties, dumps=bytes),
            ))  # fmt: skip


def _store_exposures(cursor: Cursor, records: Sequence[ExposureRecord]) -> list[StoredExposure]:
    resets = _resets(cursor, records)
    columns = (
        [record.project_id for record in records],
        [record.device_id for record in records],
        [record.flow_id for record in records],
        [_counted_experiment(record, resets) for record in records],
        [record.variant for record in records],
        [record.exposed_at_ms for record in records],
        [record.platform for record in records],
    )
    cursor.execute(STORE_EXPOSURES, columns)
    return cursor.fetchall()


def _resets(cursor: Cursor, records: Sequence[ExposureRecord]) -> Mapping[str, tuple[int, int]]:
    """Return the salt version and the moment (Unix milliseconds) of the last reset of experiments that had one."""
    experiments = {record.experiment_id for record in records if record.experiment_id is not None}
    if not experiments:
        return {}
    cursor.execute(FIND_RESETS, [list(experiments)])
    return {experiment_id: (salt_version, reset_at_ms) for experiment_id, salt_version, reset_at_ms in cursor}


def _counted_experiment(record: ExposureRecord, resets: Mapping[str, tuple[int, int]]) -> str | None:
    """Return the id of the experiment under which the exposure is stored."""
    experiment_id = record.experiment_id
    if experiment_id is None or experiment_id not in resets:
        return experiment_id
    salt_version, reset_at_ms = resets[experiment_id]
    is_since_reset = record.exposed_at_ms >= reset_at_ms
    return exposures_since_reset(experiment_id, salt_version) if is_since_reset else experiment_id


def _entries_of(batch: DecodedBatch, unknown: Collection[str]) -> dict[StreamEntry, str]:
    """Return the entries of unknown projects, each with the reason of its dead letter."""
    if not unknown:
        return {}
    owners = {entry: project_of(entry.body) for entry in batch.entries}
    return {
        entry: f"{UNKNOWN_PROJECT}: {project_id} was never in this database"
        for entry, project_id in owners.items()
        if project_id in unknown
    }


def _device_of(record: EventRecord | ExposureRecord) -> DeviceKey:
    return record.project_id, record.device_id


def _origins(events: Sequence[DecodedEvent]) -> list[TraceOrigin]:
    records = [event.record for event in events]
    # Writers of the stream are not trusted with the content of exported spans.
    return [
        TraceOrigin(record.traceparent, record.request_id)
        for record in records
        if record.traceparent and valid_traceparent([record.traceparent])
    ]


@contextmanager
def _driver_errors() -> Iterator[None]:
    """Raise the error of PostgreSQL in place of UnavailableError: its SQLSTATE decides what the caller does."""
    try:
        yield
    except UnavailableError as error:
        if isinstance(error.__cause__, psycopg.Error):
            raise error.__cause__ from None
        raise


def _refusal(error: Exception) -> BatchRefusedError:
    return BatchRefusedError(f"{type(error).__name__}: {error}")


def _is_data_error(error: psycopg.Error) -> bool:
    """Return whether it will fail again; an error without SQLSTATE is of the driver, or of a lost connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.DataError)
    return error.sqlstate[:2] in DATA_FAULTS
