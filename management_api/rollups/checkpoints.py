"""Checkpoints of large projects: all that statistics need of the days before the first day of a month.

Without them, statistics of a week read the rollups of all days, because a device is new, and a completion is the first
one, only if no former day has it. A checkpoint has the devices that were seen before its day, and by flow the devices
that started, their first starts, and the devices that completed.

It covers the rollup rows up to an id. Readers combine it with rows above that id, whatever their day: late events, and
rows that compaction has written again. Sets and least times do not change when a row is counted twice. Nor do erased
devices in a checkpoint change a figure, because no number is used twice. A repair of rollups deletes checkpoints.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
from pyroaring import BitMap
from sqlalchemy.orm import Session

from management_api.db.engine import Database, allow_long_statements
from management_api.db.project_locks import own_project
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.rollups.reading import (
    Covered,
    DaysToRead,
    DeviceUnion,
    FirstMoments,
    FirstSeen,
    read_rollups,
    readable_sets,
    union,
)
from management_api.rollups.rollup import COMPLETED, STARTED, Breakdown, numbers_of
from management_api.rollups.storage import day_of, lock_rollups
from management_api.rollups.totals import MIN_DEVICES

#: The longest period with a name has 90 days.
KEPT_MONTHS = 5
#: Days of a month are complete and compacted as a rule.
WAIT = timedelta(days=3)
STATEMENT_MINUTES = 10
#: Stands for the devices of all events and exposures.
ALL_DEVICES = ""

READ_LAST_ID = "SELECT last_value FROM activity_cells_id_seq"
FIND_DUE = """
    SELECT project_id, given.before FROM project_totals, unnest(%(days)s::date[]) AS given (before)
    WHERE devices >= %(devices)s
        AND NOT EXISTS (
            SELECT FROM rollup_checkpoints AS made
            WHERE made.project_id = project_totals.project_id AND made.before = given.before
        )
        AND NOT EXISTS (SELECT FROM deleted_projects WHERE deleted_projects.project_id = project_totals.project_id)
    ORDER BY given.before DESC
"""
FIND_FLOWS = """
    SELECT DISTINCT flow_id FROM activity_cells
    WHERE project_id = %s AND breakdown = 'ever' AND day IS NULL AND flow_id <> ''
"""
FIND_NEWEST = """
    SELECT before, last_row_id, devices FROM rollup_checkpoints
    WHERE project_id = %s AND flow_id = '' AND before <= %s ORDER BY before DESC LIMIT 1
"""
READ_FLOW = """
    SELECT devices, completed FROM rollup_checkpoints WHERE project_id = %s AND before = %s AND flow_id = %s
"""
READ_STARTS = "SELECT starts FROM rollup_checkpoints WHERE project_id = %s AND before = %s AND flow_id = %s"
#: The column is not compressed, so PostgreSQL reads the pages of these places only.
READ_SOME_STARTS = """
    SELECT string_agg(substring(starts FROM place * 8 + 1 FOR 8), ''::bytea ORDER BY place)
    FROM rollup_checkpoints, unnest(%s::integer[]) AS place WHERE project_id = %s AND before = %s AND flow_id = %s
"""
STORE = """
    INSERT INTO rollup_checkpoints (project_id, before, flow_id, last_row_id, devices, starts, completed)
    VALUES (%b, %b, %b, %b, %b, %b, %b) ON CONFLICT DO NOTHING
"""
APPEND_STARTS = """
    UPDATE rollup_checkpoints SET starts = starts || %b WHERE (project_id, before, flow_id) = (%b, %b, %b)
"""
DELETE_OLD = "DELETE FROM rollup_checkpoints WHERE before < %s"
DELETE = "DELETE FROM rollup_checkpoints WHERE project_id = %s"

#: The starts of more devices are read all at once.
FEW_PLACES = 2000
#: The starts of so many devices are in memory at once. For each portion all rollups of the flow are read.
STARTS_AT_ONCE = 500_000
#: Milliseconds since 1970.
_START = np.dtype("<i8")

Cursor = psycopg.Cursor[Any]


@dataclass(frozen=True, slots=True)
class FlowCheckpoint:
    """The devices that started and that completed a flow before the day of a checkpoint."""

    connection: psycopg.Connection[Any]
    #: Project, day and flow.
    place: tuple[str, date, str]
    started: BitMap
    completed: BitMap

    def starts(self, devices: BitMap) -> FirstSeen:
        """Return the first starts of those of the devices that started the flow before."""
        chosen = self.started & devices
        numbers = numbers_of(chosen)
        if not chosen:
            return FirstSeen(chosen, numbers, np.empty(0, np.int64))
        with self.connection.cursor(binary=True) as cursor:
            if len(chosen) > FEW_PLACES:
                [(stored,)] = cursor.execute(READ_STARTS, self.place).fetchall()
                return FirstSeen(self.started, numbers_of(self.started), np.frombuffer(stored, _START)).only(chosen)
            places = [self.started.rank(number) - 1 for number in chosen]
            [(stored,)] = cursor.execute(READ_SOME_STARTS, (places, *self.place)).fetchall()
        return FirstSeen(chosen, numbers, np.frombuffer(stored, _START))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint of a project; its flows are read when they are asked for."""

    connection: psycopg.Connection[Any]
    project_id: str
    covered: Covered
    #: The devices of all days before.
    devices: BitMap

    def flow(self, flow_id: str) -> FlowCheckpoint:
        """Return the part of a flow, which is empty for a flow without starts and completions before."""
        place = (self.project_id, self.covered.before, flow_id)
        with self.connection.cursor(binary=True) as cursor:
            row = cursor.execute(READ_FLOW, place).fetchone() if flow_id != ALL_DEVICES else None
        started, completed = (_set_of(self.project_id, stored) for stored in row or (None, None))
        return FlowCheckpoint(self.connection, place, started, completed)


