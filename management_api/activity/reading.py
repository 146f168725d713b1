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
    statement = f"SELECT {columns} FROM activity_cells WHERE {' AND '.join(conditions)} {tail}"  # noqa: S608 - all of it is ours, values apart
    with driver_connection(session).cursor(binary=True) as cursor:
        yield from cursor.execute(statement.encode(), values)


def united(sets: Sequence[bytes]) -> BitMap:
    """Give the devices that are in any of the sets, as they are stored."""
    return BitMap.union(*map(BitMap.deserialize, sets)) if sets else BitMap()


class FirstMoments:
    """The first moment of each device, in milliseconds from 1970 on, over any number of cells."""

    def __init__(self) -> None:
        self.pieces: list[tuple[Numbers, NDArray[np.int64]]] = []

    def add(self, day_start_ms: int, devices: BitMap, moments: bytes) -> None:
        """Add the devices of a cell, with their first moments of its day."""
        if devices:
            self.pieces.append((numbers_of(devices), np.frombuffer(moments, "<u4") + np.int64(day_start_ms)))

    def include(self, other: "FirstMoments") -> None:
        """Add the cells that others have."""
        self.pieces += other.pieces

    def until(self, later: "FirstMoments") -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Give the moments of those that have one here and there: the one here, and the one there."""
        size = 1 + max((int(numbers[-1]) for numbers, _ in self.pieces + later.pieces), default=0)
        here, there = self._by_number(size), later._by_number(size)  # noqa: SLF001 - another of its kind
        both = (here != NEVER) & (there != NEVER)
        return here[both], there[both]

    def _by_number(self, size: int) -> NDArray[np.int64]:
        first = np.full(size, NEVER, np.int64)
        if self.pieces:
            numbers = np.concatenate([numbers for numbers, _ in self.pieces]).astype(np.intp)
            np.minimum.at(first, numbers, np.concatenate([moments for _, moments in self.pieces]))
        return first
