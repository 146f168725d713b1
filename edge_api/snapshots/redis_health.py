"""Whether Redis answers, as the worker last saw it: told to whoever asks for its health, and logged when it changes."""

import time
from collections.abc import Callable

import structlog

_LOG = structlog.stdlib.get_logger(__name__)


class RedisHealth:
    """`was_reached` stays true for good: a worker that has been able to serve goes on with what it holds.

    `confirmed_at` is the Unix time at which all that is held was last known to be as new as what Redis has.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.was_reached = False
        self.is_reachable = False
        self.confirmed_at: float | None = None

    def found(self) -> None:
        """Take note that Redis answered."""
        if not self.is_reachable:
            _LOG.info("redis_reached")
        self.was_reached = self.is_reachable = True

    def confirmed(self) -> None:
        """Take note that nothing is known to Redis that has not been heard here."""
        self.found()
        self.confirmed_at = self._clock()

    def lost(self, error: Exception) -> None:
        """Take note that Redis did not answer."""
        if self.is_reachable or not self.was_reached:
            _LOG.warning("redis_not_reached", reason=type(error).__name__)
        self.is_reachable = False

    def age(self) -> float | None:
        """Tell how many seconds ago everything was confirmed; None stands for never, as far as anybody knows."""
        return None if self.confirmed_at is None else max(0.0, self._clock() - self.confirmed_at)
