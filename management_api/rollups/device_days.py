"""Finds the days on which a device may have events: by the devices of each rollup, and in uncounted batches.

Events have no index by device. The rollups of a day name its devices, so only the events of these days are read.
"""

from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import date
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import psycopg

from management_api.rollups.rollup import DAY_MS, Rollup
from management_api.rollups.storage import date_of
from management_api.rollups.uncounted import READ, decode_batches

READ_NUMBER = "SELECT number FROM devices WHERE project_id = %s AND device_id = %s"
#: Each event is in one rollup of this breakdown.
READ_DAYS = b"""
    SELECT day, events, devices FROM activity_cells
    WHERE project_id = %s AND breakdown = 'all' AND day >= %s ORDER BY day
"""

Connection = psycopg.Connection[Any]
#: A day, the number of events of its project that a row counts, and whether the device may be among their devices.
_Counted = tuple[date, int, bool]


class DeviceDay(NamedTuple):
    """A day on which a device may have events, and the number of all events of the project on it."""

    day: date
    events: int


def days_of_device(connection: Connection, project_id: str, device_id: str, since: date) -> Generator[DeviceDay]:
    """Yield the days from `since` on, ascending. Rows are read in small portions, as far as the days are used."""
    found = connection.execute(READ_NUMBER, [project_id, device_id]).fetchone()
    uncounted = sorted(_uncounted_days(connection, project_id, device_id, since))
    counted = _counted_days(connection, project_id, None if found is None else found[0], since)
    with closing(counted):
        for day, rows in groupby(merge(counted, uncounted, key=itemgetter(0)), key=itemgetter(0)):
            parts = list(rows)
            if any(has_device for _, _, has_device in parts):
                yield DeviceDay(day, sum(events for _, events, _ in parts))


def _counted_days(connection: Connection, project_id: str, number: int | None, since: date) -> Generator[_Counted]:
    with connection.cursor("device_days", binary=True) as rows:
        rows.itersize = 20
        for day, events, devices in rows.execute(READ_DAYS, [project_id, since]):
            yield day, events, number is not None and _may_have(devices, number)


def _may_have(devices: bytes, number: int) -> bool:
    """Return whether the device is in a stored set; it may be in a damaged one."""
    try:
        return number in Rollup.from_row(0, devices, None).devices
    except ValueError:
        return True


def _uncounted_days(connection: Connection, project_id: str, device_id: str, since: date) -> Iterator[_Counted]:
    with connection.cursor("uncounted_days") as rows:
        rows.itersize = 20
        for row in rows.execute(READ, [project_id]):
            [batch] = decode_batches([row])
            days = np.frombuffer(batch.records.moments, "<i8") // DAY_MS
            places = np.frombuffer(batch.records.device_places, "<u4")
            known = batch.records.devices
            of_device = set(days[places == known.index(device_id)].tolist()) if device_id in known else set()
            for day, events in zip(*np.unique(days, return_counts=True), strict=True):
                if date_of(int(day)) >= since:
                    yield date_of(int(day)), int(events), int(day) in of_device
