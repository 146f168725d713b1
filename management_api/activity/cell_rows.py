"""Cells as rows of the database: written by COPY, read in pieces."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.activity.breakdowns import CELL_TABLES, KEY_COLUMNS, Breakdown, table_of
from management_api.activity.cells import Cell, CellKey

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
