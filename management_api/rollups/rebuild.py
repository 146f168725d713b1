"""Counts the activity of a project again from its raw events and exposures, and compares."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import psycopg
from sqlalchemy import text
from sqlalchemy.orm import Session

from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.db.watchdog import allow_long_statements
from management_api.rollups.counting import ActivityCount
from management_api.rollups.rollup import Cell, CellKey, merged
from management_api.rollups.storage import date_of, day_of, delete_cells, hold_cells, read_cells, write_cells


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is stored otherwise than it follows from the raw tables. `day` is None for all days together."""

    project_id: str
    what: str
    day: date | None
    stored: str
    recomputed: str


HOLD_NUMBERING = """
    INSERT INTO project_totals (project_id) SELECT id FROM projects WHERE id = %s
    ON CONFLICT (project_id) DO UPDATE SET devices = project_totals.devices
"""
#: What is left of an erased device has no number, and goes.
UNNUMBERED = """
    SELECT device_id FROM events WHERE project_id = %(project)s
    UNION SELECT device_id FROM exposures WHERE project_id = %(project)s
    EXCEPT SELECT device_id FROM devices WHERE project_id = %(project)s
    EXCEPT SELECT device_id FROM pending_erasures WHERE project_id = %(project)s
    ORDER BY 1
"""
COUNTED = """
    SELECT coalesce((SELECT devices FROM project_totals WHERE project_id = %(project)s), 0),
        (SELECT count(*) FROM devices WHERE project_id = %(project)s)
"""
NUMBER = """
    INSERT INTO devices (project_id, device_id, number)
    SELECT project_id, device_id, next_number - 1 + row_number() OVER (ORDER BY device_id)
    FROM unnest(%(devices)s::text[]) AS given (device_id), project_totals WHERE project_id = %(project)s
"""
#: A number is never given twice, so that those that were given here are passed, too.
COUNT = """
    UPDATE project_totals SET devices = %(count)s, next_number = greatest(next_number, (
        SELECT max(number) + 1 FROM devices WHERE project_id = %(project)s
    )) WHERE project_id = %(project)s
"""


def device_differences(connection: psycopg.Connection[Any], project_id: str, *, repair: bool) -> Iterator[Difference]:
    """Give what differs, and with `repair` put it right; a device that nothing is left of stays known."""
    values = {"project": project_id}
    if repair:
        connection.execute(HOLD_NUMBERING, [project_id])
    unnumbered = [device_id for (device_id,) in connection.execute(UNNUMBERED, values)]
    if unnumbered:
        yield Difference(project_id, "devices without a number", None, "none", str(len(unnumbered)))
    if unnumbered and repair:
        connection.execute(NUMBER, {**values, "devices": unnumbered})
    for kept, counted in connection.execute(COUNTED, values).fetchall():
        if kept != counted:
            yield Difference(project_id, "devices", None, str(kept), str(counted))
        if repair and (unnumbered or kept != counted):
            connection.execute(COUNT, {**values, "count": counted})


# Counts the activity of a project anew from its raw events and exposures, day by day, and compares with its cells.
# It may be done while events are being stored: events and their cells become visible together, and all is read at one
# moment. Of days whose events may have been dropped for their age, the cells know more than the raw tables; there
# only what the raw tables have and the cells have not is a difference.

#: For statements that read a project's events of a day, and for the connection that only holds a lock meanwhile.
STATEMENT_MINUTES = 15
NO_IDLE_TIMEOUT = text("SET LOCAL idle_in_transaction_session_timeout = 0")
#: Without statistics PostgreSQL may take a table for small, and read all of it for each row.
BY_INDEXES = "SET LOCAL enable_seqscan = off"

DAYS = """
    SELECT DISTINCT day - date '1970-01-01' FROM activity_cells
    WHERE project_id = %(project)s AND day IS NOT NULL
    UNION SELECT DISTINCT (occurred_at AT TIME ZONE 'UTC')::date - date '1970-01-01' FROM events
    WHERE project_id = %(project)s
    ORDER BY 1
"""
#: Looks each device up by the key. With statistics of tables that were nearly empty, PostgreSQL would otherwise compare
#: each event with each device of the project. The events that an erasure will remove count with the number that the
#: device had, because the erasure will also take them out of the cells.
EVENTS_OF_DAY = """
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
EXPOSURES = """
    SELECT devices.number, (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01', flow_id
    FROM exposures CROSS JOIN LATERAL (
        SELECT number FROM devices
        WHERE devices.project_id = exposures.project_id AND devices.device_id = exposures.device_id
        OFFSET 0
    ) AS devices
    WHERE project_id = %s
"""

#: Projects with an experiment whose primary event has other numbers of events in cells by type than in activity cells:
#: events of the time before the upgrade, and events that a consumer of the release before has stored.
UNCOUNTED_BY_TYPE = """
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
    ) AS cells
    GROUP BY project_id, day, event_type HAVING sum(events) <> 0
