"""Cells as rows of the database: written by COPY, read in pieces."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.db.models.event_ids import project_key
from management_api.rollups.rollup import CELL_TABLES, KEY_COLUMNS, Breakdown, Cell, CellKey, merged, table_of

_EPOCH = date(1970, 1, 1)

COPY_CELLS = f"""
    COPY {{table}} (project_id, breakdown, day, {", ".join(KEY_COLUMNS)}, events, devices, moments, is_merged)
    FROM STDIN (FORMAT binary)
"""
#: What psycopg needs to know for the binary format.
COLUMN_TYPES = ("varchar", "text", "date", *(["text"] * len(KEY_COLUMNS)), "int8", "bytea", "bytea", "bool")

READ_CELLS = f"SELECT id, breakdown, day, {', '.join(KEY_COLUMNS)}, events, devices, moments FROM {{table}}"  # noqa: S608 - constants # nosec B608 # as said


class CellRow(NamedTuple):
    """Where a cell is stored."""

    table: str
    id: int


def date_of(day: int) -> date:
    """Give a day that counts from 1970-01-01 as a date. Raises OverflowError beyond the calendar."""
    return _EPOCH + timedelta(days=day)


def day_of(day: date) -> int:
    """Count a date from 1970-01-01."""
    return (day - _EPOCH).days


def write_cells(
    cursor: psycopg.Cursor[Any], cells: Iterable[tuple[str, CellKey, Cell]], *, is_merged: bool = False
) -> None:
    """Add cells, each of the project that it comes with. Raises OverflowError for a day beyond the calendar."""
    by_table: defaultdict[str, list[tuple[str, CellKey, Cell]]] = defaultdict(list)
    for project_id, key, cell in cells:
        by_table[table_of(key.breakdown)].append((project_id, key, cell))
    for table, of_table in by_table.items():
        with cursor.copy(COPY_CELLS.format(table=table).encode()) as copy:
            copy.set_types(COLUMN_TYPES)
            for project_id, (breakdown, day, *columns), cell in of_table:
                date = None if day is None else date_of(day)
                copy.write_row((project_id, breakdown.value, date, *columns, *cell.columns(), is_merged))


def delete_cells(cursor: psycopg.Cursor[Any], rows: Iterable[CellRow]) -> None:
    """Delete rows of cells."""
    ids: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        ids[row.table].append(row.id)
    for table, of_table in ids.items():
        cursor.execute(f"DELETE FROM {table} WHERE id = ANY(%s)".encode(), [of_table])  # noqa: S608 - a constant # nosec B608 # as said


def replace_devices(cursor: psycopg.Cursor[Any], row: CellRow, cell: Cell) -> None:
    """Store the devices and the moments of a cell in the row that it was read from."""
    _, devices, moments = cell.columns()
    cursor.execute(
        f"UPDATE {row.table} SET devices = %s, moments = %s WHERE id = %s".encode(),  # noqa: S608 - a constant # nosec B608 # as said
        [devices, moments, row.id],
    )


def read_cells(
    connection: psycopg.Connection[Any], conditions: str, values: Iterable[object]
) -> Iterator[tuple[CellRow, CellKey, Cell]]:
    """Read the rows that fulfil conditions from all tables: where they are, their keys and contents."""
    values = [*values]
    for table in CELL_TABLES:
        with connection.cursor(binary=True) as cursor:
            cursor.execute(f"{READ_CELLS.format(table=table)} WHERE {conditions}".encode(), values)
            for row_id, breakdown, day, *columns, events, devices, moments in cursor:
                key = CellKey(Breakdown(breakdown), None if day is None else day_of(day), *columns)
                yield CellRow(table, row_id), key, Cell.stored(events, devices, moments)


# Merges the pieces of cells, so that reading them stays cheap. What they say does not change.
# Adding pieces needs no lock. Whoever replaces rows (here, in an erasure, in a recomputation) holds the project's
# cells.

#: Projects and days with so many pieces at least.
_SCATTERED = """
    SELECT project_id, day - date '1970-01-01' FROM (
        SELECT project_id, day FROM activity_cells WHERE NOT is_merged
        UNION ALL SELECT project_id, day FROM result_cells WHERE NOT is_merged
    ) AS pieces
    GROUP BY project_id, day HAVING count(*) >= %s ORDER BY count(*) DESC LIMIT %s
"""


def hold_cells(cursor: psycopg.Cursor[Any], project_id: str) -> None:
    """Keep others from replacing cells of a project until the transaction ends; pieces may still be added."""
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [project_key(project_id)])


def scattered_days(cursor: psycopg.Cursor[Any], *, pieces: int, limit: int) -> list[tuple[str, int | None]]:
    """Give projects and days (None: all days together) whose cells lie in many pieces, those with the most first."""
    cursor.execute(_SCATTERED, [pieces, limit])
    return cursor.fetchall()


def merge_day(cursor: psycopg.Cursor[Any], project_id: str, day: int | None) -> None:
    """Merge the cells of one day. Cells without anything are left out, as an erasure may leave some."""
    hold_cells(cursor, project_id)
    rows: list[CellRow] = []
    cells: defaultdict[CellKey, list[Cell]] = defaultdict(list)
    condition = "project_id = %s AND day IS NULL" if day is None else "project_id = %s AND day = %s"
    values = [project_id] if day is None else [project_id, date_of(day)]
    for row, key, cell in read_cells(cursor.connection, condition, values):
        rows.append(row)
        cells[key].append(cell)
    delete_cells(cursor, rows)
    whole = ((project_id, key, merged(pieces)) for key, pieces in cells.items())
    write_cells(cursor, (each for each in whole if each[2].events or each[2].devices), is_merged=True)
