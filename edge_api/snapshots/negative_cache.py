"""A bounded set of names that expire, for answers that need no second question."""

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
