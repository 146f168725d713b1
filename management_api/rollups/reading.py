"""Reads rollups for analytics, and adds up sets of devices and their first moments.

A damaged row is left out, and logged once by each process. `onboarding analytics recompute` repairs it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from management_api.rollups.rollup import DAY_MS, Breakdown, Numbers, Rollup, numbers_of
from management_api.rollups.storage import table_of

log = structlog.stdlib.get_logger(__name__)

#: Rows are received in portions of this size, so that few are in memory at once. Those with times are three times as
#: large.
_BATCH_ROWS, _BATCH_ROWS_WITH_TIMES = 10, 3
#: So many sets, or so many devices in them, wait to be united at once, which is faster than one by one.
_WAITING_SETS, _WAITING_DEVICES = 1000, 1_000_000
#: So many times wait to be added at once. numpy takes microseconds for each call, which is more than a small day takes.
_WAITING_TIMES = 200_000
#: The milliseconds of so many days fit into 32 bits.
_PORTION_DAYS = 2**32 // DAY_MS

Moments = NDArray[np.int64]
_NEVER = np.iinfo(np.int64).max


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

    Rollups come in the order of the columns, so that those with the same values follow each other. A rollup may come in
    several rows. Of a filter's column any of the values matches. Rows that are covered are left out: PostgreSQL looks
    at their ids only. The breakdowns are of one table.

    Rows are a stream in psycopg's binary format, which is three times as fast for sets of devices as the text format
    that SQLAlchemy uses. The connection can execute no other statement until the last row is read.
    """
    moments = sql.Identifier("moments") if with_times else sql.NULL
    size = _BATCH_ROWS_WITH_TIMES if with_times else _BATCH_ROWS
    names = map(sql.Identifier, ("id", "events", "devices", *columns))
    table = table_of(breakdowns[0])
    statement = sql.SQL("SELECT {columns} FROM {table} WHERE {conditions}{order}").format(
        table=sql.Identifier(table),
        columns=sql.SQL(", ").join([moments, *names]),
        conditions=sql.SQL(" AND ").join(
            [
                sql.SQL("project_id = %s AND breakdown = ANY(%s) AND day BETWEEN %s AND %s"),
                *(sql.SQL("{} = ANY(%s)").format(sql.Identifier(column)) for column in filters),
                *([] if days.covered is None else [sql.SQL("(day >= %s OR id > %s)")]),
            ]
        ),
        order=sql.SQL(" ORDER BY {}").format(sql.SQL(", ").join(map(sql.Identifier, columns)))
        if columns
        else sql.SQL(""),
    )
    values = [
        project_id,
        [breakdown.value for breakdown in breakdowns],
        days.first,
        days.last,
        *map(list, filters.values()),
        *(days.covered or ()),
    ]
    with driver_connection(session).cursor() as cursor:
        for times, row_id, events, devices, *key in cursor.stream(statement, values, binary=True, size=size):
            try:
                rollup = Rollup.from_row(events, devices, times)
            except ValueError as error:
                log_damaged_row(project_id, table, row_id, str(error))
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


class DeviceUnion:
    """The devices of all sets that are added."""

    __slots__ = ("_devices", "_sets", "_waiting")

    def __init__(self) -> None:
        self._devices = BitMap()
        self._sets: list[BitMap] = []
        self._waiting = 0

    def add(self, devices: BitMap) -> None:
        """Add a set, which must not change afterwards."""
        self._sets.append(devices)
        self._waiting += len(devices)
        if len(self._sets) >= _WAITING_SETS or self._waiting >= _WAITING_DEVICES:
            self.devices()

    def devices(self) -> BitMap:
        """Return the devices that are in any of the sets."""
        if self._sets:
            self._devices = BitMap.union(self._devices, *self._sets)
            self._sets, self._waiting = [], 0
        return self._devices


class FirstSeen(NamedTuple):
    """The first moment of each device, in milliseconds since 1970."""

    devices: BitMap
    #: The numbers of the devices, ascending, and the moment of each.
    numbers: Numbers
    moments: Moments

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
        if len(numbers) == len(self.numbers):
            return self.moments
        return self.moments[np.searchsorted(self.numbers, numbers)]


