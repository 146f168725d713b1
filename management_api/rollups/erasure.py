"""Erases devices: one short transaction notes an erasure, maintenance then removes the stored data.

The first transaction owns the project, so no batch runs meanwhile: events that were stored before have lower numbers
(`events.stored_no`, from a sequence), events that are stored later have higher ones. No clock decides that. The device,
should it come back, is a new one with a number of its own.

The second step removes the data of all waiting devices of a project in one pass, a part of a day for each transaction,
with pauses. It takes no lock that edits or ingestion wait for. Each of its transactions leaves events and rollups in
agreement, so several processes may do it at once, and maintenance repeats it after a crash.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from time import monotonic
from typing import Any, NamedTuple

import psycopg
from psycopg.types.json import Jsonb
from pyroaring import BitMap

from common.wire.stream_records import StreamRecordError, decode_record
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.analytics import digest_of_device
from management_api.db.project_locks import own_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.compaction import compact_day
from management_api.rollups.event_keys import STORED_KEY_COLUMNS, stored_event_key
from management_api.rollups.limits import EventTypes, limit_keys
from management_api.rollups.pacing import rest_since
from management_api.rollups.rollup import NO_DEVICE, Breakdown, Rollup, RollupCounter, RollupKey, all_time_rollups
from management_api.rollups.storage import date_of, lock_rollups, read_day, replace_devices, write_rollups
from management_api.rollups.totals import refresh_totals

FORGET_NUMBER = "DELETE FROM devices WHERE project_id = %s AND device_id = %s RETURNING number"
COUNT_DOWN = "UPDATE project_totals SET devices = devices - 1 WHERE project_id = %s"
#: A repeated erasure never moves the moment back, or the consumer would take what it dropped before.
NOTE_ERASED_DEVICE = """
    INSERT INTO erased_devices (project_id, digest, erased_at, last_stored_no)
    VALUES (%s, %s, %s, nextval('event_stored_no'))
    ON CONFLICT (project_id, digest) DO UPDATE
    SET erased_at = greatest(erased_devices.erased_at, excluded.erased_at), last_stored_no = excluded.last_stored_no
"""
#: A repeated erasure raises the marks of the waiting one, unless the device has come back and has another number.
RAISE_MARKS = """
    UPDATE pending_erasures
    SET number = coalesce(number, %(number)s), last_stored_no = nextval('event_stored_no'),
        last_dead_letter_id = (SELECT coalesce(max(id), 0) FROM dead_letters)
    WHERE id = (
        SELECT id FROM pending_erasures
        WHERE project_id = %(project)s AND device_id = %(device)s AND (%(number)s::integer IS NULL OR number IS NULL)
        ORDER BY id LIMIT 1
    )
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

FIND_PROJECTS = """
    SELECT DISTINCT project_id FROM pending_erasures AS pending
    WHERE NOT EXISTS (SELECT FROM deleted_projects WHERE deleted_projects.project_id = pending.project_id)
"""
READ_ERASURES = """
    SELECT id, device_id, number, last_stored_no, last_dead_letter_id FROM pending_erasures
    WHERE project_id = %s ORDER BY id LIMIT %s
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
#: The end of a part of a day, found by the index; none if the day ends before.
FIND_END = """
    SELECT occurred_at FROM events WHERE project_id = %s AND occurred_at >= %s AND occurred_at < %s
    ORDER BY occurred_at OFFSET %s LIMIT 1
"""
#: Events have no index by device, which every event would pay for and few requests would use: all events of the day
#: are read once. The marks are looked up for events of these devices only.
REMOVE_EVENTS = f"""
    DELETE FROM events
    WHERE project_id = %(project)s AND occurred_at >= %(start)s AND occurred_at < %(end)s
        AND device_id = ANY(%(devices)s)
        AND (stored_no IS NULL OR stored_no < (%(marks)s::jsonb ->> device_id)::bigint)
    RETURNING (extract(epoch FROM occurred_at) * 1000)::bigint, {STORED_KEY_COLUMNS}
"""  # noqa: S608 - constants
READ_DEAD_LETTERS = """
    SELECT id, body FROM dead_letters
    WHERE id > %s AND id <= %s AND (project_id = %s OR project_id IS NULL) ORDER BY id LIMIT %s
"""
HIDE_DEVICES = """
    UPDATE audit_entries SET entity_id = given.pseudonym
    FROM unnest(%s::text[], %s::text[]) AS given (device_id, pseudonym)
    WHERE project_id = %s AND entity_type = 'qa_device' AND entity_id = given.device_id
