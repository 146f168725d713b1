"""Rollups of activity: their breakdowns, and the counts and devices of one."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

# By what activity is counted: the breakdowns, the columns that each tells apart, and the moments that are kept.
# A question is answered from the coarsest breakdown that has all of its columns; FULL has all there are.


class Breakdown(StrEnum):
    """A way in which the events of a day are divided into cells."""

    # Cells are looked up by it all the time, and an enumeration's own hash is made by Python code.
    __hash__ = str.__hash__

    ALL = "all"
    FLOW = "flow"
    SCREEN = "screen"
    VARIANT = "variant"
    PLATFORM = "platform"
    FULL = "full"
    #: Exposures, which are no events, by flow.
    EXPOSURE = "exposure"
    #: Starts and completions by flow, of all days together.
    ALL_TIME = "ever"
    #: For the results of experiments: by type, with the *last* moment of each device. In a table of their own, because
    #: the release before cannot read cells of a breakdown that it does not have.
    TYPE = "type"


#: The columns of the key of a cell, besides project, breakdown and day.
KEY_COLUMNS = ("event_type", "flow_id", "screen_id", "experiment_id", "variant", "platform")

#: The columns that a breakdown of events tells apart, the coarsest first.
_COLUMNS: Mapping[Breakdown, AbstractSet[str]] = {
    Breakdown.ALL: frozenset(),
    Breakdown.PLATFORM: frozenset({"platform"}),
    Breakdown.VARIANT: frozenset({"experiment_id", "variant"}),
    Breakdown.FLOW: frozenset({"event_type", "flow_id"}),
    Breakdown.SCREEN: frozenset({"event_type", "screen_id"}),
    Breakdown.FULL: frozenset(KEY_COLUMNS),
}

#: The tables of cells; each breakdown has its cells in one of them.
ACTIVITY_CELLS, RESULT_CELLS = "activity_cells", "result_cells"
CELL_TABLES = (ACTIVITY_CELLS, RESULT_CELLS)


def table_of(breakdown: Breakdown) -> str:
    """Return the table that has the cells of a breakdown."""
    return RESULT_CELLS if breakdown is Breakdown.TYPE else ACTIVITY_CELLS


STARTED, COMPLETED = "flow_started", "flow_completed"
VIEWED, SCREEN_COMPLETED = "screen_viewed", "screen_completed"
#: The events of which each device's first moment on each day is kept: by flow, and by screen.
JOURNEY_TYPES = frozenset({STARTED, COMPLETED})
VISIT_TYPES = frozenset({VIEWED, SCREEN_COMPLETED})


def breakdown_with(columns: AbstractSet[str]) -> Breakdown:
    """Give the coarsest breakdown of events that tells these columns apart."""
    return next(breakdown for breakdown, known in _COLUMNS.items() if columns <= known)


# Cells of activity: how many events of one kind there were on a day, of which devices, and when first of each.
# Cells of one key are added up in any order, with the same result: events are summed, devices united, and of moments
# the earliest stays. So a cell is stored in as many pieces as there were transactions, and merged when there is time.

#: Milliseconds of a day fit; little-endian wherever it is read.
_MOMENT = np.dtype("<u4")

Numbers = NDArray[np.uint32]


class CellKey(NamedTuple):
    """What a cell is of. `day` counts from 1970-01-01, None is all days; a column that is not told apart is None."""

    breakdown: Breakdown
    day: int | None
    event_type: str | None = None
    flow_id: str | None = None
    screen_id: str | None = None
    experiment_id: str | None = None
    variant: str | None = None
    platform: str | None = None


@dataclass(slots=True)
class Cell:
    """`devices` are numbers; `moments` have for each of them, in ascending order, the first millisecond of the day."""

    events: int = 0
    devices: BitMap = field(default_factory=BitMap)
    moments: Numbers | None = None

    @classmethod
    def of(cls, numbers: Sequence[int], moments: Sequence[int] | None) -> "Cell":
        """Count events, given the device of each and its moment, if moments are kept."""
        devices = BitMap(numbers)
        if moments is None:
            return cls(len(numbers), devices)
        first = first_moments(numbers, moments)
        return cls(len(numbers), devices, np.array([first[number] for number in devices], np.uint32))

    @classmethod
    def stored(cls, events: int, devices: bytes, moments: bytes | None) -> "Cell":
        """Read a cell from its columns."""
        return cls(events, BitMap.deserialize(devices), None if moments is None else np.frombuffer(moments, _MOMENT))

    def columns(self) -> tuple[int, bytes, bytes | None]:
        """Give events, devices and moments as they are stored."""
        moments = None if self.moments is None else self.moments.astype(_MOMENT, copy=False).tobytes()
        return self.events, self.devices.serialize(), moments

    def without(self, number: int) -> "Cell":
        """Leave out a device; its events stay."""
        moments = self.moments
        if moments is not None and number in self.devices:
            moments = np.delete(moments, self.devices.rank(number) - 1)
        return Cell(self.events, self.devices - BitMap([number]), moments)

    def __eq__(self, other: object) -> bool:
        """Compare what the cells say."""
        return (
            isinstance(other, Cell)
            and (self.events, self.devices) == (other.events, other.devices)
            and (self.moments is None) == (other.moments is None)
            and (self.moments is None or other.moments is None or np.array_equal(self.moments, other.moments))
        )

    __hash__ = None  # type: ignore[assignment]  # two cells may be equal now and differ later


def first_moments(devices: Sequence[int], moments: Sequence[int]) -> dict[int, int]:
    """Give the first moment of each device, in the order in which they appear."""
    first: dict[int, int] = {}
    for device, moment in zip(devices, moments, strict=True):
        if moment < first.get(device, moment + 1):
            first[device] = moment
    return first


def merged(cells: Sequence[Cell]) -> Cell:
    """Add up cells of one key."""
    if len(cells) == 1:
        return cells[0]
    devices = BitMap.union(*(cell.devices for cell in cells))
    events = sum(cell.events for cell in cells)
    if all(cell.moments is None for cell in cells):
        return Cell(events, devices)
    numbers, moments = _joined(cells)
    order = np.lexsort((moments, numbers))
    _, first = np.unique(numbers[order], return_index=True)
    return Cell(events, devices, moments[order][first])


def numbers_of(devices: BitMap) -> Numbers:
    """Give the numbers of devices as an array, ascending."""
    return np.asarray(devices.to_array(), np.uint32)


def _joined(cells: Iterable[Cell]) -> tuple[Numbers, Numbers]:
    pairs = [(numbers_of(cell.devices), cell.moments) for cell in cells if cell.moments is not None]
    return np.concatenate([numbers for numbers, _ in pairs]), np.concatenate([moments for _, moments in pairs])
