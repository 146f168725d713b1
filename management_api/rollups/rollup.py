"""Rollups: events of one kind on one day as a count, a set of devices and, for some, a time of each device.

A rollup is stored as deltas, one for each time that new events were counted, which compaction merges. Deltas of one
key combine in any order with the same result: events are added, devices united, and the least time stays.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

DAY_MS = 86_400_000

#: The storage format of times: milliseconds of a day fit.
_MOMENT = np.dtype("<u4")

Numbers = NDArray[np.uint32]


class Breakdown(StrEnum):
    """The columns by which the events of a day are divided into rollups. The values are stored."""

    # The counter looks keys up for every event, and an enumeration's own hash is Python code.
    __hash__ = str.__hash__

    ALL = "all"
    FLOW = "flow"
    SCREEN = "screen"
    VARIANT = "variant"
    PLATFORM = "platform"
    #: By all columns.
    FULL = "full"
    #: Exposures, which are no events, by flow.
    EXPOSURE = "exposure"
    #: Starts and completions by flow, of all days together.
    ALL_TIME = "ever"
    #: For the results of experiments: by type, with the *last* time of each device. In a table of their own
    #: (`result_cells`).
    TYPE = "type"
    #: Views of a screen by the screen before it and the rule between them. In a table of their own (`link_cells`).
    LINK = "link"
    #: By type, flow and language. In a table of their own (`locale_cells`).
    LOCALE = "locale"


#: The columns of the key of a rollup, besides project, breakdown and day.
KEY_COLUMNS = (
    "event_type", "flow_id", "screen_id", "experiment_id", "variant", "platform", "from_screen_id", "rule",
    "locale",
)  # fmt: skip
#: The columns that say how a path led to a screen (`rollups/event_keys.py`).
LINK_COLUMNS = frozenset({"from_screen_id", "rule"})

#: The values of these columns in an event.
EventKey = tuple[str, str | None, str | None, str | None, str | None, str | None, str | None, str | None, str | None]

#: Stands for all names beyond a limit.
OTHER = "(other)"

#: The columns of each breakdown of events, the coarsest first.
_COLUMNS: Mapping[Breakdown, AbstractSet[str]] = {
    Breakdown.ALL: frozenset(),
    Breakdown.PLATFORM: frozenset({"platform"}),
    Breakdown.VARIANT: frozenset({"experiment_id", "variant"}),
    Breakdown.FLOW: frozenset({"event_type", "flow_id"}),
    Breakdown.SCREEN: frozenset({"event_type", "screen_id"}),
    Breakdown.FULL: frozenset(KEY_COLUMNS) - LINK_COLUMNS - {"locale"},
    Breakdown.LOCALE: frozenset({"event_type", "flow_id", "locale"}),
}

#: The columns that can be combined with the language.
LOCALE_COLUMNS = _COLUMNS[Breakdown.LOCALE]

STARTED, COMPLETED = "flow_started", "flow_completed"
VIEWED, SCREEN_COMPLETED = "screen_viewed", "screen_completed"
#: The events whose rollups by flow, and by screen, keep when each device was first seen.
FLOW_TYPES = frozenset({STARTED, COMPLETED})
SCREEN_TYPES = frozenset({VIEWED, SCREEN_COMPLETED})


def breakdown_with(columns: AbstractSet[str]) -> Breakdown:
    """Return the coarsest breakdown of events that has these columns. Few go with `locale` (`LOCALE_COLUMNS`)."""
    return next(breakdown for breakdown, known in _COLUMNS.items() if columns <= known)


class RollupKey(NamedTuple):
    """The key of a rollup in its project. `day` counts from 1970-01-01; None where all days are counted together.

    A column that the breakdown does not have is None.
    """

    breakdown: Breakdown
    day: int | None
    event_type: str | None = None
    flow_id: str | None = None
    screen_id: str | None = None
    experiment_id: str | None = None
    variant: str | None = None
    platform: str | None = None
    from_screen_id: str | None = None
    rule: str | None = None
    locale: str | None = None

    @property
    def keeps_times(self) -> bool:
        """Whether the rollup keeps times: where the statistics need the time between events."""
        match self.breakdown:
            case Breakdown.TYPE | Breakdown.LINK:
                return True
            case Breakdown.FLOW:
                return self.flow_id is not None and self.event_type in FLOW_TYPES
            case Breakdown.SCREEN:
                return self.screen_id is not None and self.event_type in SCREEN_TYPES
            case Breakdown.FULL:
                return None not in {self.screen_id, self.experiment_id} and self.event_type in SCREEN_TYPES
            case _:
                return False


@dataclass(slots=True)
class Rollup:
    """A rollup, or a delta of one.

    `devices` has the numbers of devices. `times` has the first millisecond of the day of each device, in ascending
    order of the numbers. With the breakdown TYPE it has the last one, counted back from the end of the day.
    """

    events: int = 0
    devices: BitMap = field(default_factory=BitMap)
    times: Numbers | None = None

    @classmethod
    def from_occurrences(cls, numbers: Sequence[int], moments: Sequence[int] | None) -> "Rollup":
        """Count events, given the device of each and its millisecond, if times are kept.

        An event of NO_DEVICE adds no device.
        """
        found = np.array(numbers, np.int64)
        known = found >= 0
        if moments is None:
            return cls(len(numbers), set_of(found[known]))
        of_known, times = found[known], np.array(moments, np.uint32)[known]
        order = np.lexsort((times, of_known))
        devices, first = np.unique(of_known[order], return_index=True)
        return cls(len(numbers), set_of(devices), times[order][first])

    @classmethod
    def from_row(cls, events: int, devices: bytes, moments: bytes | None) -> "Rollup":
        """Read a rollup from its columns. Raises ValueError for damaged ones."""
        if not devices:
            raise ValueError("The set of devices is empty bytes")
        numbers = BitMap.deserialize(devices)
        times = None if moments is None else np.frombuffer(moments, _MOMENT)
        if times is not None and len(times) != len(numbers):
            raise ValueError(f"{len(numbers)} devices have {len(times)} times")
        return cls(events, numbers, times)

    def to_row(self) -> tuple[int, bytes, bytes | None]:
        """Return the columns: events, devices and moments."""
        moments = None if self.times is None else self.times.astype(_MOMENT, copy=False).tobytes()
        return self.events, self.devices.serialize(), moments

    def without(self, numbers: BitMap) -> "Rollup":
        """Return the rollup without some devices; their events stay."""
        times = self.times
        if times is not None:
            gone = [self.devices.rank(number) - 1 for number in self.devices & numbers]
            times = np.delete(times, gone)
        return Rollup(self.events, self.devices - numbers, times)

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same events, devices and times."""
        return (
            isinstance(other, Rollup)
            and (self.events, self.devices) == (other.events, other.devices)
            and (self.times is None) == (other.times is None)
            and (self.times is None or other.times is None or np.array_equal(self.times, other.times))
        )

    __hash__ = None  # type: ignore[assignment]  # a rollup can change


