"""What a batch adds to activity, with all that can be made of it before the transaction begins.

Nearly always all of it is stored as it is. Where something is left out (a repeated event, an erased device, a project
that is gone), the same is made again of the rest.
"""

from collections.abc import Callable, Container, Sequence
from typing import Self

from common.wire.stream_records import EventRecord, ExposureRecord
from management_api.activity.steps import Steps, done_at_once
from management_api.event_consumer.batch_count import BatchCount
from management_api.event_consumer.device_numbers import DeviceKey, DeviceList
from management_api.event_consumer.event_rows import EventRow
from management_api.event_consumer.new_events import EventIds


class BatchActivity:
    """Events and exposures of some projects, and the devices of the events in the order of their places."""

    __slots__ = ("_event_devices", "count", "devices", "events", "exposures", "ids")

    def __init__(
        self,
        events: Sequence[EventRow],
        exposures: Sequence[ExposureRecord],
        event_devices: Sequence[DeviceKey],
        devices: DeviceList,
        ids: EventIds,
        count: BatchCount,
    ) -> None:
        self.events = events
        self.exposures = exposures
        self._event_devices = event_devices
        #: All that there are, also of the exposures.
        self.devices = devices
        self.ids = ids
        #: What there is to count if none of the ids is known.
        self.count = count

    @classmethod
    def making(
        cls, events: Sequence[EventRow], exposures: Sequence[ExposureRecord], event_devices: Sequence[DeviceKey]
    ) -> Steps[Self]:
        """Make it of events and exposures, given the devices of at least these events in the order of their places."""
        devices = DeviceList(list(dict.fromkeys([*event_devices, *map(device_of, exposures)])))
        yield
        ids = yield from EventIds.making(events)
        yield
        count = yield from BatchCount.making(ids.events, event_devices)
        return cls(events, exposures, event_devices, devices, ids, count)

    def of_projects(self, alive: Container[str]) -> "BatchActivity":
        """Leave out what belongs to other projects."""
        if all(project_id in alive for project_id in {project_id for project_id, _ in self.devices.devices}):
            return self
        return self.only(lambda record: record.project_id in alive)

    def only(self, is_wanted: Callable[[EventRecord | ExposureRecord], bool]) -> "BatchActivity":
        """Leave out some of it."""
        return done_at_once(
            BatchActivity.making(
                [event for event in self.events if is_wanted(event.record)],
                [record for record in self.exposures if is_wanted(record)],
                self._event_devices,
            )
        )

    def counted(self, events: Sequence[EventRow]) -> BatchCount:
        """Count some of its events."""
        return done_at_once(BatchCount.making(events, self._event_devices))


def device_of(record: EventRecord | ExposureRecord) -> DeviceKey:
    """Say whose record it is."""
    return record.project_id, record.device_id
