"""The devices that started and completed a flow, and the completion rate (contract, section 3, Statistics)."""

from pyroaring import BitMap

from management_api.rollups.reading import DeviceUnion
from management_api.rollups.rollup import STARTED


class FlowCompletion:
    """The devices that started a flow, and those that completed it, over all rollups that are added."""

    __slots__ = ("_completed", "_started")

    def __init__(self) -> None:
        self._started, self._completed = DeviceUnion(), DeviceUnion()

    def add(self, event_type: str, devices: BitMap) -> None:
        """Add the devices of a rollup of starts or completions."""
        (self._started if event_type == STARTED else self._completed).add(devices)

    @property
    def started(self) -> BitMap:
        """The devices that started it."""
        return self._started.devices()

    @property
    def completed(self) -> BitMap:
        """The devices that completed it."""
        return self._completed.devices()


class CompletionRate:
    """The share of the devices that started any flow which completed the same one."""

    def __init__(self) -> None:
        self._started, self._both = BitMap(), BitMap()

    def add(self, flow: FlowCompletion) -> None:
        """Add the devices of a flow."""
        started = flow.started
        self._started |= started
        self._both |= started & flow.completed

    def value(self) -> float:
        """Return the rate, 0 without a start."""
        return len(self._both) / len(self._started) if self._started else 0.0
