"""How long to wait before trying again: twice as long after each failure, up to a limit, with some chance in it."""

import random


class Backoff:
    """Counts the failures in a row of one thing. Times are in seconds."""

    def __init__(self, *, first: float, limit: float) -> None:
        self._first = first
        self._limit = limit
        self._failures = 0

    def next(self) -> float:
        """Note a failure and give the time to wait: between half and all of it, so that many do not return at once."""
        wait = min(self._limit, self._first * (1 << min(self._failures, 30)))
        self._failures += 1
        return wait * random.uniform(0.5, 1.0)  # noqa: S311 - the spread of waits is not a secret # nosec B311 # as said

    def reset(self) -> None:
        """Note a success."""
        self._failures = 0
