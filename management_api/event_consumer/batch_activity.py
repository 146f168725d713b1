"""What a batch adds to activity, with all that can be made of it before the transaction begins.

Nearly always all of it is stored as it is. Where something is left out (a repeated event, an erased device, a project
that is gone), the same is made again of the rest.
"""

from collections.abc import Container, Sequence

from common.stream_records import EventRecord, ExposureRecord
from management_api.event_consumer.batch_count import BatchCount
from management_api.event_consumer.device_numbers import DeviceKey
from management_api.event_consumer.event_rows import EventRow
from management_api.event_consumer.new_events import EventIds


class NewEvents:
    """Events, each with an id of its own, whose rows are ready and which are counted."""

    __slots__ = ("count", "rows")

    def __init__(self, events: Sequence[EventRow]) -> None:
        self.rows = [event.copied for event in events]
        self.count = BatchCount(event.record for event in events)


class BatchActivity:
    """Events and exposures of some projects."""

    __slots__ = ("devices", "events", "exposures", "ids", "new")

    def __init__(self, events: Sequence[EventRow], exposures: Sequence[ExposureRecord]) -> None:
        self.events = events
        self.exposures = exposures
        #: The devices of all of them, each once.
        self.devices: Sequence[DeviceKey] = list(
            dict.fromkeys([*(device_of(event.record) for event in events), *map(device_of, exposures)])
        )
        self.ids = EventIds.of(events)
        #: What there is to store if none of the ids is known.
        self.new = NewEvents(self.ids.events)

    def of_projects(self, alive: Container[str]) -> "BatchActivity":
        """Leave out what belongs to other projects."""
        if all(project_id in alive for project_id in {project_id for project_id, _ in self.devices}):
            return self
        return BatchActivity(
            [event for event in self.events if event.record.project_id in alive],
            [record for record in self.exposures if record.project_id in alive],
        )


def device_of(record: EventRecord | ExposureRecord) -> DeviceKey:
    """Say whose record it is."""
    return record.project_id, record.device_id
