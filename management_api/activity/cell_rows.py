"""Cells as rows of the database: written by COPY, read in pieces."""

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.activity.breakdowns import CELL_TABLES, KEY_COLUMNS, Breakdown, table_of
from management_api.activity.cells import Cell, CellKey
from management_api.database.binary_copy import (
    HEADER,
    NULL,
    TRAILER,
    TextFields,
    bytes_field,
    columns_of_row,
    length_of_field,
)

_EPOCH = date(1970, 1, 1)
_POSTGRESQL_EPOCH = date(2000, 1, 1)

COPY_CELLS = f"""
    COPY {{table}} (project_id, breakdown, day, {", ".join(KEY_COLUMNS)}, events, devices, moments, is_merged)
    FROM STDIN (FORMAT binary)
"""
_COLUMNS = columns_of_row(7 + len(KEY_COLUMNS))
#: About so many bytes are sent at once.
_PIECE_BYTES = 64 * 1024
_day = struct.Struct(">ii").pack
_number = struct.Struct(">iq").pack

READ_CELLS = f"SELECT id, breakdown, day, {', '.join(KEY_COLUMNS)}, events, devices, moments FROM {{table}}"  # noqa: S608 - constants # nosec B608 # as said

#: The bytes of a COPY for each table.
EncodedCells = Mapping[str, Sequence[bytes]]


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
    """Add cells, each of the project that it comes with."""
    copy_cells(cursor, encoded_cells(cells, is_merged=is_merged))


def copy_cells(cursor: psycopg.Cursor[Any], encoded: EncodedCells) -> None:
    """Add cells that are encoded already."""
    for table, pieces in encoded.items():
        with cursor.copy(COPY_CELLS.format(table=table).encode()) as copy:
            for piece in pieces:
                copy.write(piece)


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


def encoded_cells(cells: Iterable[tuple[str, CellKey, Cell]], *, is_merged: bool = False) -> EncodedCells:
    """Encode cells for their tables. Raises OverflowError for a day beyond the calendar."""
    by_table: defaultdict[str, list[tuple[str, CellKey, Cell]]] = defaultdict(list)
    for each in cells:
        by_table[table_of(each[1].breakdown)].append(each)
    return {table: list(_encoded(of_table, is_merged=is_merged)) for table, of_table in by_table.items()}


def _encoded(cells: Iterable[tuple[str, CellKey, Cell]], *, is_merged: bool) -> Iterator[bytes]:
    texts, days, last_field = TextFields(), _DayFields(), bytes_field(bytes([is_merged]))
    parts, size = [HEADER], 0
    for project_id, key, cell in cells:
        events, devices, moments = cell.columns()
        parts += (
            _COLUMNS,
            texts[project_id],
            texts[key.breakdown.value],
            days[key.day],
            texts[key.event_type],
            texts[key.flow_id],
            texts[key.screen_id],
            texts[key.experiment_id],
            texts[key.variant],
            texts[key.platform],
            _number(8, events),
            length_of_field(len(devices)),
            devices,
            NULL if moments is None else bytes_field(moments),
            last_field,
        )
        size += len(devices) + len(moments or b"")
        if size > _PIECE_BYTES:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join((*parts, TRAILER))


class _DayFields(dict[int | None, bytes]):
    """Days as fields. Raises OverflowError for a day beyond the calendar."""

    def __missing__(self, day: int | None) -> bytes:
        self[day] = field = NULL if day is None else _day(4, (date_of(day) - _POSTGRESQL_EPOCH).days)
        return field


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
