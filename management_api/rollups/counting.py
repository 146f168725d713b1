"""Counts events and exposures of one project into cells: for the event consumer, the rebuild and the erasure.

Each event is counted once, which its caller ensures.
"""

from collections import defaultdict
from collections.abc import Iterator

from management_api.rollups.rollup import JOURNEY_TYPES, VISIT_TYPES, Breakdown, Cell, CellKey

DAY_MS = 86_400_000

#: Day, event type, flow, screen, experiment, variant, platform.
FullKey = tuple[int, str, str | None, str | None, str | None, str | None, str | None]
#: The device of each event, and the millisecond of its day.
Occurrences = tuple[list[int], list[int]]


class ActivityCount:
    """A count that grows event by event."""

    def __init__(self) -> None:
        self._events: defaultdict[FullKey, Occurrences] = defaultdict(lambda: ([], []))
        self._exposures: defaultdict[tuple[int, str], list[int]] = defaultdict(list)

    def add_event(  # noqa: PLR0913, PLR0917 - called for every event: a record of its own would cost more than the count
        self,
        device_no: int,
        occurred_at_ms: int,
        event_type: str,
        flow_id: str | None,
        screen_id: str | None,
        experiment_id: str | None,
        variant: str | None,
        platform: str | None,
    ) -> None:
        """Count an event of the device of that number."""
        day, moment = divmod(occurred_at_ms, DAY_MS)
        devices, moments = self._events[day, event_type, flow_id, screen_id, experiment_id, variant, platform]
        devices.append(device_no)
        moments.append(moment)

    def add_exposure(self, device_no: int, day: int, flow_id: str) -> None:
        """Count an exposure of the device of that number."""
        self._exposures[day, flow_id].append(device_no)

    def cells(self) -> Iterator[tuple[CellKey, Cell]]:
        """Return the cells of all breakdowns."""
        found: defaultdict[CellKey, Occurrences] = defaultdict(lambda: ([], []))
        for key, (devices, moments) in self._events.items():
            for cell_key in _keys_of(*key):
                occurrences = found[cell_key]
                occurrences[0].extend(devices)
                occurrences[1].extend(moments)
        for cell_key, (devices, moments) in found.items():
            yield cell_key, Cell.of(devices, kept_moments(cell_key, moments))
        for (day, flow_id), devices in self._exposures.items():
            yield CellKey(Breakdown.EXPOSURE, day, None, flow_id), Cell.of(devices, None)


def _keys_of(
    day: int,
    event_type: str,
    flow_id: str | None,
    screen_id: str | None,
    experiment_id: str | None,
    variant: str | None,
    platform: str | None,
) -> Iterator[CellKey]:
    """Return the cell of each breakdown that an event belongs to."""
    yield CellKey(Breakdown.ALL, day)
    yield CellKey(Breakdown.FLOW, day, event_type, flow_id)
    yield CellKey(Breakdown.SCREEN, day, event_type, None, screen_id)
    yield CellKey(Breakdown.VARIANT, day, None, None, None, experiment_id, variant)
    yield CellKey(Breakdown.PLATFORM, day, None, None, None, None, None, platform)
    yield CellKey(Breakdown.FULL, day, event_type, flow_id, screen_id, experiment_id, variant, platform)
    yield CellKey(Breakdown.TYPE, day, event_type)
    if flow_id is not None and event_type in JOURNEY_TYPES:
        yield CellKey(Breakdown.ALL_TIME, None, event_type, flow_id)


def kept_moments(key: CellKey, moments: list[int]) -> list[int] | None:
    """Return the moments as the cell keeps them, None if it keeps none.

    The least moment of each device stays, so the last moments of a type count back from the end of the day.
    """
    if key.breakdown is Breakdown.TYPE:
        return [DAY_MS - 1 - moment for moment in moments]
    return moments if keeps_moments(key) else None


def keeps_moments(key: CellKey) -> bool:
    """Return whether the cell keeps each device's first moment: where times between events are asked for."""
    match key.breakdown:
        case Breakdown.FLOW:
            return key.flow_id is not None and key.event_type in JOURNEY_TYPES
        case Breakdown.SCREEN:
            return key.screen_id is not None and key.event_type in VISIT_TYPES
        case Breakdown.FULL:
            visit = key.screen_id is not None and key.event_type in VISIT_TYPES
            return visit and key.experiment_id is not None
        case _:
            return False
