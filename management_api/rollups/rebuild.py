"""Counts a project again from its raw events and exposures, compares the result with its rollups, and repairs them.

It may run while events are being stored: events and their rollups become visible together, and all is read at one
moment. Raw events of old days may have been dropped for their age, while the rollups still count them. On these days
only events that the rollups do not count are a discrepancy.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import psycopg
from sqlalchemy import text
from sqlalchemy.orm import Session

from management_api.db.engine import Database, allow_long_statements
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.rollups.rollup import Rollup, RollupCounter, RollupKey, combine
from management_api.rollups.storage import (
    StoredRollup,
    date_of,
    day_of,
    delete_rollups,
    lock_rollups,
    read_stored_day,
    write_rollups,
)

#: For statements that read a project's events of a day, and for the connection that only holds a lock meanwhile.
STATEMENT_MINUTES = 15
NO_IDLE_TIMEOUT = text("SET LOCAL idle_in_transaction_session_timeout = 0")
#: Without statistics PostgreSQL may take a table for small, and read all of it for each row.
BY_INDEXES = "SET LOCAL enable_seqscan = off"

#: Held until the commit.
LOCK_NUMBERING = """
    INSERT INTO project_totals (project_id) SELECT id FROM projects WHERE id = %s
    ON CONFLICT (project_id) DO UPDATE SET devices = project_totals.devices
"""
#: Rows of an erased device have no number, and are about to be removed.
FIND_UNNUMBERED_DEVICES = """
    SELECT device_id FROM events WHERE project_id = %(project)s
    UNION SELECT device_id FROM exposures WHERE project_id = %(project)s
    EXCEPT SELECT device_id FROM devices WHERE project_id = %(project)s
    EXCEPT SELECT device_id FROM pending_erasures WHERE project_id = %(project)s
    ORDER BY 1
"""
COUNT_DEVICES = """
    SELECT coalesce((SELECT devices FROM project_totals WHERE project_id = %(project)s), 0),
        (SELECT count(*) FROM devices WHERE project_id = %(project)s)
"""
NUMBER_DEVICES = """
    INSERT INTO devices (project_id, device_id, number)
    SELECT project_id, device_id, next_number - 1 + row_number() OVER (ORDER BY device_id)
    FROM unnest(%(devices)s::text[]) AS given (device_id), project_totals WHERE project_id = %(project)s
"""
#: No number is used twice, so the next one is above all that NUMBER_DEVICES has used.
STORE_DEVICE_COUNT = """
    UPDATE project_totals SET devices = %(count)s, next_number = greatest(next_number, (
        SELECT max(number) + 1 FROM devices WHERE project_id = %(project)s
    )) WHERE project_id = %(project)s
"""

FIND_DAYS = """
    SELECT DISTINCT day - date '1970-01-01' FROM activity_cells
    WHERE project_id = %(project)s AND day IS NOT NULL
    UNION SELECT DISTINCT (occurred_at AT TIME ZONE 'UTC')::date - date '1970-01-01' FROM events
    WHERE project_id = %(project)s
    ORDER BY 1
"""
#: Looks each device up by the key. With statistics of tables that were nearly empty, PostgreSQL would otherwise compare
#: each event with each device of the project. The events that an erasure will remove count with the number that the
#: device had, because the erasure will also take them out of the rollups.
READ_EVENTS_OF_DAY = """
    SELECT devices.number, (extract(epoch FROM occurred_at) * 1000)::bigint, event_type, flow_id, screen_id,
        experiment_id, variant, platform
    FROM events CROSS JOIN LATERAL (
        SELECT coalesce(
            (
                SELECT number FROM pending_erasures AS erasure
                WHERE erasure.project_id = events.project_id AND erasure.device_id = events.device_id
                    AND (events.stored_no IS NULL OR events.stored_no < erasure.last_stored_no)
                ORDER BY id LIMIT 1
            ),
            (
                SELECT number FROM devices
                WHERE devices.project_id = events.project_id AND devices.device_id = events.device_id
            )
        ) AS number
        OFFSET 0
    ) AS devices
    WHERE project_id = %(project)s AND occurred_at >= %(start)s AND occurred_at < %(end)s
        AND received_at >= %(received)s AND devices.number IS NOT NULL