def combine(rollups: Sequence[Rollup]) -> Rollup:
    """Return the sum of deltas of one key."""
    if len(rollups) == 1:
        return rollups[0]
    devices = BitMap.union(*(rollup.devices for rollup in rollups))
    events = sum(rollup.events for rollup in rollups)
    timed = [(numbers_of(rollup.devices), rollup.times) for rollup in rollups if rollup.times is not None]
    if not timed:
        return Rollup(events, devices)
    numbers = np.concatenate([numbers for numbers, _ in timed])
    moments = np.concatenate([moments for _, moments in timed])
    order = np.lexsort((moments, numbers))
    _, first = np.unique(numbers[order], return_index=True)
    return Rollup(events, devices, moments[order][first])


def numbers_of(devices: BitMap) -> Numbers:
    """Return the numbers of devices as an array, ascending."""
    return np.asarray(devices.to_array(), np.uint32)


def set_of(numbers: NDArray[np.integer[Any]]) -> BitMap:
    """Return the devices of an array of numbers. BitMap reads an array of this type four times as fast as numpy's."""
    return BitMap(array("I", numbers.astype(np.uint32, copy=False).tobytes()))


#: The number of an event whose device is not counted, because the device was erased after the event was stored.
NO_DEVICE = -1

#: The device of each event, and the millisecond of its day.
_Occurrences = tuple[list[int], list[int]]


