"""Reads cells for the statistics: only the columns that are asked for, of one breakdown and a run of days."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap
from sqlalchemy.orm import Session

from management_api.db.psycopg_connection import driver_connection
from management_api.rollups.rollup import Breakdown, Numbers, numbers_of

#: How the moments of a cell are stored.
_MOMENT = np.dtype("<u4")

#: Cells become Python objects by so many at a time, which is quicker than one by one.
ROWS_AT_ONCE = 500

Moments = NDArray[np.int64]
Days = tuple[date | None, date]
#: A value, or any of several.
Filters = Mapping[str, str | Sequence[str]]


def cell_rows(
    session: Session,
    columns: str,
    project_id: str,
    breakdowns: Sequence[Breakdown],
    days: Days | None,
    filters: Filters | None = None,
    tail: str = "",
) -> Iterator[tuple[Any, ...]]:
    """Give columns, in words of SQL, of the cells of breakdowns and days (None: without a beginning; all).

    Cells may come in pieces. `tail` is what follows the conditions.
    """
    conditions = ["project_id = %s", "breakdown = ANY(%s)"]
    values: list[object] = [project_id, [breakdown.value for breakdown in breakdowns]]
    if days is not None:
        first, last = days
        conditions.append("day BETWEEN %s AND %s" if first else "day <= %s")
        values += [first, last] if first else [last]
    for column, value in (filters or {}).items():
        conditions.append(f"{column} = %s" if isinstance(value, str) else f"{column} = ANY(%s)")
        values.append(value if isinstance(value, str) else list(value))
    statement = f"SELECT {columns} FROM activity_cells WHERE {' AND '.join(conditions)} {tail}"  # noqa: S608 - all of it is ours, values apart # nosec B608 # as said
    with driver_connection(session).cursor(binary=True) as cursor:
        cursor.execute(statement.encode(), values)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows


def union(sets: Sequence[bytes]) -> BitMap:
    """Give the devices that are in any of the sets, as they are stored."""
    return BitMap.union(*map(BitMap.deserialize, sets)) if sets else BitMap()


class FirstSeen(NamedTuple):
    """The first moment of each of some devices, in milliseconds from 1970 on."""

    devices: BitMap
    #: The numbers of the devices, ascending, and the moment of each.
    numbers: Numbers
    moments: Moments

    @classmethod
    def of(cls, devices: BitMap, numbers: Numbers, moments: Moments) -> "FirstSeen":
        """Find the first moment of each device among all of its moments; `devices` are those that have any."""
        wanted = numbers_of(devices)
        if not len(wanted):
            return cls(devices, wanted, np.empty(0, np.int64))
        # Only what belongs to devices that are here is ever written or read, which may be few of very many.
        first = np.empty(int(wanted[-1]) + 1, np.int64)
        # Some moment of each; there are few earlier ones when the latest come first, and only these are compared.
        first[numbers] = moments
        (earlier,) = np.nonzero(moments < first[numbers])
        np.minimum.at(first, numbers[earlier].astype(np.intp), moments[earlier])
        return cls(devices, wanted, first[wanted])

    def until(self, later: "FirstSeen") -> tuple[Moments, Moments]:
        """Give the moments of those that have one here and there: the one here, and the one there."""
        both = numbers_of(self.devices & later.devices)
        return self.at(both), later.at(both)

    def at(self, wanted: Numbers) -> Moments:
        """Give the first moments of devices, each of which is here; their numbers ascend."""
        if len(wanted) in {0, len(self.numbers)}:
            return self.moments[: len(wanted)]
        first = np.empty(int(self.numbers[-1]) + 1, np.int64)
        first[self.numbers] = self.moments
        return first[wanted]


class DailyFirstSeen:
    """Cells that are added up to the first moment of each of their devices."""

    def __init__(self) -> None:
        self._sets: list[BitMap] = []
        self._day_starts: list[int] = []
        self._moments: list[bytes] = []

    def add(self, day_start_ms: int, devices: BitMap, moments: bytes) -> None:
        """Add the devices of a cell, with their first moments of its day; quickest if days come in ascending order."""
        if devices:
            self._sets.append(devices)
            self._day_starts.append(day_start_ms)
            self._moments.append(moments)

    def first(self) -> FirstSeen:
        """Add up."""
        if not self._sets:
            return FirstSeen.of(BitMap(), np.empty(0, np.uint32), np.empty(0, np.int64))
        sets, moments = self._sets[::-1], self._moments[::-1]
        lengths = [len(piece) // _MOMENT.itemsize for piece in moments]
        day_starts = np.repeat(np.array(self._day_starts[::-1], np.int64), lengths)
        return FirstSeen.of(
            BitMap.union(*sets),
            np.frombuffer(b"".join([devices.to_array() for devices in sets]), np.uint32),
            day_starts + np.frombuffer(b"".join(moments), _MOMENT).astype(np.int64),
        )


def earliest(parts: Sequence[FirstSeen]) -> FirstSeen:
    """Give the first moments over several sets of devices, which may overlap."""
    if len(parts) == 1:
        return parts[0]
    return FirstSeen.of(
        BitMap.union(*(part.devices for part in parts)),
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.moments for part in parts]),
    )
