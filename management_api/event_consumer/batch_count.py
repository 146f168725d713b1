"""Counts what a batch stores while PostgreSQL stores it: by places of devices, which get their numbers later."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from management_api.activity.cells import Cell, CellKey
from management_api.activity.counting import ActivityCount
from management_api.event_consumer.device_numbers import DeviceKey
from management_api.event_consumer.event_rows import EventRow


class BatchCount:
    """The counts of the projects of one batch."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, ActivityCount] = defaultdict(ActivityCount)
        self._places: dict[DeviceKey, int] = {}

    @property
    def devices(self) -> Collection[DeviceKey]:
        """The devices of what was counted."""
        return self._places.keys()

    def add_events(self, rows: Iterable[EventRow]) -> None:
        """Count events."""
        counts, places = self._counts, self._places
        for row in rows:
            record = row.record
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

    def add_exposure(self, project_id: str, device_id: str, flow_id: str, day: int) -> None:
        """Count an exposure."""
        place = self._places.setdefault((project_id, device_id), len(self._places))
        self._counts[project_id].add_exposure(place, day, flow_id)

    def cells(self, numbers: Mapping[DeviceKey, int]) -> Iterator[tuple[str, CellKey, Cell]]:
        """Give the cells, each with its project, now that all of the devices have numbers."""
        by_place = [numbers[device] for device in self._places]
        for project_id, count in self._counts.items():
            for key, cell in count.cells(by_place):
                yield project_id, key, cell
