"""Cells as rows of the database: written by COPY, read in pieces."""

import struct
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

import psycopg

from management_api.activity.breakdowns import KEY_COLUMNS, Breakdown
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
    COPY activity_cells (project_id, breakdown, day, {", ".join(KEY_COLUMNS)}, events, devices, moments, is_merged)
    FROM STDIN (FORMAT binary)
"""
_COLUMNS = columns_of_row(7 + len(KEY_COLUMNS))
#: About so many bytes are sent at once.
_PIECE_BYTES = 64 * 1024
_day = struct.Struct(">ii").pack
_number = struct.Struct(">iq").pack

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
    copy_cells(cursor, encoded_cells(cells, is_merged=is_merged))


def copy_cells(cursor: psycopg.Cursor[Any], pieces: Iterable[bytes]) -> None:
    """Add cells that are encoded already."""
    with cursor.copy(COPY_CELLS) as copy:
        for piece in pieces:
            copy.write(piece)


def encoded_cells(cells: Iterable[tuple[str, CellKey, Cell]], *, is_merged: bool = False) -> Iterator[bytes]:
    """Give the bytes of a COPY of cells. Raises OverflowError for a day beyond the calendar."""
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
) -> Iterator[tuple[int, CellKey, Cell]]:
    """Read the rows that fulfil conditions: their ids, keys and contents."""
    with connection.cursor(binary=True) as cursor:
        cursor.execute(f"{READ_CELLS} WHERE {conditions}".encode(), [*values])
        for row_id, breakdown, day, *columns, events, devices, moments in cursor:
            key = CellKey(Breakdown(breakdown), None if day is None else day_of(day), *columns)
            yield row_id, key, Cell.stored(events, devices, moments)
