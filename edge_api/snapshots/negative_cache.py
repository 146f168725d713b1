"""Project ids that Redis did not know a moment ago, so that asking again and again costs nothing."""

from collections.abc import Callable

_MAX_REMEMBERED = 10_000


class NegativeCache:
    """Remembers ids for some seconds by a monotonic clock, the newest ten thousand at most."""

    def __init__(self, seconds: float, clock: Callable[[], float], limit: int = _MAX_REMEMBERED) -> None:
        self._seconds = seconds
        self._clock = clock
        self._limit = limit
        self._until: dict[str, float] = {}

    def remember(self, project_id: str) -> None:
        """Take note that the project does not exist now."""
        self._until.pop(project_id, None)
        while len(self._until) >= self._limit:
            # A dict keeps the order of insertion, so the first is the one that expires first.
            del self._until[next(iter(self._until))]
        self._until[project_id] = self._clock() + self._seconds

    def forget(self, project_id: str) -> None:
        """Take note that something about the project was published."""
        self._until.pop(project_id, None)

    def __contains__(self, project_id: str) -> bool:
        until = self._until.get(project_id)
        if until is None:
            return False
        if self._clock() < until:
            return True
        del self._until[project_id]
        return False

    def __len__(self) -> int:
        return len(self._until)
