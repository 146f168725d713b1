"""Takes a device out of the raw events and the cells, in two steps, so that ingestion never waits for the long one.

The first step holds the project's row for a moment. From then on the event consumer drops what was received before,
and the device, should it come back, is a new one. The second step finds and removes what there was; when it is
interrupted, upkeep takes it up again, which knows the device only by its digest.
"""

from collections import Counter
from datetime import datetime
from typing import Any

import psycopg
from pyroaring import BitMap

from management_api.activity.breakdowns import Breakdown
from management_api.activity.cell_merging import hold_cells, merge_day
from management_api.activity.cell_rows import date_of, read_cells, write_cells
from management_api.activity.cells import Cell, CellKey
from management_api.activity.counting import ActivityCount
from management_api.database.device_digests import digest_of_device

#: Waits for the batches that are being stored, and lets others begin only after the commit.
HOLD_PROJECT = "SELECT FROM projects WHERE id = %s FOR UPDATE"

FORGET_NUMBER = "DELETE FROM devices WHERE project_id = %s AND device_id = %s RETURNING number"
COUNT_DOWN = "UPDATE project_totals SET devices = devices - 1 WHERE project_id = %s"
NOTE_ERASURE = """
    INSERT INTO erased_devices (project_id, digest, erased_at, pending_number) VALUES (%s, %s, %s, %s)
    ON CONFLICT (project_id, digest) DO UPDATE
    SET erased_at = excluded.erased_at,
        pending_number = coalesce(excluded.pending_number, erased_devices.pending_number)
"""
REMOVE_EXPOSURES = """
    DELETE FROM exposures WHERE project_id = %s AND device_id = %s
    RETURNING (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01', flow_id
"""

PENDING = """
    SELECT erased_at, pending_number FROM erased_devices
    WHERE project_id = %s AND digest = %s AND pending_number IS NOT NULL FOR UPDATE
"""
#: Events have no index by device, which every event would pay for and few requests would use; so a project's are read.
REMOVE_EVENTS = """
    DELETE FROM events WHERE project_id = %s AND received_at <= %s AND {device}
    RETURNING (extract(epoch FROM occurred_at) * 1000)::bigint, event_type, flow_id, screen_id, experiment_id, variant,
        platform
"""
BY_ID = "device_id = %s"
BY_DIGEST = "sha256(convert_to(project_id || ':' || device_id, 'UTF8')) = %s"
REPLACE_CELL = "UPDATE activity_cells SET devices = %s, moments = %s WHERE id = %s"
END_ERASURE = "UPDATE erased_devices SET pending_number = NULL WHERE project_id = %s AND digest = %s"


def begin_erasure(cursor: psycopg.Cursor[Any], project_id: str, device_id: str, at: datetime) -> None:
    """Let nothing that was received up to now be stored any more, and forget which number the device has."""
    cursor.execute(HOLD_PROJECT, [project_id])
    digest = digest_of_device(project_id, device_id)
    # One that was interrupted has a number of its own, which must not be lost.
    end_erasure(cursor, project_id, digest, device_id)
    cursor.execute(FORGET_NUMBER, [project_id, device_id])
    found = cursor.fetchone()
    if found is not None:
        cursor.execute(COUNT_DOWN, [project_id])
    cursor.execute(NOTE_ERASURE, [project_id, digest, at, found and found[0]])
    cursor.execute(REMOVE_EXPOSURES, [project_id, device_id])
    exposures = Counter(CellKey(Breakdown.EXPOSURE, day, None, flow_id) for day, flow_id in cursor)
    write_cells(cursor, ((project_id, key, Cell(-events)) for key, events in exposures.items()))


def end_erasure(cursor: psycopg.Cursor[Any], project_id: str, digest: bytes, device_id: str | None = None) -> None:
    """Remove the device's events, and its number from all cells; by its id, where it is known, this is quicker."""
    cursor.execute(PENDING, [project_id, digest])
    pending = cursor.fetchone()
    if pending is None:
        return
    erased_at, number = pending
    hold_cells(cursor, project_id)
    count = ActivityCount()
    device = BY_DIGEST if device_id is None else BY_ID
    cursor.execute(
        REMOVE_EVENTS.format(device=device).encode(),
        [project_id, erased_at, digest if device_id is None else device_id],
    )
    for occurred_at_ms, *columns in cursor:
        count.add_event(number, occurred_at_ms, *columns)
    removed = dict(count.cells())
    # What is added up with moments has moments, if of nobody.
    write_cells(cursor, ((project_id, key, _negative(cell)) for key, cell in removed.items()))
    days = {key.day for key in removed} | _remove_number(cursor, project_id, number)
    for day in sorted(days, key=lambda day: day or 0):
        merge_day(cursor, project_id, day)
    cursor.execute(END_ERASURE, [project_id, digest])


def _negative(cell: Cell) -> Cell:
    return Cell(-cell.events, BitMap(), None if cell.moments is None else cell.moments[:0])


def _remove_number(cursor: psycopg.Cursor[Any], project_id: str, number: int) -> set[int | None]:
    """Take a number out of all cells that have it, day by day; gives the days."""
    days: set[int | None] = set()
    cursor.execute("SELECT DISTINCT day - date '1970-01-01' FROM activity_cells WHERE project_id = %s", [project_id])
    for (day,) in cursor.fetchall():
        condition = "project_id = %s AND day IS NULL" if day is None else "project_id = %s AND day = %s"
        values = [project_id] if day is None else [project_id, date_of(day)]
        changed = [
            (row_id, cell.without(number))
            for row_id, _, cell in read_cells(cursor.connection, condition, values)
            if number in cell.devices
        ]
        if changed:
            days.add(day)
            cursor.executemany(REPLACE_CELL, [(*cell.columns()[1:], row_id) for row_id, cell in changed])
    return days
