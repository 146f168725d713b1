"""Who started a flow and who completed it, and the rate that follows (contract, section 3, Statistics, defined)."""

from collections.abc import Iterable

from pyroaring import BitMap

from management_api.rollups.rollup import STARTED


class FlowCompletion:
    """The devices that started one flow, and those that completed it, over whatever days are added."""

    __slots__ = ("_completed", "_started")

    def __init__(self) -> None:
        self._started: list[BitMap] = []
        self._completed: list[BitMap] = []

    def add(self, event_type: str, devices: BitMap) -> None:
        """Add the devices of a cell of starts or completions."""
        (self._started if event_type == STARTED else self._completed).append(devices)

    @property
    def started(self) -> BitMap:
        """Those who started it."""
        return _united(self._started)

    @property
    def completed(self) -> BitMap:
        """Those who completed it."""
        return _united(self._completed)


def _united(sets: list[BitMap]) -> BitMap:
    """Unite all sets at once, which costs much less than one by one, and keep what it comes to."""
    if len(sets) != 1:
        sets[:] = [BitMap.union(*sets) if sets else BitMap()]
    return sets[0]


def completion_rate(journeys: Iterable[FlowCompletion]) -> float:
    """Give the share of those who started any of the flows that completed the same one; 0 when nobody started."""
    started, completed = BitMap(), BitMap()
    for flow in journeys:
        of_flow = flow.started
        started |= of_flow
        completed |= of_flow & flow.completed
    return len(completed) / len(started) if started else 0.0
