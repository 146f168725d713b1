"""Rollups as rows: deltas written by COPY, rows read, replaced and deleted.

Adding deltas takes no lock. A transaction that replaces rows (compaction, erasure, rebuild) locks the rollups of the
project.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.db.models.event_ids import project_key
from management_api.rollups.rollup import KEY_COLUMNS, LINK_COLUMNS, Breakdown, Rollup, RollupKey

_EPOCH = date(1970, 1, 1)

ACTIVITY_ROLLUPS, RESULT_ROLLUPS, LINK_ROLLUPS = "activity_cells", "result_cells", "link_cells"
LOCALE_ROLLUPS = "locale_cells"
ROLLUP_TABLES = (ACTIVITY_ROLLUPS, RESULT_ROLLUPS, LINK_ROLLUPS, LOCALE_ROLLUPS)

#: The columns that one table has alone, because release 0.2.0 reads and writes the other tables.
_OWN_COLUMNS = {**dict.fromkeys(LINK_COLUMNS, LINK_ROLLUPS), "locale": LOCALE_ROLLUPS}
_STORED_COLUMNS = {
    table: tuple(name for name in KEY_COLUMNS if _OWN_COLUMNS.get(name, table) == table) for table in ROLLUP_TABLES
}
_PLACES = {table: [KEY_COLUMNS.index(name) for name in stored] for table, stored in _STORED_COLUMNS.items()}
#: All columns of a key as each table has them, for a SELECT.
SELECT_KEY = {
    table: ", ".join(name if name in stored else f"NULL::text AS {name}" for name in KEY_COLUMNS)
    for table, stored in _STORED_COLUMNS.items()
}
COPY_ROLLUPS = {
    table: f"""
    COPY {table} (project_id, breakdown, day, {", ".join(stored)}, events, devices, moments, is_merged)
    FROM STDIN (FORMAT binary)
"""
    for table, stored in _STORED_COLUMNS.items()
}
#: The types of these columns, which psycopg needs for the binary format.
COLUMN_TYPES = {
    table: ("varchar", "text", "date", *(["text"] * len(stored)), "int8", "bytea", "bytea", "bool")
    for table, stored in _STORED_COLUMNS.items()
}

READ_ROLLUPS = {
    table: f"SELECT id, breakdown, day, {columns}, events, devices, moments FROM {table}"  # noqa: S608 - constants
    for table, columns in SELECT_KEY.items()
}

_TABLES = {
    Breakdown.TYPE: RESULT_ROLLUPS,
    Breakdown.LINK: LINK_ROLLUPS,
    Breakdown.LOCALE: LOCALE_ROLLUPS,
}

Cursor = psycopg.Cursor[Any]

#: The columns events, devices and moments of a row.
StoredRollup = tuple[int, bytes, bytes | None]


class RollupRow(NamedTuple):
    """The place of a stored rollup."""

    table: str
    id: int


def table_of(breakdown: Breakdown) -> str:
    """Return the table that has the rollups of a breakdown."""
    return _TABLES.get(breakdown, ACTIVITY_ROLLUPS)


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
        table = table_of(key.breakdown)
        by_table[table].append((project_id, key, rollup))
    for table, of_table in by_table.items():
        with cursor.copy(COPY_ROLLUPS[table].encode()) as copy:
            copy.set_types(COLUMN_TYPES[table])
            places = _PLACES[table]
            for project_id, (breakdown, day, *columns), rollup in of_table:
                date = None if day is None else date_of(day)
                named = [columns[place] for place in places]
                copy.write_row((project_id, breakdown.value, date, *named, *rollup.to_row(), is_compacted))


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
                f"{READ_ROLLUPS[table]} WHERE project_id = %s AND {condition}".encode(),
                [project_id, *values],
            )
            for row_id, breakdown, _, *columns, events, devices, moments in reader:
                key = RollupKey(Breakdown(breakdown), day, *columns)
                yield RollupRow(table, row_id), key, (events, devices, moments)


def read_stored_rollups(
    cursor: Cursor, project_id: str, breakdown: Breakdown
) -> Iterator[tuple[RollupRow, RollupKey, StoredRollup]]:
    """Return the rows of one breakdown of `activity_cells` by day, as they are stored, with their keys.

    Few are in memory at once.
    """
    statement = f"{READ_ROLLUPS[ACTIVITY_ROLLUPS]} WHERE project_id = %s AND breakdown = %s"
    with cursor.connection.cursor("rollups", binary=True) as reader:
        reader.itersize = 500
        for row_id, _, day, *columns, events, devices, moments in reader.execute(
            statement.encode(), [project_id, breakdown.value]
        ):
            key = RollupKey(breakdown, day_of(day), *columns)
            yield RollupRow(ACTIVITY_ROLLUPS, row_id), key, (events, devices, moments)


def read_rows(cursor: Cursor, rows: Collection[RollupRow]) -> Iterator[tuple[RollupRow, StoredRollup]]:
    """Return the stored columns of rows."""
    for table in ROLLUP_TABLES:
        ids = [row.id for row in rows if row.table == table]
        if ids:
            with cursor.connection.cursor(binary=True) as reader:
                reader.execute(
                    f"SELECT id, events, devices, moments FROM {table} WHERE id = ANY(%s)".encode(),  # noqa: S608 - a constant
                    [ids],
                )
                for row_id, *columns in reader:
                    yield RollupRow(table, row_id), (columns[0], columns[1], columns[2])


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
