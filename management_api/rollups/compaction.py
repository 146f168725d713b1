"""Merges the deltas of rollups by size, so that each byte is rewritten a few times a day.

Of the rows of a key the small ones are merged, together with the next larger row while that has at most ten times their
bytes. The large row of a day is thus rewritten each time that the day has grown by a tenth. A day that has ended is
merged into one row for each key.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import psycopg
import structlog

from management_api.db.models.event_ids import project_key
from management_api.rollups.limits import has_limited_names
from management_api.rollups.rollup import Breakdown, Rollup, RollupKey, combine
from management_api.rollups.storage import (
    ROLLUP_TABLES,
    SELECT_KEY,
    RollupRow,
    date_of,
    delete_rollups,
    lock_rollups,
    read_rows,
    write_rollups,
)
from management_api.rollups.totals import refresh_totals

log = structlog.stdlib.get_logger(__name__)

#: A row is merged with smaller rows that have at least this part of its bytes.
SIZE_RATIO = 10
#: A day is compacted when it has so many deltas for each key of the last count.
DELTAS_PER_KEY = 16

COUNT_DELTAS = """
    SELECT project_id, day - date '1970-01-01', count(*) FROM activity_cells
    WHERE project_id = ANY(%s) AND NOT is_merged GROUP BY project_id, day
"""
#: The sizes are in the headers of the values, so nothing is read from beside the table.
READ_SIZES = """
    SELECT id, breakdown, {columns}, octet_length(devices) + coalesce(octet_length(moments), 0)
    FROM {table} WHERE project_id = %s AND {condition}
"""
#: Days with deltas that get no more as a rule. The index of deltas is in this order, so a long list ends early.
FIND_ENDED_DAYS = """
    SELECT project_id, day - date '1970-01-01' FROM activity_cells
    WHERE NOT is_merged AND day < %s GROUP BY project_id, day LIMIT %s
"""

Cursor = psycopg.Cursor[Any]


class _Piece(NamedTuple):
    """A row of a key, and its bytes."""

    size: int
    row: RollupRow


def days_to_compact(cursor: Cursor, keys: dict[tuple[str, int | None], int]) -> list[tuple[str, int | None]]:
    """Return the projects and days with many deltas, given the number of keys that the last count has written."""
    cursor.execute(COUNT_DELTAS, [sorted({project_id for project_id, _ in keys})])
    return [
        (project_id, day)
        for project_id, day, deltas in cursor
        if (project_id, day) in keys and deltas >= DELTAS_PER_KEY * keys[project_id, day]
    ]


def ended_days(cursor: Cursor, today: int, limit: int) -> list[tuple[str, int]]:
    """Return projects and days with deltas that ended more than a day ago."""
    cursor.execute(FIND_ENDED_DAYS, [date_of(today - 1), limit])
    return cursor.fetchall()


def compact_day(cursor: Cursor, project_id: str, day: int | None) -> None:
    """Merge all rows of each key of a day (None: of all days together) into one."""
    lock_rollups(cursor, project_id)
    _compact(cursor, project_id, day, is_complete=True)


def merge_deltas(cursor: Cursor, project_id: str, day: int | None) -> None:
    """Merge the small rows of a day, unless another process replaces rollups of the project."""
    cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [project_key(project_id)])
    [(is_locked,)] = cursor.fetchall()
    if is_locked:
        _compact(cursor, project_id, day, is_complete=False)


def _compact(cursor: Cursor, project_id: str, day: int | None, *, is_complete: bool) -> None:
    pieces = _read_pieces(cursor, project_id, day)
    limited = {key.breakdown for key in pieces if has_limited_names(key)}
    chosen = {key: of_key if is_complete else _small(of_key) for key, of_key in pieces.items()}
    rows = {piece.row: key for key, of_key in chosen.items() if len(of_key) > 1 for piece in of_key}
    parts: defaultdict[RollupKey, list[Rollup]] = defaultdict(list)
    damaged: set[RollupKey] = set()
    for row, columns in read_rows(cursor, rows):
        try:
            parts[rows[row]].append(Rollup.from_row(*columns))
        except ValueError:
            damaged.add(rows[row])
            log.warning("rollups.damaged", project_id=project_id, table=row.table, row=row.id)
    sums = {key: combine(of_key) for key, of_key in parts.items() if key not in damaged}
    delete_rollups(cursor, [row for row, key in rows.items() if key in sums])
    # A key of a day that counts other names as "(other)" keeps its place among the keys (`rollups/limits.py`).
    kept = (
        (project_id, key, rollup)
        for key, rollup in sums.items()
        if rollup.events or rollup.devices or key.breakdown in limited
    )
    write_rollups(cursor, kept, is_compacted=True)
    if day is None and rows:
        refresh_totals(cursor, [project_id])


def _read_pieces(cursor: Cursor, project_id: str, day: int | None) -> dict[RollupKey, list[_Piece]]:
    """Return the rows of each key, the small ones first."""
    # PostgreSQL uses no index for IS NOT DISTINCT FROM.
    condition, values = ("day IS NULL", ()) if day is None else ("day = %s", (date_of(day),))
    pieces: defaultdict[RollupKey, list[_Piece]] = defaultdict(list)
    for table in ROLLUP_TABLES:
        statement = READ_SIZES.format(columns=SELECT_KEY[table], table=table, condition=condition)
        cursor.execute(statement.encode(), [project_id, *values])
        for row_id, breakdown, *columns, size in cursor:
            pieces[RollupKey(Breakdown(breakdown), day, *columns)].append(_Piece(size, RollupRow(table, row_id)))
    return {key: sorted(of_key) for key, of_key in pieces.items()}


def _small(pieces: Sequence[_Piece]) -> Sequence[_Piece]:
    """Return the rows to merge: up to the largest one that smaller rows reach a tenth of."""
    count = smaller = 0
    for place, piece in enumerate(pieces):
        if piece.size <= SIZE_RATIO * smaller:
            count = place + 1
        smaller += piece.size
    return pieces[:count]
