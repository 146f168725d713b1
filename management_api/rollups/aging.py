"""Deletes the ids of devices that have no event or exposure on a day whose raw events are kept.

The raw events of a day are kept until retention drops the partition in which they were received. A device that rollups
count on no kept day was not seen for the retention time. Its row of `devices` and its exposures go. Its number stays in
the bitmaps, so no figure changes, and no number is used again. If the device returns, it is a new one.

A device that an experiment without final counts has exposed stays, because results read its exposure and its number.
"""

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
from pyroaring import BitMap

from management_api.db.engine import Database, allow_long_statements
from management_api.db.project_locks import own_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.experiment_users import LATE_EVENTS
from management_api.rollups.pacing import rest_since
from management_api.rollups.partitions import first_kept_day
from management_api.rollups.rollup import Rollup

#: Devices that are read at once, and those that one transaction deletes.
PAGE, PORTION = 5000, 1000
#: A portion that waits longer for a batch ends the pass. Batches of the project wait with it.
LOCK_TIMEOUT = "SET LOCAL lock_timeout = '1s'"
STATEMENT_MINUTES = 2
#: The days between two passes over a project.
PASS_DAYS = 7

READ_COMPLETE_FROM = "SELECT complete_from FROM event_storage"
FIND_PROJECTS = """
    SELECT project_id FROM project_totals
    WHERE (aged_to IS NULL OR aged_to <= %s)
        AND NOT EXISTS (SELECT FROM deleted_projects WHERE deleted_projects.project_id = project_totals.project_id)
    ORDER BY random()
"""
#: Rollups that are added later have higher ids, because no batch is being counted.
READ_LAST_ROLLUP = "SELECT coalesce(max(id), 0) FROM activity_cells"
#: By the index. Both breakdowns together count each device of each day.
READ_DEVICES = """
    SELECT devices FROM activity_cells
    WHERE project_id = %s AND breakdown IN ('all', 'exposure') AND day >= %s AND id > %s
"""
READ_PAGE = """
    SELECT device_id, number FROM devices WHERE project_id = %s AND device_id > %s ORDER BY device_id LIMIT %s
"""
#: After a reset of the assignments, the id of the experiment is followed by a colon and a number.
FIND_EXPOSED = """
    SELECT DISTINCT device_id FROM exposures
    WHERE project_id = %(project)s AND device_id = ANY(%(devices)s) AND experiment_id <> ''
        AND EXISTS (
            SELECT FROM experiments LEFT JOIN experiment_counts ON experiment_id = id
            WHERE id = split_part(exposures.experiment_id, ':', 1)
                AND (status <> 'completed' OR counted_at IS NULL OR counted_at < ended_at + %(late)s)
        )
"""
DELETE_DEVICES = "DELETE FROM devices WHERE project_id = %s AND device_id = ANY(%s)"
#: An exposure of a later day may be in a batch that no rollup counts yet.
DELETE_EXPOSURES = "DELETE FROM exposures WHERE project_id = %s AND device_id = ANY(%s) AND exposed_at < %s"
COUNT_AGED = "UPDATE project_totals SET aged_devices = aged_devices + %s WHERE project_id = %s"
STORE_AGED_TO = "UPDATE project_totals SET aged_to = %s WHERE project_id = %s"

Cursor = psycopg.Cursor[Any]


def projects_to_age(database: Database) -> list[tuple[str, date]]:
    """Return projects whose devices have not been looked through for a while, and the first kept day."""
    with database.transaction() as session, driver_cursor(session) as cursor:
        cursor.execute(READ_COMPLETE_FROM)
        [(complete_from,)] = cursor.fetchall()
        if complete_from is None:
            return []
        first_kept = first_kept_day(complete_from)
        cursor.execute(FIND_PROJECTS, [first_kept - timedelta(days=PASS_DAYS)])
        return [(project_id, first_kept) for (project_id,) in cursor]


def age_project(database: Database, project_id: str, first_kept: date, *, stop: threading.Event) -> None:
    """Delete the devices of a project that are in no rollup from `first_kept` on, until the stop is set.

    A portion owns the project for some 0.05 s, and a pause follows. An interrupted pass is begun again.
    """
    with _transaction(database) as cursor:
        own_project(cursor, project_id)
        cursor.execute(READ_LAST_ROLLUP)
        [(last_rollup,)] = cursor.fetchall()
    seen = BitMap()
    with _transaction(database) as cursor:
        _add_devices(cursor, seen, project_id, first_kept, 0)
    after, is_last = "", False
    while not is_last:
        if stop.is_set():
            return
        with _transaction(database) as cursor:
            page = cursor.execute(READ_PAGE, [project_id, after, PAGE]).fetchall()
        unseen = {device: number for device, number in page if number not in seen}
        devices = list(unseen)
        for start in range(0, len(devices), PORTION):
            began = time.monotonic()
            portion = {device: unseen[device] for device in devices[start : start + PORTION]}
            with _transaction(database) as cursor:
                _delete(cursor, project_id, portion, first_kept, last_rollup)
            rest_since(began)
        is_last = len(page) < PAGE
        after = "" if is_last else page[-1][0]
    with _transaction(database) as cursor:
        cursor.execute(STORE_AGED_TO, [first_kept, project_id])


def _delete(cursor: Cursor, project_id: str, devices: dict[str, int], first_kept: date, last_rollup: int) -> None:
    """Delete devices, but those that were counted meanwhile and those that an experiment needs."""
    # No batch may use the number of a device while its row goes.
    if not own_project(cursor, project_id):
        return
    counted = BitMap()
    _add_devices(cursor, counted, project_id, first_kept, last_rollup)
    unseen = [device for device, number in devices.items() if number not in counted]
    gone = list(set(unseen) - _exposed(cursor, project_id, unseen))
    cursor.execute(DELETE_DEVICES, [project_id, gone])
    cursor.execute(COUNT_AGED, [cursor.rowcount, project_id])
    start = datetime(first_kept.year, first_kept.month, first_kept.day, tzinfo=UTC)
    cursor.execute(DELETE_EXPOSURES, [project_id, gone, start])


@contextmanager
def _transaction(database: Database) -> Iterator[Cursor]:
    with database.transaction() as session, driver_cursor(session) as cursor:
        allow_long_statements(session, minutes=STATEMENT_MINUTES)
        cursor.execute(LOCK_TIMEOUT)
        yield cursor


def _add_devices(cursor: Cursor, seen: BitMap, project_id: str, first_kept: date, last_rollup: int) -> None:
    """Add the devices of rollups behind `last_rollup` from a day on. Few bitmaps are in memory at once.

    Raises ValueError for a damaged row, since its devices would pass for unseen. `recompute` repairs it.
    """
    with cursor.connection.cursor("aging", binary=True) as rows:
        rows.itersize = 20
        for (devices,) in rows.execute(READ_DEVICES.encode(), [project_id, first_kept, last_rollup]):
            seen |= Rollup.from_row(0, devices, None).devices


def _exposed(cursor: Cursor, project_id: str, devices: Collection[str]) -> set[str]:
    """Return the devices with an exposure of an experiment that may be counted again."""
    cursor.execute(FIND_EXPOSED, {"project": project_id, "devices": list(devices), "late": LATE_EVENTS})
    return {device for (device,) in cursor}
