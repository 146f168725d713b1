"""Counts the raw rows of a project again, as of one moment."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

import numpy as np
import psycopg
from pyroaring import BitMap

from management_api.rollups.event_keys import STORED_KEY_COLUMNS, stored_event_key
from management_api.rollups.limits import EventTypes, limit_keys
from management_api.rollups.rollup import Breakdown, Rollup, RollupCounter, RollupKey, combine, set_of
from management_api.rollups.storage import RollupRow, StoredRollup, date_of, read_stored_day, read_stored_rollups

#: Rows that are in memory at once, before they are counted.
ROWS_AT_ONCE = 100_000
#: The exposures of a flow on a day are one row.
DAYS_AT_ONCE = 10

#: Looks each device up by the key. With statistics of tables that were nearly empty, PostgreSQL would otherwise compare
#: each event with each device of the project. Events that an erasure will remove count without their device. The last
#: column has the device of an event that should have a number.
READ_EVENTS_OF_DAY = f"""
    SELECT coalesce(devices.number, -1), (extract(epoch FROM occurred_at) * 1000)::bigint,
        CASE WHEN devices.number IS NULL AND NOT erasures.is_erased THEN device_id END,
        {STORED_KEY_COLUMNS}
    FROM events CROSS JOIN LATERAL (
        SELECT EXISTS (
            SELECT FROM pending_erasures AS erasure
            WHERE erasure.project_id = events.project_id AND erasure.device_id = events.device_id
                AND (events.stored_no IS NULL OR events.stored_no < erasure.last_stored_no)
        ) AS is_erased
        OFFSET 0
    ) AS erasures LEFT JOIN LATERAL (
        SELECT number FROM devices
        WHERE NOT erasures.is_erased
            AND devices.project_id = events.project_id AND devices.device_id = events.device_id
        OFFSET 0
    ) AS devices ON true
    WHERE project_id = %(project)s AND occurred_at >= %(start)s AND occurred_at < %(end)s
        AND received_at >= %(received)s
"""  # noqa: S608 - constants
#: The numbers of the devices come as bytes, 4 for each: a row for each exposure would take most of the time.
READ_EXPOSURES = """
    SELECT (exposed_at AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day, flow_id, count(*),
        string_agg(int4send(number), ''), array_agg(device_id) FILTER (WHERE number IS NULL)
    FROM exposures LEFT JOIN LATERAL (
        SELECT number FROM devices
        WHERE devices.project_id = exposures.project_id AND devices.device_id = exposures.device_id
        OFFSET 0
    ) AS devices ON true
    WHERE project_id = %(project)s GROUP BY day, flow_id
"""
_NUMBER = np.dtype(">i4")

Rollups = Mapping[RollupKey, Rollup]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a project: a transaction, and what is under way at that moment."""

    cursor: psycopg.Cursor[Any]
    project_id: str
    #: The numbers of devices whose erasure is not complete: a rollup may have them or not.
    erased: BitMap
    #: What the uncounted batches will add.
    uncounted: Rollups
    #: The devices of these batches.
    waiting: AbstractSet[str]
    #: The first day whose raw events are complete; None: all days.
    first_complete: int | None

    def read(
        self, statement: str, values: Mapping[str, object], *, at_once: int = ROWS_AT_ONCE // 10
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement, of which few are in memory at once."""
        with self.cursor.connection.cursor("rebuild", binary=True) as rows:
            rows.itersize = at_once
            yield from rows.execute(statement.encode(), {"project": self.project_id, **values})

    def is_complete(self, day: int | None) -> bool:
        """Return whether the raw rows of a day are complete."""
        return day is None or self.first_complete is None or day >= self.first_complete


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the rollups: the stored rows, and what the raw tables say."""

    stored: Sequence[tuple[RollupRow, RollupKey, StoredRollup]]
    counted: Rollups
    uncounted: Rollups
    #: Devices that should have a number.
    unnumbered: AbstractSet[str]


def events_of_day(snapshot: Snapshot, day: int) -> Part:
    """Count the events of a day, and read the rollups of it that are not of exposures."""
    start = date_of(day)
    values = {"start": start, "end": start + timedelta(days=1), "received": start - timedelta(days=1)}
    types = EventTypes(snapshot.cursor, [snapshot.project_id])
    found: dict[RollupKey, Rollup] = {}
    unnumbered: set[str] = set()
    for rows in _batched(snapshot.read(READ_EVENTS_OF_DAY, values), ROWS_AT_ONCE):
        counter = RollupCounter()
        for number, moment, unnumbered_id, *key in rows:
            counter.add_event(number, moment, types.counted(snapshot.project_id, stored_event_key(*key)))
            # On other days the id of the device may have been deleted for its age.
            if unnumbered_id is not None and snapshot.is_complete(day):
                unnumbered.add(unnumbered_id)
        _add(found, counter)
    counted = limit_keys(snapshot.cursor, snapshot.project_id, found)
    uncounted = {
        key: rollup
        for key, rollup in snapshot.uncounted.items()
        if key.day == day and key.breakdown is not Breakdown.EXPOSURE
    }
    stored = read_stored_day(snapshot.cursor, snapshot.project_id, day)
    of_events = [row for row in stored if row[1].breakdown is not Breakdown.EXPOSURE]
    return Part(of_events, counted, uncounted, unnumbered)


def exposures(snapshot: Snapshot) -> Part:
    """Count the exposures of all days, and read their rollups."""
    found: dict[RollupKey, Rollup] = {}
    unnumbered: set[str] = set()
    for day, flow_id, count, numbers, unnumbered_ids in snapshot.read(READ_EXPOSURES, {}, at_once=DAYS_AT_ONCE):
        devices = set_of(np.frombuffer(numbers or b"", _NUMBER))
        found[RollupKey(Breakdown.EXPOSURE, day, None, flow_id)] = Rollup(count, devices)
        unnumbered |= set(unnumbered_ids or ())
    counted = limit_keys(snapshot.cursor, snapshot.project_id, found)
    uncounted = {key: rollup for key, rollup in snapshot.uncounted.items() if key.breakdown is Breakdown.EXPOSURE}
    stored = read_stored_rollups(snapshot.cursor, snapshot.project_id, Breakdown.EXPOSURE)
    return Part(list(stored), counted, uncounted, unnumbered)


def _add(found: dict[RollupKey, Rollup], counter: RollupCounter) -> None:
    for key, rollup in counter.rollups():
        found[key] = combine([found[key], rollup]) if key in found else rollup


def _batched(rows: Iterable[tuple[Any, ...]], size: int) -> Iterator[list[tuple[Any, ...]]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, size)):
        yield batch
