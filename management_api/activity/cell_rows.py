"""Cells as rows of the database: written by COPY, read in pieces."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

import psycopg

from management_api.activity.breakdowns import KEY_COLUMNS, Breakdown
from management_api.activity.cells import Cell, CellKey

_EPOCH = date(1970, 1, 1)

COPY_CELLS = f"""
    COPY activity_cells (project_id, breakdown, day, {", ".join(KEY_COLUMNS)}, events, devices, moments, is_merged)
    FROM STDIN (FORMAT binary)
"""
_TYPES = ("varchar", "text", "date", *("text" for _ in KEY_COLUMNS), "int8", "bytea", "bytea", "bool")

READ_CELLS = f"SELECT id, breakdown, day, {', '.join(KEY_COLUMNS)}, events, devices, moments FROM activity_cells"  # noqa: S608 - constants # nosec B608 # as said


def date_of(day: int) -> date:
    """Give a day that counts from 1970-01-01 as a date. Raises OverflowError beyond the calendar."""
    return _EPOCH + timedelta(days=day)


def day_of(day: date) -> int:
    """Count a date from 1970-01-01."""
    return (day - _EPOCH).days


def write_cells(
    cursor: psycopg.Cursor[Any], cells: Iterable[tuple[str, CellKey, Cell]], *, is_merged: bool = False
) -> None:
    """Add cells, each of the project that it comes with."""
    with cursor.copy(COPY_CELLS) as copy:
        copy.set_types(_TYPES)
        for project_id, (breakdown, day, *columns), cell in cells:
            when = None if day is None else date_of(day)
            copy.write_row((project_id, breakdown.value, when, *columns, *cell.columns(), is_merged))


def read_cells(
    connection: psycopg.Connection[Any], conditions: str, values: Iterable[object]
) -> Iterator[tuple[int, CellKey, Cell]]:
    """Read the rows that fulfil conditions: their ids, keys and contents."""
    with connection.cursor(binary=True) as cursor:
        cursor.execute(f"{READ_CELLS} WHERE {conditions}".encode(), [*values])
        for row_id, breakdown, day, *columns, events, devices, moments in cursor:
            key = CellKey(Breakdown(breakdown), None if day is None else day_of(day), *columns)
            yield row_id, key, Cell.stored(events, devices, moments)