def find_checkpoint(session: Session, project_id: str, first: date) -> Checkpoint | None:
    """Return the newest checkpoint of a project that is not after the first day, if there is one."""
    connection = driver_connection(session)
    with connection.cursor(binary=True) as cursor:
        row = cursor.execute(FIND_NEWEST, [project_id, first]).fetchone()
    if row is None:
        return None
    before, last_row_id, devices = row
    return Checkpoint(connection, project_id, Covered(before, last_row_id), _set_of(project_id, devices))


def due_checkpoints(database: Database, now: datetime, *, min_devices: int = MIN_DEVICES) -> list[tuple[str, date]]:
    """Delete the checkpoints of former months; return projects and days whose checkpoint is missing."""
    days = _first_days(now)
    with database.transaction() as session:
        cursor = driver_cursor(session)
        cursor.execute(DELETE_OLD, [days[-1]])
        return cursor.execute(FIND_DUE, {"days": days, "devices": min_devices}).fetchall()


def make_checkpoint(database: Database, project_id: str, before: date) -> None:
    """Make the checkpoint of a project before a day. Reads the rollups of all days before.

    First owns the project for a moment: the transactions that have written rows up to the last id are complete then.
    """
    with database.transaction() as session:
        cursor = driver_cursor(session)
        if not own_project(cursor, project_id):
            return
        [(last_row_id,)] = cursor.execute(READ_LAST_ID).fetchall()
    with database.transaction() as session:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        cursor = driver_cursor(session)
        # No other transaction replaces rows by rows with ids that are covered and not read.
        lock_rollups(cursor, project_id)
        flow_ids = [flow_id for (flow_id,) in cursor.execute(FIND_FLOWS, [project_id]).fetchall()]
        seen = _union(session, project_id, (Breakdown.ALL, Breakdown.EXPOSURE), before, {})
        cursor.execute(STORE, [project_id, before, ALL_DEVICES, last_row_id, seen.serialize(), None, None])
        for flow_id in flow_ids:
            of_type = [{"flow_id": [flow_id], "event_type": [event_type]} for event_type in (STARTED, COMPLETED)]
            devices, completed = (
                _union(session, project_id, (Breakdown.FLOW,), before, filters) for filters in of_type
            )
            columns = [devices.serialize(), b"", completed.serialize()]
            cursor.execute(STORE, [project_id, before, flow_id, last_row_id, *columns])
            for first in range(0, len(devices), STARTS_AT_ONCE):
                rollups = read_rollups(
                    session, ("day",), project_id, (Breakdown.FLOW,), _days_before(before), of_type[0], with_times=True
                )
                by_day = ((day_of(day), rollup) for day, rollup in rollups)
                starts = FirstMoments(by_day, wanted=devices[first : first + STARTS_AT_ONCE]).first().moments
                portion = starts.astype(_START, copy=False).tobytes()
                cursor.execute(APPEND_STARTS, [portion, project_id, before, flow_id])


def delete_checkpoints(cursor: Cursor, project_id: str) -> None:
    """Delete the checkpoints of a project whose rollups are repaired; the transaction has locked the rollups."""
    cursor.execute(DELETE, [project_id])


def _union(
    session: Session, project_id: str, breakdowns: Sequence[Breakdown], before: date, filters: dict[str, list[str]]
) -> BitMap:
    found = DeviceUnion()
    for (rollup,) in read_rollups(session, (), project_id, breakdowns, _days_before(before), filters):
        found.add(rollup.devices)
    return found.devices()


def _set_of(project_id: str, stored: bytes | None) -> BitMap:
    return union(readable_sets(project_id, [] if stored is None else [stored], "rollup_checkpoints"))


def _days_before(before: date) -> DaysToRead:
    return DaysToRead(date.min, before - timedelta(days=1))


def _first_days(now: datetime) -> list[date]:
    """Return the first days of the last months, the newest first."""
    days = [(now.date() - WAIT).replace(day=1)]
    while len(days) < KEPT_MONTHS:
        days.append((days[-1] - timedelta(days=1)).replace(day=1))
    return days
