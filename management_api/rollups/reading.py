"""Reads rollups for analytics, and adds up sets of devices and their first moments.

A damaged row is left out, and logged once by each process. `onboarding analytics recompute` repairs it.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import structlog
from numpy.typing import NDArray
from psycopg import sql
from pyroaring import BitMap
from sqlalchemy.orm import Session

from management_api.db.psycopg_connection import driver_connection
from management_api.rollups.rollup import Breakdown, Numbers, Rollup, numbers_of

log = structlog.stdlib.get_logger(__name__)

#: Rows are converted in batches of this size, which is faster than one by one.
_BATCH_ROWS = 500

Moments = NDArray[np.int64]


class Covered(NamedTuple):
    """The rows that a checkpoint has read: those of earlier days, up to an id."""

    before: date
    last_row_id: int


class DaysToRead(NamedTuple):
    """The first and the last day, and what a checkpoint has read of them."""

    first: date
    last: date
    covered: Covered | None = None


def read_rollups(
    session: Session,
    columns: Sequence[str],
    project_id: str,
    breakdowns: Sequence[Breakdown],
    days: DaysToRead,
    filters: Mapping[str, Sequence[str]],
    *,
    with_times: bool = False,
) -> Iterator[tuple[Any, ...]]:
    """Yield columns of each rollup from the first to the last day, and the rollup; without its times unless requested.

    Of a filter's column any of the values matches. Rows that are covered are left out: PostgreSQL looks at their ids
    only. A rollup may come in several rows. Rows are read in psycopg's binary
    format, which is three times as fast for sets of devices as the text format that SQLAlchemy uses.
    """
    moments = sql.Identifier("moments") if with_times else sql.NULL
    names = map(sql.Identifier, ("id", "events", "devices", *columns))
    statement = sql.SQL("SELECT {columns} FROM activity_cells WHERE {conditions}").format(
        columns=sql.SQL(", ").join([moments, *names]),
        conditions=sql.SQL(" AND ").join(
            [
                sql.SQL("project_id = %s AND breakdown = ANY(%s) AND day BETWEEN %s AND %s"),
                *(sql.SQL("{} = ANY(%s)").format(sql.Identifier(column)) for column in filters),
                *([] if days.covered is None else [sql.SQL("(day >= %s OR id > %s)")]),
            ]
        ),
    )
    values = [
        project_id,
        [breakdown.value for breakdown in breakdowns],
        days.first,
        days.last,
        *map(list, filters.values()),
        *(days.covered or ()),
    ]
    with driver_connection(session).cursor(binary=True) as cursor:
        cursor.execute(statement, values)
        while rows := cursor.fetchmany(_BATCH_ROWS):
            for times, row_id, events, devices, *key in rows:
                try:
                    rollup = Rollup.from_row(events, devices, times)
                except ValueError as error:
                    log_damaged_row(project_id, "activity_cells", row_id, str(error))
                else:
                    yield *key, rollup


@lru_cache(maxsize=1000)
def log_damaged_row(project_id: str, table: str, row_id: int | None, reason: str) -> None:
    """Log a damaged row, once for each of the last thousand."""
    log.warning("rollups.damaged", project_id=project_id, table=table, row=row_id, reason=reason)


def readable_sets(project_id: str, stored: Sequence[bytes], table: str = "activity_cells") -> list[BitMap]:
    """Return stored sets of devices, without damaged ones, which are logged."""
    sets = []
    for devices in stored:
        try:
            sets.append(Rollup.from_row(0, devices, None).devices)
        except ValueError as error:
            log_damaged_row(project_id, table, None, str(error))
    return sets


def union(sets: Sequence[BitMap]) -> BitMap:
    """Return the devices that are in any of the sets."""
    return BitMap.union(*sets) if sets else BitMap()


class FirstSeen(NamedTuple):
    """The first moment of each device, in milliseconds since 1970."""

    devices: BitMap
    #: The numbers of the devices, ascending, and the moment of each.
    numbers: Numbers
    moments: Moments

    @classmethod
    def from_occurrences(cls, devices: BitMap, numbers: Numbers, moments: Moments) -> "FirstSeen":
        """Find the first moment of each device among all of its moments; `devices` are those that have any."""
        ascending = numbers_of(devices)
        if not len(ascending):
            return cls(devices, ascending, np.empty(0, np.int64))
        # Only the places of present devices are ever written or read, which may be few of very many.
        first = np.empty(int(ascending[-1]) + 1, np.int64)
        # Some moment of each; few others are earlier when the latest come first, and only these are compared.
        first[numbers] = moments
        (earlier,) = np.nonzero(moments < first[numbers])
        np.minimum.at(first, numbers[earlier].astype(np.intp), moments[earlier])
        return cls(devices, ascending, first[ascending])

    def in_both(self, other: "FirstSeen") -> tuple[Moments, Moments]:
        """Return the moments of the devices that are in both: those here, and those of the other."""
        both = numbers_of(self.devices & other.devices)
        return self.at(both), other.at(both)

    def only(self, devices: BitMap) -> "FirstSeen":
        """Return the first moments of those of the devices that are here."""
        chosen = self.devices & devices
        numbers = numbers_of(chosen)
        return FirstSeen(chosen, numbers, self.at(numbers))

    def at(self, numbers: Numbers) -> Moments:
        """Return the first moments of devices, each of which must be here; their numbers ascend."""
        if len(numbers) in {0, len(self.numbers)}:
            return self.moments[: len(numbers)]
        first = np.empty(int(self.numbers[-1]) + 1, np.int64)
        first[self.numbers] = self.moments
        return first[numbers]


_NEVER_SEEN = FirstSeen(BitMap(), np.empty(0, np.uint32), np.empty(0, np.int64))


class LeastTimes:
    """Rollups with times of their day, which add up to the least time of each device."""

    def __init__(self) -> None:
        self._sets: list[BitMap] = []
        self._day_starts: list[int] = []
        self._times: list[Numbers] = []

    def add(self, day_start_ms: int, rollup: Rollup) -> None:
        """Add a rollup with times; days in ascending order are the fastest."""
        if rollup.devices and rollup.times is not None:
            self._sets.append(rollup.devices)
            self._day_starts.append(day_start_ms)
            self._times.append(rollup.times)

    def first(self) -> FirstSeen:
        """Return the first moment of each device."""
        if not self._sets:
            return _NEVER_SEEN
        sets, times = self._sets[::-1], self._times[::-1]
        day_starts = np.repeat(np.array(self._day_starts[::-1], np.int64), [len(of_rollup) for of_rollup in times])
        return FirstSeen.from_occurrences(
            BitMap.union(*sets),
            np.frombuffer(b"".join([devices.to_array() for devices in sets]), np.uint32),
            day_starts + np.concatenate(times),
        )


def earliest(groups: Sequence[FirstSeen]) -> FirstSeen:
    """Return the first moments over several groups of devices, which may overlap."""
    if len(groups) == 1:
        return groups[0]
    if not groups:
        return _NEVER_SEEN
    return FirstSeen.from_occurrences(
        BitMap.union(*(group.devices for group in groups)),
        np.concatenate([group.numbers for group in groups]),
        np.concatenate([group.moments for group in groups]),
    )
