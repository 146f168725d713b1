"""Erases a device: one short transaction notes it, many small ones then remove the stored data.

The first transaction owns the project, so no batch runs meanwhile: events that were stored before have lower
numbers (`events.stored_no`, from a sequence), events that are stored later have higher ones. No clock decides that. The
device, should it come back, is a new one with a number of its own.

The second step takes no lock that edits or ingestion wait for. Each of its transactions leaves events and rollups in
agreement, so several processes may do it at once, and maintenance repeats it after a crash.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from typing import Any, NamedTuple

import psycopg
from pyroaring import BitMap

from common.wire.stream_records import StreamRecordError, decode_record
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.analytics import digest_of_device
from management_api.db.project_locks import own_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.compaction import compact_day
from management_api.rollups.limits import EventTypes, limit_keys
from management_api.rollups.rollup import NO_DEVICE, Breakdown, Rollup, RollupCounter, RollupKey, all_time_rollups
from management_api.rollups.storage import date_of, lock_rollups, read_day, replace_devices, write_rollups

FORGET_NUMBER = "DELETE FROM devices WHERE project_id = %s AND device_id = %s RETURNING number"
COUNT_DOWN = "UPDATE project_totals SET devices = devices - 1 WHERE project_id = %s"
#: A repeated erasure never moves the moment back, or the consumer would take what it dropped before.
NOTE_ERASED_DEVICE = """
    INSERT INTO erased_devices (project_id, digest, erased_at, last_stored_no)
    VALUES (%s, %s, %s, nextval('event_stored_no'))
    ON CONFLICT (project_id, digest) DO UPDATE
    SET erased_at = greatest(erased_devices.erased_at, excluded.erased_at), last_stored_no = excluded.last_stored_no
"""
NOTE_ERASURE = """
    INSERT INTO pending_erasures (project_id, device_id, number, last_stored_no, last_dead_letter_id)
    VALUES (%s, %s, %s, nextval('event_stored_no'), (SELECT coalesce(max(id), 0) FROM dead_letters))
