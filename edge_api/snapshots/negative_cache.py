"""Bounds of the work for names of things that are not there: a set of known ones, and a number of reads a second."""

from collections import OrderedDict
from collections.abc import Callable

_MAX_NAMES = 10_000


class NegativeCache:
    """Names of things that are not there: for some seconds by a monotonic clock, and a bounded number."""

    def __init__(self, seconds: float, clock: Callable[[], float], limit: int = _MAX_NAMES) -> None:
        self._seconds = seconds
        self._clock = clock
        self._limit = limit
        self._until: OrderedDict[str, float] = OrderedDict()

    def add(self, name: str) -> None:
        """Record that nothing has this name now."""
        self._until.pop(name, None)
        while len(self._until) >= self._limit:
            # In the order of insertion: the first name expires first.
            self._until.popitem(last=False)
        self._until[name] = self._clock() + self._seconds

    def remove(self, name: str) -> None:
        """Record that the name is in use."""
        self._until.pop(name, None)

    def clear(self) -> None:
        """Remove all names."""
        self._until.clear()

    def __contains__(self, name: str) -> bool:
        until = self._until.get(name)
        if until is None:
            return False
        if self._clock() < until:
            return True
        del self._until[name]
        return False

    def __len__(self) -> int:
        return len(self._until)


class ReadBudget:
    """A number of reads in each second of a monotonic clock."""

    def __init__(self, reads_per_second: int, clock: Callable[[], float]) -> None:
        self._reads_per_second = reads_per_second
        self._clock = clock
        self._second = 0
        self._reads = 0

    def spend(self) -> None:
        """Count one read."""
        self._begin_second()
        self._reads += 1

    def is_spent(self) -> bool:
        """Return whether this second has had its reads."""
        self._begin_second()
        return self._reads >= self._reads_per_second

    def _begin_second(self) -> None:
        second = int(self._clock())
        if second != self._second:
            self._second, self._reads = second, 0