class FirstMoments:
    """The first moment of each device, by rollups with times that come in the order of their days, each with its day.

    Days count from 1970-01-01. A device that was seen on an earlier day takes no memory again. `seen` has all devices.
    Those that are not `wanted` have no moment, nor have devices that were seen before the day `since`.
    """

    def __init__(
        self, rollups: Iterable[tuple[int, Rollup]] = (), *, wanted: BitMap | None = None, since: int = 0
    ) -> None:
        self.seen = BitMap()
        #: The new devices of some days, the first of these days, and the milliseconds from its start on.
        self._portions: list[tuple[BitMap, int, Numbers]] = []
        for portion in _portions(rollups, since):
            devices = union([rollup.devices for _, rollup in portion])
            new = devices - self.seen
            self.seen |= new
            if wanted is not None:
                new &= wanted
            first_day = portion[0][0]
            if new and first_day >= since:
                new.shrink_to_fit()
                self._portions.append((new, first_day, _times_of(new, devices, _least_times(devices, portion))))

    def devices(self) -> BitMap:
        """Return the devices that have a moment."""
        return union([new for new, _, _ in self._portions])

    def first(self, chosen: BitMap | None = None) -> FirstSeen:
        """Return the first moment of each device, or of the chosen ones that have any."""
        devices = self.devices()
        return _earliest(devices if chosen is None else devices & chosen, self._of_portions(chosen))

    def _of_portions(self, chosen: BitMap | None) -> Iterator[FirstSeen]:
        for new, day, times in self._portions:
            devices = new if chosen is None else new & chosen
            moments = day * DAY_MS + _times_of(devices, new, times).astype(np.int64)
            yield FirstSeen(devices, numbers_of(devices), moments)


def _portions(rollups: Iterable[tuple[int, Rollup]], since: int) -> Iterator[list[tuple[int, Rollup]]]:
    """Divide rollups with times into portions of whole days, either before `since` or from then on."""
    portion: list[tuple[int, Rollup]] = []
    waiting = 0
    for day, rollup in rollups:
        if rollup.times is None:
            continue
        if portion and day > portion[-1][0]:
            first_day = portion[0][0]
            if waiting >= _WAITING_TIMES or day - first_day >= _PORTION_DAYS or first_day < since <= day:
                yield portion
                portion, waiting = [], 0
        portion.append((day, rollup))
        waiting += len(rollup.times)
    if portion:
        yield portion


def _least_times(devices: BitMap, portion: Sequence[tuple[int, Rollup]]) -> Numbers:
    """Return the least time of each device of a portion, from the start of its first day on."""
    first_day = portion[0][0]
    times = [rollup.times for _, rollup in portion if rollup.times is not None]
    starts = np.array([(day - first_day) * DAY_MS for day, _ in portion], np.uint32)
    moments = np.concatenate(times) + np.repeat(starts, [len(of_rollup) for of_rollup in times])
    if len(moments) == len(devices) and len(portion) == 1:
        return moments
    numbers = np.concatenate([numbers_of(rollup.devices) for _, rollup in portion])
    least = np.full(len(devices), np.iinfo(np.uint32).max, np.uint32)
    np.minimum.at(least, np.searchsorted(numbers_of(devices), numbers), moments)
    return least


def _times_of(chosen: BitMap, devices: BitMap, times: Numbers) -> Numbers:
    """Return the times of some of the devices."""
    if len(chosen) == len(times) or not chosen:
        return times[: len(chosen)]
    first, end = devices.rank(chosen.min()) - 1, devices.rank(chosen.max())
    between = devices if end - first == len(devices) else devices[first:end]
    return times[first:end][np.searchsorted(numbers_of(between), numbers_of(chosen))]


def earliest(groups: Sequence[FirstSeen]) -> FirstSeen:
    """Return the first moments over several groups of devices, which may overlap."""
    if len(groups) == 1:
        return groups[0]
    return _earliest(union([group.devices for group in groups]), groups)


def _earliest(devices: BitMap, groups: Iterable[FirstSeen]) -> FirstSeen:
    """Return the first moments of the devices of all groups. One group at a time is read."""
    numbers = numbers_of(devices)
    moments = np.full(len(numbers), _NEVER, np.int64)
    for group in groups:
        places = np.searchsorted(numbers, group.numbers)
        moments[places] = np.minimum(moments[places], group.moments)
    return FirstSeen(devices, numbers, moments)