"""
READ_EXPOSURES = """
    SELECT devices.number, (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01', flow_id
    FROM exposures CROSS JOIN LATERAL (
        SELECT number FROM devices
        WHERE devices.project_id = exposures.project_id AND devices.device_id = exposures.device_id
        OFFSET 0
    ) AS devices
    WHERE project_id = %s
"""

#: Projects with an experiment whose primary event has other numbers of events in rollups by type than by flow: events
#: of the time before the upgrade, and events that a consumer of the release before has stored.
FIND_UNCOUNTED_BY_TYPE = """
    WITH wanted AS (
        SELECT project_id, primary_event AS event_type,
            greatest((min(started_at) AT TIME ZONE 'UTC')::date - 1, (
                SELECT (max(complete_from) AT TIME ZONE 'UTC')::date + 2 FROM event_storage
            )) AS first_day
        FROM experiments WHERE started_at IS NOT NULL GROUP BY project_id, primary_event
    )
    SELECT DISTINCT project_id FROM (
        SELECT project_id, day, event_type, events FROM activity_cells JOIN wanted USING (project_id, event_type)
        WHERE breakdown = 'flow' AND day >= first_day
        UNION ALL SELECT project_id, day, event_type, -events FROM result_cells
        JOIN wanted USING (project_id, event_type) WHERE day >= first_day
    ) AS rollups
    GROUP BY project_id, day, event_type HAVING sum(events) <> 0
"""

Rollups = Mapping[RollupKey, Rollup]


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A stored value that differs from the raw tables. `day` is None where all days are counted together."""

    project_id: str
    subject: str
    day: date | None
    stored: str
    recomputed: str


def rebuild_project(
    database: Database, project_id: str, *, repair: bool, on_day: Callable[[int, int], None] = lambda _done, _all: None
) -> list[Discrepancy]:
    """Compare the rollups of a project with the raw tables, and with `repair` replace those that differ.

    Calls `on_day` with the number of days that are done, and of all.
    """
    with database.transaction() as session:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        discrepancies = list(device_discrepancies(driver_connection(session), project_id, repair=repair))
    # Another connection holds the lock: the moment at which this one reads begins with its first statement, which must
    # not be the one that waits.
    with database.transaction() as holder, database.repeatable_read() as session:
        _allow_long_transaction(holder)
        lock_rollups(driver_cursor(holder), project_id)
        _allow_long_transaction(session)
        connection = driver_connection(session)
        connection.execute(BY_INDEXES)
        return discrepancies + _Rebuild(connection, project_id, repair=repair).run(on_day)


def _allow_long_transaction(session: Session) -> None:
    allow_long_statements(session, minutes=STATEMENT_MINUTES)
    session.execute(NO_IDLE_TIMEOUT)


def device_discrepancies(
    connection: psycopg.Connection[Any], project_id: str, *, repair: bool
) -> Iterator[Discrepancy]:
    """Return devices without a number, and a wrong number of devices; repair them with `repair`.

    A device without any events or exposures keeps its number.
    """
    values = {"project": project_id}
    if repair:
        connection.execute(LOCK_NUMBERING, [project_id])
    unnumbered = [device_id for (device_id,) in connection.execute(FIND_UNNUMBERED_DEVICES, values)]
    if unnumbered:
        yield Discrepancy(project_id, "devices without a number", None, "none", str(len(unnumbered)))
    if unnumbered and repair:
        connection.execute(NUMBER_DEVICES, {**values, "devices": unnumbered})
    for stored, counted in connection.execute(COUNT_DEVICES, values).fetchall():
        if stored != counted:
            yield Discrepancy(project_id, "devices", None, str(stored), str(counted))
        if repair and (unnumbered or stored != counted):
            connection.execute(STORE_DEVICE_COUNT, {**values, "count": counted})


def uncounted_projects(database: Database) -> list[tuple[str]]:
    """Return the projects whose raw events are older than rollups, as they are after the upgrade to rollups."""
    with database.transaction() as session:
        connection = driver_connection(session)
        found = connection.execute("SELECT project_id FROM project_totals WHERE is_uncounted").fetchall()
        found += connection.execute(FIND_UNCOUNTED_BY_TYPE).fetchall()
    return sorted(set(found))


def count_project(database: Database, project_id: str) -> None:
    """Count a project for the first time."""
    rebuild_project(database, project_id, repair=True)
    with database.transaction() as session:
        driver_connection(session).execute(
            "UPDATE project_totals SET is_uncounted = false WHERE project_id = %s", [project_id]
        )


class _Rebuild:
    """The comparison of one project at one moment."""

    def __init__(self, connection: psycopg.Connection[Any], project_id: str, *, repair: bool) -> None:
        self._connection = connection
        self._project_id = project_id
        self._repair = repair
        self._discrepancies: list[Discrepancy] = []
        #: The first day whose raw events are complete; None: all days.
        self._first_complete: int | None = None

    def run(self, on_day: Callable[[int, int], None]) -> list[Discrepancy]:
        """Count, compare and repair."""
        complete_from: datetime | None = None
        for (complete_from,) in self._connection.execute("SELECT complete_from FROM event_storage"):
            if complete_from is not None:
                self._first_complete = day_of((complete_from + timedelta(days=2)).date())
        exposures = self._exposures()
        found = self._connection.execute(FIND_DAYS, {"project": self._project_id})
        days = sorted({day for (day,) in found} | set(exposures))
        all_time: dict[RollupKey, Rollup] = {}
        for done, day in enumerate(days, 1):
            counted = {**exposures.get(day, {}), **self._events(day)}
            for key in [key for key in counted if key.day is None]:
                rollup = counted.pop(key)
                all_time[key] = combine([all_time[key], rollup]) if key in all_time else rollup
            is_complete = self._first_complete is None or day >= self._first_complete
            self._compare(day, counted, is_complete=is_complete)
            on_day(done, len(days))
        self._compare(None, all_time, is_complete=self._first_complete is None)
        return self._discrepancies

    def _events(self, day: int) -> Rollups:
        counter, start = RollupCounter(), date_of(day)
        values = {
            "project": self._project_id,
            "start": start,
            "end": start + timedelta(days=1),
            "received": start - timedelta(days=1),
        }
        with self._connection.cursor() as cursor:
            for event in cursor.execute(READ_EVENTS_OF_DAY, values):
                counter.add_event(*event)
        return dict(counter.deltas())

    def _exposures(self) -> Mapping[int, Rollups]:
        counter = RollupCounter()
        with self._connection.cursor() as cursor:
            for exposure in cursor.execute(READ_EXPOSURES, [self._project_id]):
                counter.add_exposure(*exposure)
        days: defaultdict[int, dict[RollupKey, Rollup]] = defaultdict(dict)
        for key, rollup in counter.deltas():
            if key.day is not None:
                days[key.day][key] = rollup
        return days

    def _compare(self, day: int | None, counted: Rollups, *, is_complete: bool) -> None:
        """Compare the rollups of one day with the counted ones, and replace them where they differ."""
        deltas: defaultdict[RollupKey, list[Rollup]] = defaultdict(list)
        rows = []
        damaged: set[RollupKey] = set()
        with self._connection.cursor() as cursor:
            for row, key, columns in read_stored_day(cursor, self._project_id, day):
                rows.append(row)
                rollup = _readable(columns)
                if rollup is None:
                    damaged.add(key)
                    # On days whose raw events have been dropped, the number of events stays and the devices are lost.
                    rollup = Rollup.from_occurrences([], [] if key.keeps_first_seen else None)
                    rollup.events = columns[0]
                deltas[key].append(rollup)
            stored = {key: combine(parts) for key, parts in deltas.items()}
            expected = counted if is_complete else _with_uncounted(stored, counted)
            discrepancies = list(_discrepancies(self._project_id, stored, expected, damaged))
            self._discrepancies += discrepancies
            if discrepancies and self._repair:
                delete_rollups(cursor, rows)
                rollups = ((self._project_id, key, rollup) for key, rollup in expected.items())
                write_rollups(cursor, rollups, is_compacted=True)


def _readable(columns: StoredRollup) -> Rollup | None:
    """Return a stored rollup, None for a damaged one."""
    try:
        rollup = Rollup.from_row(*columns)
    except ValueError:
        return None
    is_whole = rollup.first_seen is None or len(rollup.first_seen) == len(rollup.devices)
    return rollup if is_whole else None


def _with_uncounted(stored: Rollups, counted: Rollups) -> Rollups:
    """Return the stored rollups, with events and devices that only the raw tables have."""
    expected = dict(stored)
    for key, rollup in counted.items():
        if key not in expected:
            expected[key] = rollup
        elif not rollup.devices <= expected[key].devices or rollup.events > expected[key].events:
            both = combine([expected[key], rollup])
            expected[key] = Rollup(max(expected[key].events, rollup.events), both.devices, both.first_seen)
    return expected


def _discrepancies(
    project_id: str, stored: Rollups, expected: Rollups, damaged: AbstractSet[RollupKey]
) -> Iterator[Discrepancy]:
    for key in sorted(stored.keys() | expected.keys(), key=str):
        here, there = stored.get(key, Rollup()), expected.get(key, Rollup())
        is_damaged = key in damaged
        if is_damaged or (here != there and (here.events or here.devices or there.events or there.devices)):
            columns = [f"{name}={value}" for name, value in zip(key._fields[2:], key[2:], strict=True) if value]
            day: date | None = None if key.day is None else date_of(key.day)
            subject = " ".join([key.breakdown.value, *columns])
            described = "a damaged row" if is_damaged else _described(here)
            yield Discrepancy(project_id, subject, day, described, _described(there))


def _described(rollup: Rollup) -> str:
    return f"{rollup.events} events, {len(rollup.devices)} devices"