"""
#: By the primary key, so it is short. It cannot wait: a device that comes back may store the same exposure again.
REMOVE_EXPOSURES = """
    DELETE FROM exposures WHERE project_id = %s AND device_id = %s
    RETURNING (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01', flow_id
"""

STATEMENT_MINUTES = 10
#: A transaction that waits here for the small transaction of another process has locked nothing yet.
LOCK_TIMEOUT = "SET LOCAL lock_timeout = '1min'"

FIND_ERASURES = """
    SELECT id, project_id, device_id, number, last_stored_no, last_dead_letter_id FROM pending_erasures
"""
#: A project that is deleted takes the row along, and so waits for the transaction, which may add rollups.
LOCK_ERASURE = "SELECT id FROM pending_erasures WHERE id = %s FOR KEY SHARE"
#: The days with rollups, and the days with events, each found by one look into the index. Null: all days together.
DAYS = """
    WITH RECURSIVE event_days (start) AS (
        (SELECT date_trunc('day', occurred_at, 'UTC') FROM events WHERE project_id = %(project)s
         ORDER BY occurred_at LIMIT 1)
        UNION ALL
        SELECT (
            SELECT date_trunc('day', occurred_at, 'UTC') FROM events
            WHERE project_id = %(project)s AND occurred_at >= start + interval '24 hours'
            ORDER BY occurred_at LIMIT 1
        ) FROM event_days WHERE start IS NOT NULL
    )
    SELECT (start AT TIME ZONE 'UTC')::date - date '1970-01-01' FROM event_days WHERE start IS NOT NULL
    UNION SELECT day - date '1970-01-01' FROM activity_cells WHERE project_id = %(project)s
    ORDER BY 1 NULLS LAST
"""
#: Events have no index by device, which every event would pay for and few requests would use: the day's are read.
REMOVE_EVENTS = """
    DELETE FROM events
    WHERE project_id = %(project)s AND occurred_at >= %(start)s AND occurred_at < %(end)s AND device_id = %(device)s
        AND (stored_no IS NULL OR stored_no < %(last)s)
    RETURNING (extract(epoch FROM occurred_at) * 1000)::bigint, event_type, flow_id, screen_id, experiment_id, variant,
        platform
"""
#: A record holds its strings as they are, so most dead letters of other devices are left out without being decoded.
FIND_DEAD_LETTERS = """
    SELECT id, body FROM dead_letters
    WHERE id <= %s AND (project_id = %s OR project_id IS NULL) AND position(%s IN body) > 0 AND position(%s IN body) > 0
"""
END_ERASURE = "DELETE FROM pending_erasures WHERE id = %s"

_ONE_DAY = timedelta(days=1)

Cursor = psycopg.Cursor[Any]


class Erasure(NamedTuple):
    """A row of `pending_erasures`."""

    id: int
    project_id: str
    device_id: str
    number: int | None
    last_stored_no: int
    last_dead_letter_id: int


def begin_erasure(cursor: Cursor, project_id: str, device_id: str, at: datetime) -> None:
    """Record the erasure, and delete the number of the device; the consumer drops entries accepted up to `at`.

    Owns the project, which the transaction must not have locked before.
    """
    own_project(cursor, project_id)
    cursor.execute(FORGET_NUMBER, [project_id, device_id])
    found = cursor.fetchone()
    if found is not None:
        cursor.execute(COUNT_DOWN, [project_id])
    cursor.execute(NOTE_ERASED_DEVICE, [project_id, digest_of_device(project_id, device_id), at])
    cursor.execute(NOTE_ERASURE, [project_id, device_id, found and found[0]])
    cursor.execute(REMOVE_EXPOSURES, [project_id, device_id])
    exposures = Counter(RollupKey(Breakdown.EXPOSURE, day, None, flow_id) for day, flow_id in cursor)
    removed = limit_keys(cursor, project_id, {key: Rollup(-events) for key, events in exposures.items()})
    write_rollups(cursor, ((project_id, key, rollup) for key, rollup in removed.items()))


def complete_erasures(database: Database, project_id: str, device_id: str) -> None:
    """Remove the data that was stored of a device before its erasures, those that were interrupted included."""
    for erasure in _find(database, "project_id = %s AND device_id = %s", [project_id, device_id]):
        complete_erasure(database, erasure)


def interrupted_erasures(database: Database) -> list[Erasure]:
    """Return the erasures whose request must have ended long ago."""
    return _find(database, "noted_at < clock_timestamp() - interval '15 minutes'", [])


def complete_erasure(database: Database, erasure: Erasure) -> None:
    """Remove the data that was stored of the device before one erasure."""
    with _small_transaction(database) as cursor:
        cursor.execute(DAYS, {"project": erasure.project_id})
        days = [day for (day,) in cursor]
    for day in days:
        with _small_transaction(database) as cursor:
            _erase_day(cursor, erasure, day)
    with _small_transaction(database) as cursor:
        _remove_dead_letters(cursor, erasure)
        cursor.execute(END_ERASURE, [erasure.id])


def _find(database: Database, condition: str, values: Sequence[object]) -> list[Erasure]:
    with database.transaction() as session:
        found = driver_cursor(session).execute(f"{FIND_ERASURES} WHERE {condition} ORDER BY id".encode(), values)
        return [Erasure(*row) for row in found]


@contextmanager
def _small_transaction(database: Database) -> Iterator[Cursor]:
    with database.transaction(index_scans_only=True) as session, driver_cursor(session) as cursor:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        cursor.execute(LOCK_TIMEOUT)
        yield cursor


def _erase_day(cursor: Cursor, erasure: Erasure, day: int | None) -> None:
    """Remove the device's events of one day, and its number from the day's rollups (None: of all days together)."""
    cursor.execute(LOCK_ERASURE, [erasure.id])
    if cursor.fetchone() is None:
        return
    # Before all rows, because two processes that erase must not take each other's rows in another order.
    lock_rollups(cursor, erasure.project_id)
    removed = {} if day is None else _remove_events(cursor, erasure, day)
    write_rollups(cursor, ((erasure.project_id, key, _negative(rollup)) for key, rollup in removed.items()))
    if _remove_number(cursor, erasure, day) or removed:
        compact_day(cursor, erasure.project_id, day)


def _remove_events(cursor: Cursor, erasure: Erasure, day: int) -> dict[RollupKey, Rollup]:
    """Remove the device's events of one day, and return the rollups that count them, or will count them."""
    counter, start = RollupCounter(), datetime.combine(date_of(day), time(), UTC)
    cursor.execute(
        REMOVE_EVENTS,
        {
            "project": erasure.project_id,
            "start": start,
            "end": start + _ONE_DAY,
            "device": erasure.device_id,
            "last": erasure.last_stored_no,
        },
    )
    removed = cursor.fetchall()
    types = EventTypes(cursor, [erasure.project_id])
    for moment, *key in removed:
        counter.add_event(NO_DEVICE, moment, types.counted(erasure.project_id, tuple(key)))
    types.store()
    by_day = limit_keys(cursor, erasure.project_id, dict(counter.rollups()))
    return by_day | all_time_rollups(by_day)


def _negative(rollup: Rollup) -> Rollup:
    """Return the delta that subtracts the events; it has no device."""
    return Rollup(-rollup.events, rollup.devices, rollup.first_seen)


def _remove_number(cursor: Cursor, erasure: Erasure, day: int | None) -> bool:
    """Remove the device's number from the day's rollups; return whether any had it."""
    number = erasure.number
    if number is None:
        return False
    gone = BitMap([number])
    changed = [
        (row, rollup.without(gone))
        for row, _, rollup in read_day(cursor, erasure.project_id, day)
        if number in rollup.devices
    ]
    for row, rollup in changed:
        replace_devices(cursor, row, rollup)
    return bool(changed)


def _remove_dead_letters(cursor: Cursor, erasure: Erasure) -> None:
    """Remove the device's dead letters, as far as their bodies can be decoded."""
    mentions = erasure.project_id.encode(), erasure.device_id.encode()
    cursor.execute(FIND_DEAD_LETTERS, [erasure.last_dead_letter_id, erasure.project_id, *mentions])
    gone = [dead_letter_id for dead_letter_id, body in cursor.fetchall() if _is_of(body, erasure)]
    cursor.execute("DELETE FROM dead_letters WHERE id = ANY(%s)", [gone])


def _is_of(body: bytes, erasure: Erasure) -> bool:
    try:
        record = decode_record(body)
    except StreamRecordError:
        return False
    return (record.project_id, record.device_id) == (erasure.project_id, erasure.device_id)
