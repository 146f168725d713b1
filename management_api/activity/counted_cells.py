"""Cells whose devices have no numbers yet: what can be made of them before, so that the rest is quickly done."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from management_api.activity.cells import Cell, CellKey, first_moments
from management_api.activity.steps import Steps

#: The devices of events, and if the cell keeps moments, the millisecond of the day of each.
Sightings = tuple[list[int], list[int] | None]
#: A cell's key, how many events it has, and where its devices end among those of all cells.
_Counted = tuple[CellKey, int, int]

#: So many are made in one step.
_STEP_CELLS = 32


class CountedCells:
    """The cells of one project. It never changes."""

    __slots__ = ("_cell_of", "_cells", "_moments", "_places")

    def __init__(
        self, timed: Sequence[_Counted], others: Sequence[_Counted], places: "array[int]", first_ones: "array[int]"
    ) -> None:
        #: Those that keep moments come first.
        self._cells = [*timed, *others]
        self._places = np.array(places, np.intp)
        self._moments = np.array(first_ones, np.uint32)
        ends = np.array([0, *(end for _, _, end in timed)], np.intp)
        cell_numbers = np.arange(len(timed), dtype=np.uint64) << np.uint64(32)
        #: Sorts the devices of each cell that keeps moments, once they are numbers.
        self._cell_of: NDArray[np.uint64] = np.repeat(cell_numbers, ends[1:] - ends[:-1])

    @classmethod
    def making(cls, sightings: Mapping[CellKey, Sightings]) -> Steps[Self]:
        """Count sightings by places."""
        places, first_ones = array("I"), array("I")
        timed: list[_Counted] = []
        for key, (devices, moments) in sightings.items():
            if moments is not None:
                first = first_moments(devices, moments)
                places.extend(first)
                first_ones.extend(first.values())
                timed.append((key, len(devices), len(places)))
                if len(timed) % _STEP_CELLS == 0:
                    yield
        others: list[_Counted] = []
        for key, (devices, moments) in sightings.items():
            if moments is None:
                places.extend(set(devices))
                others.append((key, len(devices), len(places)))
                if len(others) % _STEP_CELLS == 0:
                    yield
        return cls(timed, others, places, first_ones)

    def cells(self, numbers: NDArray[np.uint32]) -> Iterator[tuple[CellKey, Cell]]:
        """Give the cells, given the number of the device at each place."""
        devices = numbers[self._places]
        timed = len(self._moments)
        order = np.argsort(self._cell_of + devices[:timed])
        devices[:timed] = devices[:timed][order]
        moments = self._moments[order]
        # This is what a bitmap is made of most quickly.
        flat = array("I", devices.tobytes())
        start = 0
        for key, events, end in self._cells:
            yield key, Cell(events, BitMap(flat[start:end]), moments[start:end] if end <= timed else None)
            start = end