"""

Cells = Mapping[CellKey, Cell]


def recompute_project(
    database: Database, project_id: str, *, repair: bool, on_day: Callable[[int, int], None] = lambda _done, _all: None
) -> list[Difference]:
    """Compare the cells of a project with the raw tables, and with `repair` put right what differs.

    `on_day` hears how many days are done, and of how many.
    """
    with database.transaction() as session:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        differences = list(device_differences(driver_connection(session), project_id, repair=repair))
    # Another connection holds the lock: the moment at which this one reads begins with its first statement, which must
    # not be the one that waits.
    with database.transaction() as holder, database.repeatable_read() as session:
        _allow_long_transaction(holder)
        hold_cells(driver_cursor(holder), project_id)
        _allow_long_transaction(session)
        connection = driver_connection(session)
        connection.execute(BY_INDEXES)
        return differences + _Recomputation(connection, project_id, repair=repair).run(on_day)


def _allow_long_transaction(session: Session) -> None:
    allow_long_statements(session, minutes=STATEMENT_MINUTES)
    session.execute(NO_IDLE_TIMEOUT)


def uncounted_projects(database: Database) -> list[tuple[str]]:
    """Return the projects whose raw events are older than cells, as they are after the upgrade to cells."""
    with database.transaction() as session:
        connection = driver_connection(session)
        found = connection.execute("SELECT project_id FROM project_totals WHERE is_uncounted").fetchall()
        found += connection.execute(UNCOUNTED_BY_TYPE).fetchall()
    return sorted(set(found))


def count_project(database: Database, project_id: str) -> None:
    """Count a project for the first time."""
    recompute_project(database, project_id, repair=True)
    with database.transaction() as session:
        driver_connection(session).execute(
            "UPDATE project_totals SET is_uncounted = false WHERE project_id = %s", [project_id]
        )


class _Recomputation:
    """One project at one moment."""

    def __init__(self, connection: psycopg.Connection[Any], project_id: str, *, repair: bool) -> None:
        self._connection = connection
        self._project_id = project_id
        self._repair = repair
        self._differences: list[Difference] = []
        #: From which day on the raw tables have everything; None: all days.
        self._first_complete: int | None = None

    def run(self, on_day: Callable[[int, int], None]) -> list[Difference]:
        """Count, compare and repair."""
        complete_from: datetime | None = None
        for (complete_from,) in self._connection.execute("SELECT complete_from FROM event_storage"):
            if complete_from is not None:
                self._first_complete = day_of((complete_from + timedelta(days=2)).date())
        exposures = self._exposures()
        found = self._connection.execute(DAYS, {"project": self._project_id})
        days = sorted({day for (day,) in found} | set(exposures))
        ever: dict[CellKey, Cell] = {}
        for done, day in enumerate(days, 1):
            counted = {**exposures.get(day, {}), **self._events(day)}
            for key in [key for key in counted if key.day is None]:
                cell = counted.pop(key)
                ever[key] = merged([ever[key], cell]) if key in ever else cell
            is_complete = self._first_complete is None or day >= self._first_complete
            self._settle("project_id = %s AND day = %s", [self._project_id, date_of(day)], counted, is_complete)
            on_day(done, len(days))
        self._settle("project_id = %s AND day IS NULL", [self._project_id], ever, self._first_complete is None)
        return self._differences

    def _events(self, day: int) -> dict[CellKey, Cell]:
        count, start = ActivityCount(), date_of(day)
        values = {
            "project": self._project_id,
            "start": start,
            "end": start + timedelta(days=1),
            "received": start - timedelta(days=1),
        }
        with self._connection.cursor() as cursor:
            for event in cursor.execute(EVENTS_OF_DAY, values):
                count.add_event(*event)
        return dict(count.cells())

    def _exposures(self) -> dict[int, dict[CellKey, Cell]]:
        count = ActivityCount()
        with self._connection.cursor() as cursor:
            for exposure in cursor.execute(EXPOSURES, [self._project_id]):
                count.add_exposure(*exposure)
        days: defaultdict[int, dict[CellKey, Cell]] = defaultdict(dict)
        for key, cell in count.cells():
            if key.day is not None:
                days[key.day][key] = cell
        return days

    def _settle(self, conditions: str, values: list[object], counted: Cells, is_complete: bool) -> None:  # noqa: FBT001 - what a caller has at hand
        """Compare the cells of one day with what was counted, and replace them where they differ."""
        pieces: defaultdict[CellKey, list[Cell]] = defaultdict(list)
        rows = []
        for row, key, cell in read_cells(self._connection, conditions, values):
            rows.append(row)
            pieces[key].append(cell)
        stored = {key: merged(cells) for key, cells in pieces.items()}
        right = counted if is_complete else _with_more(stored, counted)
        differences = list(_differences(self._project_id, stored, right))
        self._differences += differences
        if differences and self._repair:
            with self._connection.cursor() as cursor:
                delete_cells(cursor, rows)
                write_cells(cursor, ((self._project_id, key, cell) for key, cell in right.items()), is_merged=True)


def _with_more(stored: Cells, counted: Cells) -> Cells:
    """Give what is stored, with what was counted beyond it."""
    right = dict(stored)
    for key, cell in counted.items():
        if key not in right:
            right[key] = cell
        elif not cell.devices <= right[key].devices or cell.events > right[key].events:
            both = merged([right[key], cell])
            right[key] = Cell(max(right[key].events, cell.events), both.devices, both.moments)
    return right


def _differences(project_id: str, stored: Cells, right: Cells) -> Iterator[Difference]:
    for key in sorted(stored.keys() | right.keys(), key=str):
        here, there = stored.get(key, Cell()), right.get(key, Cell())
        if here != there and (here.events or here.devices or there.events or there.devices):
            columns = [f"{name}={value}" for name, value in zip(key._fields[2:], key[2:], strict=True) if value]
            day: date | None = None if key.day is None else date_of(key.day)
            yield Difference(project_id, " ".join([key.breakdown.value, *columns]), day, _shown(here), _shown(there))


def _shown(cell: Cell) -> str:
    return f"{cell.events} events, {len(cell.devices)} devices"
