"""Who started a flow and who completed it, and the rate that follows (contract, section 3, Statistics, defined)."""

from collections.abc import Iterable

from pyroaring import BitMap

from management_api.activity.breakdowns import STARTED


class JourneySets:
    """The devices that started one flow, and those that completed it, over whatever days are added."""

    __slots__ = ("completed", "started")

    def __init__(self) -> None:
        self.started = BitMap()
        self.completed = BitMap()

    def add(self, event_type: str, devices: BitMap) -> None:
        """Add the devices of a cell of starts or completions."""
        if event_type == STARTED:
            self.started |= devices
        else:
            self.completed |= devices


def rate_of(journeys: Iterable[JourneySets]) -> float:
    """Give the share of those who started any of the flows that completed the same one; 0 when nobody started."""
    started, completed = BitMap(), BitMap()
    for flow in journeys:
        started |= flow.started
        completed |= flow.started & flow.completed
    return len(completed) / len(started) if started else 0.0
