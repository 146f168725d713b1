"""Merges the pieces of cells, so that reading them stays cheap. What they say does not change.

Adding pieces needs no lock. Whoever replaces rows (here, in an erasure, in a recomputation) holds the project's cells.
"""

from collections import defaultdict
from typing import Any

import psycopg

from management_api.activity.cell_rows import CellRow, date_of, delete_cells, read_cells, write_cells
from management_api.activity.cells import Cell, CellKey, merged
from management_api.database.event_ids import project_key

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
