"""The totals of large projects: how many devices started and completed each flow, and any flow.

Lists and reads of flows and projects take these figures instead of the bitmaps of all time. A row of totals has the
digest of the versions of the rollup rows that it counts. Where the rows have another digest, readers count the bitmaps,
so figures are exact for rollups of both releases, and refreshed totals only make reads fast. Totals are
refreshed in each transaction that changes rollups of all time. Release 0.2.0 does not refresh them: a chore does.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import psycopg
from pyroaring import BitMap
from sqlalchemy import ColumnElement, Select, func, literal_column, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, array

from management_api.db.models.analytics import ActivityRollup, FlowTotal
from management_api.db.models.event_ids import project_key
from management_api.rollups.reading import log_damaged_row
from management_api.rollups.rollup import STARTED, Breakdown, Rollup

#: The bitmaps of smaller projects are read as fast as totals.
MIN_DEVICES = 10_000
#: Stands for all flows together.
ALL_FLOWS = ""
#: Separates the locks of totals from the other advisory locks by project.
_TOTALS = 0x746F_7461_6C73

FIND_LARGE = "SELECT project_id FROM project_totals WHERE project_id = ANY(%s) AND devices >= %s"
#: Each transaction that refreshes totals has changed rollups before. So the last one to get the lock sees all changes.
LOCK = "SELECT pg_advisory_xact_lock(key) FROM unnest(%s::bigint[]) AS given (key)"
READ_SETS = """
    SELECT flow_id, event_type, id, xmin::text, devices FROM activity_cells
    WHERE project_id = %s AND breakdown = 'ever' AND day IS NULL ORDER BY flow_id, id
"""
STORE = """
    INSERT INTO flow_totals AS stored (project_id, flow_id, started, completed, covered)
    SELECT %s, * FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::bytea[])
    ON CONFLICT (project_id, flow_id) DO UPDATE
    SET started = excluded.started, completed = excluded.completed, covered = excluded.covered
    WHERE (stored.started, stored.completed, stored.covered)
        IS DISTINCT FROM (excluded.started, excluded.completed, excluded.covered)
"""
READ_STORED = "SELECT flow_id, started, completed, covered FROM flow_totals WHERE project_id = %s"
FIND_STALE = """
    SELECT project_id FROM project_totals AS project
    WHERE devices >= %s AND (
        SELECT sha256(convert_to(string_agg(concat(id, ':', xmin), ' ' ORDER BY id), 'UTF8')) FROM activity_cells
        WHERE activity_cells.project_id = project.project_id AND breakdown = 'ever' AND day IS NULL
    ) IS DISTINCT FROM (
        SELECT covered FROM flow_totals WHERE flow_totals.project_id = project.project_id AND flow_id = ''
    )
