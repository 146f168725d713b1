"""Counts what a batch stores before its devices have numbers: by their places in the batch."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from common.stream_records import EventRecord
from management_api.activity.cells import Cell, CellKey
from management_api.activity.counting import ActivityCount, CountedCell
from management_api.event_consumer.device_numbers import DeviceKey

#: Project, device, flow, and the day counted from 1970-01-01.
StoredExposure = tuple[str, str, str, int]


class BatchCount:
    """The counts of events of any projects; it stays as it was made, however often the transaction is tried."""

    __slots__ = ("_cells", "devices")

    def __init__(self, records: Iterable[EventRecord]) -> None:
        counts: defaultdict[str, ActivityCount] = defaultdict(ActivityCount)
        places: dict[DeviceKey, int] = {}
        for record in records:
            counts[record.project_id].add_event(
                places.setdefault((record.project_id, record.device_id), len(places)),
                record.occurred_at_ms,
                record.event_type,
                record.flow_id,
                record.screen_id,
                record.experiment_id,
                record.variant,
                record.platform,
            )
        #: The devices of the events, in the order of their places.
        self.devices: Sequence[DeviceKey] = list(places)
        self._cells: list[tuple[str, CellKey, CountedCell]] = [
            (project_id, key, counted) for project_id, count in counts.items() for key, counted in count.counted()
        ]

    def cells(self, numbers: Mapping[DeviceKey, int]) -> Iterator[tuple[str, CellKey, Cell]]:
        """Give the cells, each with its project, now that all of the devices have numbers."""
        by_place = [numbers[device] for device in self.devices]
        for project_id, key, counted in self._cells:
            yield project_id, key, counted.cell(by_place)


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
