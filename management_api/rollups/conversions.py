"""Find when each device had its last event of one type, from the rollups by type.

A device has an event after a moment exactly when its last one is after it.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np
import psycopg
from sqlalchemy.orm import Session

from management_api.db.psycopg_connection import driver_connection
from management_api.rollups.reading import FirstMoments, Moments, log_damaged_row
from management_api.rollups.rollup import DAY_MS, Numbers, Rollup, set_of
from management_api.rollups.storage import day_of

_ROLLUPS = """
    SELECT id, day - date '1970-01-01', events, devices, moments FROM result_cells
    WHERE project_id = %(project)s AND event_type = %(type)s AND day >= %(first)s AND day < %(end)s
    ORDER BY day DESC
"""
#: The last events of a part of a day, which has no rollup. An event is received at most a day before its own time.
_EVENTS = """
    SELECT number, (date_part('epoch', max(occurred_at)) * 1000)::bigint FROM events
    JOIN devices USING (project_id, device_id)
    WHERE project_id = %(project)s AND event_type = %(type)s AND occurred_at >= %(from)s AND occurred_at <= %(until)s
        AND received_at >= %(from)s - interval '1 day'
    GROUP BY number ORDER BY number
"""
_COMPLETE_FROM = "SELECT complete_from FROM event_storage"
_ONE_DAY = timedelta(days=1)
#: Rows are received in portions of this size.
_BATCH_ROWS = 10
_NEVER = -1
#: Days are counted back from here, so that their numbers are positive.
_END_DAY = 100_000


class LastSeen:
    """The time of the last event of each device, in milliseconds from 1970 on.

    The rollups count times back from the end of their day. With days counted back too, the last event comes first.
    """

    def __init__(self, rollups: Iterator[tuple[int, Rollup]]) -> None:
        """Read the rollups of each day, the latest day first."""
        self._first = FirstMoments((_END_DAY - day, rollup) for day, rollup in rollups)

    def at(self, numbers: Numbers) -> Moments:
        """Return the last time of each device, -1 for a device without any. The numbers ascend."""
        found = np.full(len(numbers), _NEVER, np.int64)
        first = self._first.first(set_of(numbers))
        found[np.searchsorted(numbers, first.numbers)] = (_END_DAY + 1) * DAY_MS - 1 - first.moments
        return found


def last_seen(session: Session, project_id: str, event_type: str, first: date, until: datetime | None) -> LastSeen:
    """Return the last events of a type from a day on, up to a moment if there is an end.

    Reads the events of the last day, which is a part of a day. Where they have been dropped for their age, the whole
    day counts.
    """
    connection = driver_connection(session)
    end = None if until is None else datetime.combine(until.astimezone(UTC).date(), time(), UTC)
    has_events = end is not None and _has_events(connection, end)
    if end is not None and not has_events:
        end += _ONE_DAY
    values = {
        "project": project_id,
        "type": event_type,
        "first": first,
        "end": date.max if end is None else end.date(),
        "from": end,
        "until": until,
    }
    return LastSeen(_read(connection, values, has_events=has_events))


def _has_events(connection: psycopg.Connection[Any], day: datetime) -> bool:
    """Return whether no event of the day has been dropped for its age."""
    row = connection.execute(_COMPLETE_FROM).fetchone()
    return row is None or row[0] is None or row[0] <= day - _ONE_DAY


def _read(
    connection: psycopg.Connection[Any], values: dict[str, Any], *, has_events: bool
) -> Iterator[tuple[int, Rollup]]:
    """Yield the day and the rollup of the part of a day, and of each row, the latest day first."""
    if has_events:
        with connection.cursor(binary=True) as cursor:
            rows = np.array(cursor.execute(_EVENTS, values).fetchall(), np.int64).reshape(-1, 2)
        day = day_of(values["end"])
        times = (day + 1) * DAY_MS - 1 - rows[:, 1]
        yield day, Rollup(len(rows), set_of(rows[:, 0]), times.astype(np.uint32))
    yield from _read_rollups(connection, values)


def _read_rollups(connection: psycopg.Connection[Any], values: dict[str, Any]) -> Iterator[tuple[int, Rollup]]:
    """Yield the day and the rollup of each row, the latest day first."""
    with connection.cursor() as cursor:
        for row_id, day, *columns in cursor.stream(_ROLLUPS, values, binary=True, size=_BATCH_ROWS):
            try:
                rollup = Rollup.from_row(*columns)
            except ValueError as error:
                log_damaged_row(values["project"], "result_cells", row_id, str(error))
            else:
                yield day, rollup