class RollupCounter:
    """Counts events and exposures of one project: new ones, and in a rebuild or an erasure stored ones.

    The caller adds each event once.
    """

    def __init__(self) -> None:
        self._events: defaultdict[tuple[int, EventKey], _Occurrences] = defaultdict(lambda: ([], []))
        self._exposures: defaultdict[tuple[int, str], list[int]] = defaultdict(list)

    def add_event(self, device_no: int, occurred_at_ms: int, key: EventKey) -> None:
        """Count an event of the device of that number."""
        day, moment = divmod(occurred_at_ms, DAY_MS)
        devices, moments = self._events[day, key]
        devices.append(device_no)
        moments.append(moment)

    def add_exposure(self, device_no: int, day: int, flow_id: str) -> None:
        """Count an exposure of the device of that number."""
        self._exposures[day, flow_id].append(device_no)

    def rollups(self) -> Iterator[tuple[RollupKey, Rollup]]:
        """Return the rollups of all breakdowns by day."""
        found: defaultdict[RollupKey, _Occurrences] = defaultdict(lambda: ([], []))
        for (day, event_key), (devices, moments) in self._events.items():
            for key in _keys_of(day, event_key):
                occurrences = found[key]
                occurrences[0].extend(devices)
                occurrences[1].extend(moments)
        for key, (devices, moments) in found.items():
            yield key, Rollup.from_occurrences(devices, _kept_moments(key, moments))
        for (day, flow_id), devices in self._exposures.items():
            yield RollupKey(Breakdown.EXPOSURE, day, None, flow_id), Rollup.from_occurrences(devices, None)


def all_time_rollups(rollups: Mapping[RollupKey, Rollup]) -> dict[RollupKey, Rollup]:
    """Return the rollups of all days together, given rollups by day."""
    parts: defaultdict[RollupKey, list[Rollup]] = defaultdict(list)
    for key, rollup in rollups.items():
        if key.breakdown is Breakdown.FLOW and key.flow_id is not None and key.event_type in FLOW_TYPES:
            all_time = RollupKey(Breakdown.ALL_TIME, None, key.event_type, key.flow_id)
            parts[all_time].append(Rollup(rollup.events, rollup.devices))
    return {key: combine(of_key) for key, of_key in parts.items()}


def _keys_of(day: int, event_key: EventKey) -> Iterator[RollupKey]:
    """Return the key of each breakdown by day that an event belongs to."""
    event_type, flow_id, screen_id, experiment_id, variant, platform, from_screen_id, rule, locale = event_key
    yield RollupKey(Breakdown.ALL, day)
    yield RollupKey(Breakdown.FLOW, day, event_type, flow_id)
    yield RollupKey(Breakdown.SCREEN, day, event_type, None, screen_id)
    yield RollupKey(Breakdown.VARIANT, day, None, None, None, experiment_id, variant)
    yield RollupKey(Breakdown.PLATFORM, day, None, None, None, None, None, platform)
    yield RollupKey(Breakdown.FULL, day, event_type, flow_id, screen_id, experiment_id, variant, platform)
    yield RollupKey(Breakdown.TYPE, day, event_type)
    yield RollupKey(Breakdown.LOCALE, day, event_type, flow_id, locale=locale)
    if from_screen_id is not None:
        yield RollupKey(Breakdown.LINK, day, None, None, screen_id, experiment_id, variant, None, from_screen_id, rule)


def _kept_moments(key: RollupKey, moments: list[int]) -> list[int] | None:
    """Return the times as the rollup keeps them. Counted back from the end of the day, the last one is the least."""
    if key.breakdown is Breakdown.TYPE:
        return [DAY_MS - 1 - moment for moment in moments]
    return moments if key.keeps_times else None
