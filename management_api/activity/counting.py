"""Counts events and exposures of one project into cells; of each event only once, as its caller sees to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from management_api.activity.breakdowns import JOURNEY_TYPES, VISIT_TYPES, Breakdown
from management_api.activity.cells import Cell, CellKey
from management_api.activity.counted_cells import CountedCells, Sightings
from management_api.activity.steps import Steps, done_at_once

DAY_MS = 86_400_000

#: Of so many kinds of events the cells are found in one step.
_STEP_KEYS = 16

#: Day, event type, flow, screen, experiment, variant, platform.
FullKey = tuple[int, str, str | None, str | None, str | None, str | None, str | None]


class ActivityCount:
    """A count that grows event by event."""

    def __init__(self) -> None:
        self._full: defaultdict[FullKey, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        self._exposures: defaultdict[tuple[int, str], list[int]] = defaultdict(list)

    def add_event(  # noqa: PLR0913, PLR0917 - called for every event: a record of its own would cost more than the count
        self,
        number: int,
        occurred_at_ms: int,
        event_type: str,
        flow_id: str | None,
        screen_id: str | None,
        experiment_id: str | None,
        variant: str | None,
        platform: str | None,
    ) -> None:
        """Count an event of the device of that number (or place, see :meth:`counted`)."""
        day, moment = divmod(occurred_at_ms, DAY_MS)
        sightings = self._full[day, event_type, flow_id, screen_id, experiment_id, variant, platform]
        sightings[0].append(number)
        sightings[1].append(moment)

    def add_sightings(self, key: FullKey, places: Iterable[int], moments: Iterable[int]) -> None:
        """Count events that are alike in all of their columns; moments are milliseconds of the day."""
        sightings = self._full[key]
        sightings[0].extend(places)
        sightings[1].extend(moments)

    def add_exposure(self, number: int, day: int, flow_id: str) -> None:
        """Count an exposure of the device of that number."""
        self._exposures[day, flow_id].append(number)

    def cells(self) -> Iterator[tuple[CellKey, Cell]]:
        """Give the cells of all breakdowns, of devices that were counted by their numbers."""
        for key, (devices, moments) in done_at_once(self._by_breakdown()).items():
            yield key, Cell.of(devices, moments)
        for (day, flow_id), devices in self._exposures.items():
            yield CellKey(Breakdown.EXPOSURE, day, None, flow_id), Cell.of(devices, None)

    def counting(self) -> Steps[CountedCells]:
        """Give what becomes the cells of events once the devices, which were counted by places, have numbers."""
        sightings = yield from self._by_breakdown()
        return (yield from CountedCells.making(sightings))

    def _by_breakdown(self) -> Steps[Mapping[CellKey, Sightings]]:
        found: dict[CellKey, Sightings] = {}
        for number, (key, (devices, moments)) in enumerate(self._full.items(), 1):
            for cell_key in _keys_of(*key):
                sightings = found.get(cell_key)
                if sightings is None:
                    sightings = found[cell_key] = ([], [] if keeps_moments(cell_key) else None)
                sightings[0].extend(devices)
                if sightings[1] is not None:
                    sightings[1].extend(kept_moments(cell_key, moments))
            if number % _STEP_KEYS == 0:
                yield
        return found


def _keys_of(
    day: int,
    event_type: str,
    flow_id: str | None,
    screen_id: str | None,
    experiment_id: str | None,
    variant: str | None,
    platform: str | None,
) -> Iterable[CellKey]:
    """Give the cell of each breakdown that an event belongs to."""
    yield CellKey(Breakdown.ALL, day)
    yield CellKey(Breakdown.FLOW, day, event_type, flow_id)
    yield CellKey(Breakdown.SCREEN, day, event_type, None, screen_id)
    yield CellKey(Breakdown.VARIANT, day, None, None, None, experiment_id, variant)
    yield CellKey(Breakdown.PLATFORM, day, None, None, None, None, None, platform)
    yield CellKey(Breakdown.FULL, day, event_type, flow_id, screen_id, experiment_id, variant, platform)
    yield CellKey(Breakdown.TYPE, day, event_type)
    if flow_id is not None and event_type in JOURNEY_TYPES:
        yield CellKey(Breakdown.EVER, None, event_type, flow_id)


def keeps_moments(key: CellKey) -> bool:
    """Tell whether the cell says when each device was first there: where times between events are asked for."""
    match key.breakdown:
        case Breakdown.FLOW:
            return key.flow_id is not None and key.event_type in JOURNEY_TYPES
        case Breakdown.SCREEN:
            return key.screen_id is not None and key.event_type in VISIT_TYPES
        case Breakdown.FULL:
            visit = key.screen_id is not None and key.event_type in VISIT_TYPES
            return visit and key.experiment_id is not None
        case Breakdown.TYPE:
            return True
        case _:
            return False


def kept_moments(key: CellKey, moments: Iterable[int]) -> Iterable[int]:
    """Return moments as the cell keeps them: the least stays, so last moments count back from the day's end."""
    return (DAY_MS - 1 - moment for moment in moments) if key.breakdown is Breakdown.TYPE else moments
