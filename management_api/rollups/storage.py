"""Rollups as rows: deltas written by COPY, rows read, and all deltas of a day compacted.

Adding deltas takes no lock. A transaction that replaces rows (compaction, erasure, rebuild) locks the rollups of the
project.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.db.models.event_ids import project_key
from management_api.rollups.rollup import KEY_COLUMNS, Breakdown, Rollup, RollupKey, combine

_EPOCH = date(1970, 1, 1)

ACTIVITY_ROLLUPS, RESULT_ROLLUPS = "activity_cells", "result_cells"
ROLLUP_TABLES = (ACTIVITY_ROLLUPS, RESULT_ROLLUPS)

COPY_ROLLUPS = f"""
    COPY {{table}} (project_id, breakdown, day, {", ".join(KEY_COLUMNS)}, events, devices, moments, is_merged)
    FROM STDIN (FORMAT binary)
"""
#: The types of these columns, which psycopg needs for the binary format.
COLUMN_TYPES = ("varchar", "text", "date", *(["text"] * len(KEY_COLUMNS)), "int8", "bytea", "bytea", "bool")

READ_ROLLUPS = f"SELECT id, breakdown, day, {', '.join(KEY_COLUMNS)}, events, devices, moments FROM {{table}}"  # noqa: S608 - constants

#: Projects and days with so many deltas at least.
UNCOMPACTED_DAYS = """
    SELECT project_id, day - date '1970-01-01' FROM (
        SELECT project_id, day FROM activity_cells WHERE NOT is_merged
        UNION ALL SELECT project_id, day FROM result_cells WHERE NOT is_merged
    ) AS deltas
    GROUP BY project_id, day HAVING count(*) >= %s ORDER BY count(*) DESC LIMIT %s
"""

Cursor = psycopg.Cursor[Any]

#: The columns events, devices and moments of a row.
StoredRollup = tuple[int, bytes, bytes | None]


class RollupRow(NamedTuple):
    """The place of a stored rollup."""

    table: str
    id: int


def date_of(day: int) -> date:
    """Return the date of a day that counts from 1970-01-01. Raises OverflowError beyond the calendar."""
    return _EPOCH + timedelta(days=day)


def day_of(day: date) -> int:
    """Return the days from 1970-01-01 to a date."""
    return (day - _EPOCH).days


def write_rollups(
    cursor: Cursor, rollups: Iterable[tuple[str, RollupKey, Rollup]], *, is_compacted: bool = False
) -> None:
    """Add rollups, each of the project that it comes with. Raises OverflowError for a day beyond the calendar."""
    by_table: defaultdict[str, list[tuple[str, RollupKey, Rollup]]] = defaultdict(list)
    for project_id, key, rollup in rollups:
        table = RESULT_ROLLUPS if key.breakdown is Breakdown.TYPE else ACTIVITY_ROLLUPS
        by_table[table].append((project_id, key, rollup))
    for table, of_table in by_table.items():
        with cursor.copy(COPY_ROLLUPS.format(table=table).encode()) as copy:
            copy.set_types(COLUMN_TYPES)
            for project_id, (breakdown, day, *columns), rollup in of_table:
                date = None if day is None else date_of(day)
                copy.write_row((project_id, breakdown.value, date, *columns, *rollup.to_row(), is_compacted))


def read_day(cursor: Cursor, project_id: str, day: int | None) -> Iterator[tuple[RollupRow, RollupKey, Rollup]]:
    """Return the rows of one day from all tables, with their keys; None: those of all days together.

    Raises ValueError for a damaged row.
    """
    for row, key, columns in read_stored_day(cursor, project_id, day):
        yield row, key, Rollup.from_row(*columns)


def read_stored_day(
    cursor: Cursor, project_id: str, day: int | None
) -> Iterator[tuple[RollupRow, RollupKey, StoredRollup]]:
    """Return the rows of one day as they are stored, with their keys."""
    # PostgreSQL uses no index for IS NOT DISTINCT FROM.
    condition, values = ("day IS NULL", ()) if day is None else ("day = %s", (date_of(day),))
    for table in ROLLUP_TABLES:
        with cursor.connection.cursor(binary=True) as reader:
            reader.execute(
                f"{READ_ROLLUPS.format(table=table)} WHERE project_id = %s AND {condition}".encode(),
                [project_id, *values],
            )
            for row_id, breakdown, _, *columns, events, devices, moments in reader:
                key = RollupKey(Breakdown(breakdown), day, *columns)
                yield RollupRow(table, row_id), key, (events, devices, moments)


def delete_rollups(cursor: Cursor, rows: Iterable[RollupRow]) -> None:
    """Delete rows of rollups."""
    ids: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        ids[row.table].append(row.id)
    for table, of_table in ids.items():
        cursor.execute(f"DELETE FROM {table} WHERE id = ANY(%s)".encode(), [of_table])  # noqa: S608 - a constant


def replace_devices(cursor: Cursor, row: RollupRow, rollup: Rollup) -> None:
    """Store the devices and their times in the row that the rollup was read from."""
    _, devices, moments = rollup.to_row()
    cursor.execute(
        f"UPDATE {row.table} SET devices = %s, moments = %s WHERE id = %s".encode(),  # noqa: S608 - a constant
        [devices, moments, row.id],
    )


def lock_rollups(cursor: Cursor, project_id: str) -> None:
    """Lock the replacement of rollups of a project until the transaction ends; deltas may still be added."""
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [project_key(project_id)])


def uncompacted_days(cursor: Cursor, *, min_deltas: int, limit: int) -> list[tuple[str, int | None]]:
    """Return projects and days (None: all days together) with many deltas, those with the most first."""
    cursor.execute(UNCOMPACTED_DAYS, [min_deltas, limit])
    return cursor.fetchall()


def compact_day(cursor: Cursor, project_id: str, day: int | None) -> None:
    """Replace the deltas of one day by their sums. Empty sums are left out; an erasure may leave some."""
    lock_rollups(cursor, project_id)
    rows: list[RollupRow] = []
    deltas: defaultdict[RollupKey, list[Rollup]] = defaultdict(list)
    for row, key, rollup in read_day(cursor, project_id, day):
        rows.append(row)
        deltas[key].append(rollup)
    delete_rollups(cursor, rows)
    sums = ((project_id, key, combine(parts)) for key, parts in deltas.items())
    write_rollups(cursor, (row for row in sums if row[2].events or row[2].devices), is_compacted=True)
