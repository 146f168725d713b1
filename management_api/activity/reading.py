"""Reads cells for the statistics: only the columns that are asked for, of one breakdown and a run of days."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap
from sqlalchemy.orm import Session

from management_api.activity.breakdowns import Breakdown
from management_api.activity.cells import Numbers, numbers_of
from management_api.database.driver import driver_connection

#: Later than every moment, in milliseconds.
NEVER = np.iinfo(np.int64).max

#: Cells become Python objects by so many at a time, which is quicker than one by one.
ROWS_AT_ONCE = 500

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


def united(sets: Sequence[bytes]) -> BitMap:
    """Give the devices that are in any of the sets, as they are stored."""
    return BitMap.union(*map(BitMap.deserialize, sets)) if sets else BitMap()


class FirstMoments:
    """The first moment of each device, in milliseconds from 1970 on, over any number of cells."""

    def __init__(self) -> None:
        self._devices = BitMap()
        #: What is still to be united with the devices, all of it at once.
        self._sets: list[BitMap] = []
        self._pieces: list[tuple[Numbers, NDArray[np.int64]]] = []

    @property
    def devices(self) -> BitMap:
        """The devices of all cells."""
        if self._sets:
            self._devices = BitMap.union(self._devices, *self._sets)
            self._sets.clear()
        return self._devices

    def add(self, day_start_ms: int, devices: BitMap, moments: bytes) -> None:
        """Add the devices of a cell, with their first moments of its day."""
        if devices:
            self._sets.append(devices)
            self._pieces.append((numbers_of(devices), np.frombuffer(moments, "<u4") + np.int64(day_start_ms)))

    def include(self, other: "FirstMoments") -> None:
        """Add the cells that others have."""
        self._sets.append(other.devices)
        self._pieces += other._pieces  # noqa: SLF001 - another of its kind

    def until(self, later: "FirstMoments") -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give the moments of those that have one here and there: the one here, and the one there."""
        both = numbers_of(self.devices & later.devices)
        return self._of(both), later._of(both)  # noqa: SLF001 - another of its kind

    def _of(self, wanted: Numbers) -> NDArray[np.int64]:
        """Give the first moments of devices, each of which is here."""
        if not len(wanted):
            return np.empty(0, np.int64)
        numbers = np.concatenate([numbers for numbers, _ in self._pieces]).astype(np.intp)
        # Only what belongs to devices that are here is ever written or read, which may be few of very many.
        first = np.empty(int(self.devices.max()) + 1, np.int64)
        first[numbers] = NEVER
        np.minimum.at(first, numbers, np.concatenate([moments for _, moments in self._pieces]))
        return first[wanted]
