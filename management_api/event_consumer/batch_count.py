"""Counts what a batch stores before its devices have numbers: by their places in the batch."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

import numpy as np

from management_api.activity.cells import Cell, CellKey
from management_api.activity.counted_cells import CountedCells
from management_api.activity.counting import DAY_MS, ActivityCount
from management_api.activity.steps import Steps
from management_api.event_consumer.device_numbers import DeviceKey
from management_api.event_consumer.event_rows import EventKind, EventRow

#: So many events are counted in one step.
_STEP_EVENTS = 256

#: Project, device, flow, and the day counted from 1970-01-01.
StoredExposure = tuple[str, str, str, int]


class BatchCount:
    """The counts of events of any projects; it stays as it was made, however often the transaction is tried."""

    __slots__ = ("_cells", "_places", "_size", "devices")

    def __init__(
        self, cells: Sequence[tuple[str, CountedCells]], places: Sequence[int], devices: Sequence[DeviceKey]
    ) -> None:
        self._cells = cells
        self._size = len(devices)
        self._places = places
        #: The devices of the events.
        self.devices = [devices[place] for place in places]

    @classmethod
    def making(cls, events: Sequence[EventRow], devices: Sequence[DeviceKey]) -> Steps[Self]:
        """Count events, whose places are those of their devices among the given ones."""
        alike: defaultdict[tuple[EventKind, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for start in range(0, len(events), _STEP_EVENTS):
            for event in events[start : start + _STEP_EVENTS]:
                day, moment = divmod(event.record.occurred_at_ms, DAY_MS)
                places, moments = alike[event.kind, day]
                places.append(event.place)
                moments.append(moment)
            yield
        counts: defaultdict[str, ActivityCount] = defaultdict(ActivityCount)
        for (kind, day), (places, moments) in alike.items():
            project_id, event_type, flow_id, screen_id, experiment_id, variant, platform, _ = kind.columns
            key = (day, event_type, flow_id, screen_id, experiment_id, variant, platform)
            counts[project_id].add_sightings(key, places, moments)
        cells = []
        for project_id, count in counts.items():
            yield
            counted = yield from count.counting()
            cells.append((project_id, counted))
        return cls(cells, sorted({place for places, _ in alike.values() for place in places}), devices)

    def cells(self, numbers: Mapping[DeviceKey, int]) -> Iterator[tuple[str, CellKey, Cell]]:
        """Give the cells, each with its project, now that all of the devices have numbers."""
        by_place = np.zeros(self._size, np.uint32)
        by_place[self._places] = [numbers[device] for device in self.devices]
        for project_id, counted in self._cells:
            for key, cell in counted.cells(by_place):
                yield project_id, key, cell


def exposure_cells(
    exposures: Iterable[StoredExposure], numbers: Mapping[DeviceKey, int]
) -> Iterator[tuple[str, CellKey, Cell]]:
    """Give the cells of exposures, each with its project."""
    counts: defaultdict[str, ActivityCount] = defaultdict(ActivityCount)
    for project_id, device_id, flow_id, day in exposures:
        counts[project_id].add_exposure(numbers[project_id, device_id], day, flow_id)
    for project_id, count in counts.items():
        for key, cell in count.cells():
            yield project_id, key, cell