"""
#: Rows that are in memory at once: a bitmap of a hundred million devices has 12 MB.
ROWS_AT_ONCE = 10

Cursor = psycopg.Cursor[Any]


@dataclass(frozen=True, slots=True)
class Total:
    """The devices that started a flow, and those of them that completed it; of all flows together, each once."""

    flow_id: str
    started: int
    completed: int
    #: The digest of the versions of the rows.
    covered: bytes

    def __str__(self) -> str:
        """Return the counts in words."""
        return f"{self.started} started, {self.completed} completed"


def valid_totals(*conditions: ColumnElement[bool], rollups: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """Return a statement for the counts of the totals that meet the conditions and cover their rollup rows.

    `rollups` are the conditions of the rows of all time. Only the versions of the rows are read.
    """
    version = func.concat(ActivityRollup.id, literal_column("':'"), literal_column("activity_cells.xmin"))
    versions = func.string_agg(version, aggregate_order_by(literal_column("' '"), ActivityRollup.id))
    digest = (
        select(func.sha256(func.convert_to(versions, literal_column("'UTF8'"))))
        .where(ActivityRollup.breakdown == Breakdown.ALL_TIME.value, ActivityRollup.day.is_(None), *rollups)
        .correlate_except(ActivityRollup)
        .scalar_subquery()
    )
    counts = array([FlowTotal.started, FlowTotal.completed])
    return select(counts).where(*conditions, FlowTotal.covered == digest).correlate_except(FlowTotal)


def refresh_totals(cursor: Cursor, project_ids: Collection[str], *, min_devices: int = MIN_DEVICES) -> None:
    """Count the totals of large projects anew, in the transaction that has changed their rollups of all time.

    Locks the totals until the transaction ends. Reads all bitmaps of all time of a project.
    """
    cursor.execute(FIND_LARGE, [list(project_ids), min_devices])
    large = [project_id for (project_id,) in cursor.fetchall()]
    if not large:
        return
    cursor.execute(LOCK, [sorted(project_key(project_id) ^ _TOTALS for project_id in large)])
    for project_id in large:
        totals = list(count_totals(cursor, project_id))
        columns = zip(*((each.flow_id, each.started, each.completed, each.covered) for each in totals), strict=True)
        if totals:
            cursor.execute(STORE, [project_id, *map(list, columns)])


def count_totals(cursor: Cursor, project_id: str) -> Iterator[Total]:
    """Count the devices of each flow and of all flows; without those that have a damaged row, which is logged."""
    started, completed = BitMap(), BitMap()
    versions: list[tuple[int, str]] = []
    is_whole = True
    with cursor.connection.cursor("totals", binary=True) as rows:
        rows.itersize = ROWS_AT_ONCE
        for flow_id, of_flow in groupby(rows.execute(READ_SETS.encode(), [project_id]), itemgetter(0)):
            flow = _FlowSets()
            for _, event_type, row_id, xmin, devices in of_flow:
                try:
                    flow.add(event_type, Rollup.from_row(0, devices, None).devices)
                except ValueError as error:
                    log_damaged_row(project_id, "activity_cells", row_id, str(error))
                    is_whole = flow.is_whole = False
                flow.versions.append((row_id, xmin))
            flow.completed &= flow.started
            versions += flow.versions
            started |= flow.started
            completed |= flow.completed
            if flow.is_whole and flow_id != ALL_FLOWS:
                yield Total(flow_id, len(flow.started), len(flow.completed), _digest(flow.versions))
    if is_whole and versions:
        yield Total(ALL_FLOWS, len(started), len(completed), _digest(versions))


def wrong_totals(cursor: Cursor, project_id: str) -> list[tuple[Total, Total]]:
    """Return the totals that readers take and that differ from the rollups, each with the right one."""
    right = {total.flow_id: total for total in count_totals(cursor, project_id)}
    stored = [Total(*row) for row in cursor.execute(READ_STORED, [project_id]).fetchall()]
    return [
        (total, right[total.flow_id])
        for total in stored
        if total.flow_id in right and total.covered == right[total.flow_id].covered and total != right[total.flow_id]
    ]


def stale_projects(cursor: Cursor, *, min_devices: int = MIN_DEVICES) -> list[tuple[str]]:
    """Return the large projects whose totals do not count all of their rollups. Reads no bitmap."""
    return cursor.execute(FIND_STALE, [min_devices]).fetchall()


@dataclass(slots=True)
class _FlowSets:
    """The devices of one flow, and the ids and versions of its rows."""

    started: BitMap = field(default_factory=BitMap)
    completed: BitMap = field(default_factory=BitMap)
    versions: list[tuple[int, str]] = field(default_factory=list)
    is_whole: bool = True

    def add(self, event_type: str, devices: BitMap) -> None:
        """Add the devices of a row."""
        if event_type == STARTED:
            self.started |= devices
        else:
            self.completed |= devices


def _digest(versions: Sequence[tuple[int, str]]) -> bytes:
    return hashlib.sha256(" ".join(f"{row_id}:{xmin}" for row_id, xmin in sorted(versions)).encode()).digest()
