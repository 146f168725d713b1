"""The devices that started and completed a flow, and the completion rate (contract, section 3, Statistics, defined)."""

from collections.abc import Iterable

from pyroaring import BitMap

from management_api.rollups.rollup import STARTED


class FlowCompletion:
    """The devices that started a flow, and those that completed it, over all rollups that are added."""

    __slots__ = ("_completed", "_started")

    def __init__(self) -> None:
        self._started: list[BitMap] = []
        self._completed: list[BitMap] = []

    def add(self, event_type: str, devices: BitMap) -> None:
        """Add the devices of a rollup of starts or completions."""
        (self._started if event_type == STARTED else self._completed).append(devices)

    @property
    def started(self) -> BitMap:
        """The devices that started it."""
        return _union(self._started)

    @property
    def completed(self) -> BitMap:
        """The devices that completed it."""
        return _union(self._completed)


def _union(sets: list[BitMap]) -> BitMap:
    """Return the union of all sets, and keep it in their place. One call for all costs less than one for each."""
    if len(sets) != 1:
        sets[:] = [BitMap.union(*sets) if sets else BitMap()]
    return sets[0]


def completion_rate(flows: Iterable[FlowCompletion]) -> float:
    """Return the share of the devices that started any flow which completed the same one; 0 without a start."""
    started, completed = BitMap(), BitMap()
    for flow in flows:
        flow_started = flow.started
        started |= flow_started
        completed |= flow_started & flow.completed
    return len(completed) / len(started) if started else 0.0