"""
#: An erasure that was repeated during the pass has other marks, and waits for the next pass.
END_ERASURES = """
    DELETE FROM pending_erasures USING unnest(%s::bigint[], %s::bigint[]) AS done (id, last_stored_no)
    WHERE pending_erasures.id = done.id AND pending_erasures.last_stored_no = done.last_stored_no
"""

#: The erasures of one pass, the events that one transaction reads, and the dead letters that are read at once.
MAX_ERASURES, EVENTS_PORTION, LETTERS_PAGE = 5000, 50_000, 1000
_ONE_DAY, _ONE_MILLISECOND = timedelta(days=1), timedelta(milliseconds=1)

Cursor = psycopg.Cursor[Any]


class Erasures(NamedTuple):
    """The waiting erasures of a project; `marks` has the number after the last event to erase of each device."""

    project_id: str
    #: The ids of the rows, and the marks that they had when they were read.
    ids: list[int]
    last_stored_nos: list[int]
    marks: dict[str, int]
    numbers: BitMap
    last_dead_letter_id: int


def begin_erasure(cursor: Cursor, project_id: str, device_id: str, at: datetime) -> None:
    """Record the erasure, and delete the number of the device; the consumer drops entries accepted up to `at`.

    Owns the project, which the transaction must not have locked before. An erasure that waits already is not added.
    """
    own_project(cursor, project_id)
    cursor.execute(FORGET_NUMBER, [project_id, device_id])
    found = cursor.fetchone()
    if found is not None:
        cursor.execute(COUNT_DOWN, [project_id])
    cursor.execute(NOTE_ERASED_DEVICE, [project_id, digest_of_device(project_id, device_id), at])
    number = found and found[0]
    cursor.execute(RAISE_MARKS, {"project": project_id, "device": device_id, "number": number})
    if not cursor.rowcount:
        cursor.execute(NOTE_ERASURE, [project_id, device_id, number])
    cursor.execute(REMOVE_EXPOSURES, [project_id, device_id])
    exposures = Counter(RollupKey(Breakdown.EXPOSURE, day, None, flow_id) for day, flow_id in cursor)
    removed = limit_keys(cursor, project_id, {key: Rollup(-events) for key, events in exposures.items()})
    write_rollups(cursor, ((project_id, key, rollup) for key, rollup in removed.items()))


def projects_with_erasures(database: Database) -> list[tuple[str]]:
    """Return the projects in which devices wait for their erasure."""
    with database.transaction() as session:
        return driver_cursor(session).execute(FIND_PROJECTS).fetchall()


def complete_erasures(database: Database, project_id: str) -> None:
    """Remove the data that was stored of the waiting devices of a project before their erasures.

    Reads all events of the project once, and all of its rollups.
    """
    erasures = _read(database, project_id)
    if erasures is None:
        return
    with _small_transaction(database) as cursor:
        cursor.execute(DAYS, {"project": project_id})
        days = [day for (day,) in cursor]
    for day in days:
        if not _erase_day(database, erasures, day):
            return
    with _small_transaction(database) as cursor:
        _remove_dead_letters(cursor, erasures)
        devices = list(erasures.marks)
        cursor.execute(HIDE_DEVICES, [devices, [pseudonym_of(project_id, device) for device in devices], project_id])
        cursor.execute(END_ERASURES, [erasures.ids, erasures.last_stored_nos])


def pseudonym_of(project_id: str, device_id: str) -> str:
    """Return the pseudonym of an erased device, by which only someone with its id can find the erasure."""
    return f"sha256:{digest_of_device(project_id, device_id).hex()}"


def _read(database: Database, project_id: str) -> Erasures | None:
    with database.transaction() as session:
        rows = driver_cursor(session).execute(READ_ERASURES, [project_id, MAX_ERASURES]).fetchall()
    if not rows:
        return None
    ids, devices, numbers, marks, dead_letters = (list(column) for column in zip(*rows, strict=True))
    newest: dict[str, int] = {}
    for device, mark in zip(devices, marks, strict=True):
        newest[device] = max(mark, newest.get(device, mark))
    known = BitMap(number for number in numbers if number is not None)
    return Erasures(project_id, ids, marks, newest, known, max(dead_letters))


@contextmanager
def _small_transaction(database: Database) -> Iterator[Cursor]:
    with database.transaction() as session, driver_cursor(session) as cursor:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        cursor.execute(LOCK_TIMEOUT)
        yield cursor


def _erase_day(database: Database, erasures: Erasures, day: int | None) -> bool:
    """Remove the devices' events of one day, and their numbers from the day's rollups (None: of all days together).

    Returns whether the erasures still wait: the project may have been deleted, or another process may be done.
    """
    has_removed = False
    # Events are of a day, and none of all days together.
    start = datetime.combine(date_of(day or 0), time(), UTC)
    next_day = start if day is None else start + _ONE_DAY
    while start < next_day:
        began = monotonic()
        with _small_transaction(database) as cursor:
            if not _lock(cursor, erasures):
                return False
            start, removed = _remove_events(cursor, erasures, start, next_day)
            has_removed |= removed
        rest_since(began)
    began = monotonic()
    with _small_transaction(database) as cursor:
        if not _lock(cursor, erasures):
            return False
        if _remove_numbers(cursor, erasures, day) or has_removed:
            compact_day(cursor, erasures.project_id, day)
        if day is None:
            # The other days have added rows of all days together.
            refresh_totals(cursor, [erasures.project_id])
    rest_since(began)
    return True


def _lock(cursor: Cursor, erasures: Erasures) -> bool:
    """Keep the erasures and the rollups for this transaction; return whether the erasures still wait.

    The locks come before all rows, because two processes that erase must not take each other's rows in another order.
    """
    cursor.execute(LOCK_ERASURE, [erasures.ids[0]])
    if cursor.fetchone() is None:
        return False
    lock_rollups(cursor, erasures.project_id)
    return True


def _remove_events(cursor: Cursor, erasures: Erasures, start: datetime, next_day: datetime) -> tuple[datetime, bool]:
    """Remove the devices' events of a part of a day, and subtract them from the rollups that count them, or will.

    Returns the end of the part, and whether any event was removed.
    """
    cursor.execute(FIND_END, [erasures.project_id, start, next_day, EVENTS_PORTION])
    found = cursor.fetchone()
    # More events of one moment than a part has are read together.
    end = next_day if found is None else max(found[0], start + _ONE_MILLISECOND)
    cursor.execute(
        REMOVE_EVENTS,
        {
            "project": erasures.project_id,
            "start": start,
            "end": end,
            "devices": list(erasures.marks),
            "marks": Jsonb(erasures.marks),
        },
        # PostgreSQL hashes a list that it has when it plans, which it does not when it plans a prepared statement.
        prepare=False,
    )
    removed = cursor.fetchall()
    counter, types = RollupCounter(), EventTypes(cursor, [erasures.project_id])
    for moment, *key in removed:
        counter.add_event(NO_DEVICE, moment, types.counted(erasures.project_id, stored_event_key(*key)))
    types.store()
    by_day = limit_keys(cursor, erasures.project_id, dict(counter.rollups()))
    rollups = by_day | all_time_rollups(by_day)
    write_rollups(cursor, ((erasures.project_id, key, _negative(rollup)) for key, rollup in rollups.items()))
    return end, bool(removed)


def _negative(rollup: Rollup) -> Rollup:
    """Return the delta that subtracts the events; it has no device."""
    return Rollup(-rollup.events, rollup.devices, rollup.times)


def _remove_numbers(cursor: Cursor, erasures: Erasures, day: int | None) -> bool:
    """Remove the devices' numbers from the day's rollups; return whether any had one."""
    if not erasures.numbers:
        return False
    changed = [
        (row, rollup.without(erasures.numbers))
        for row, _, rollup in read_day(cursor, erasures.project_id, day)
        if not rollup.devices.isdisjoint(erasures.numbers)
    ]
    for row, rollup in changed:
        replace_devices(cursor, row, rollup)
    return bool(changed)


def _remove_dead_letters(cursor: Cursor, erasures: Erasures) -> None:
    """Remove the devices' dead letters, as far as their bodies can be decoded."""
    after = 0
    while True:
        values = [after, erasures.last_dead_letter_id, erasures.project_id, LETTERS_PAGE]
        page = cursor.execute(READ_DEAD_LETTERS, values).fetchall()
        if not page:
            return
        after = page[-1][0]
        gone = [dead_letter_id for dead_letter_id, body in page if _is_of(body, erasures)]
        cursor.execute("DELETE FROM dead_letters WHERE id = ANY(%s)", [gone])


def _is_of(body: bytes, erasures: Erasures) -> bool:
    try:
        record = decode_record(body)
    except StreamRecordError:
        return False
    return record.project_id == erasures.project_id and record.device_id in erasures.marks
