"""The availability of Redis, and the age of a worker's snapshots."""

import time
from collections.abc import Callable

import structlog

_LOG = structlog.stdlib.get_logger(__name__)


class RedisHealth:
    """Whether Redis is available, and whether the snapshots in memory are as new as Redis.

    `was_up` stays true: a worker that has been able to serve continues with its cached snapshots. `is_current` is false
    while snapshots may be behind: Redis does not respond, or changes that may have been missed are being compared.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, wall_clock: Callable[[], float] = time.time
    ) -> None:
        """Create the state; `monotonic` measures ages, because a wall clock may be set."""
        self._monotonic = monotonic
        self._wall_clock = wall_clock
        self._synced_at: float | None = None
        self.was_up = False
        self.is_up = False
        self.is_current = False

    def mark_up(self) -> None:
        """Record that Redis responded."""
        if not self.is_up:
            _LOG.info("redis_reached")
        self.was_up = self.is_up = True

    def mark_behind(self) -> None:
        """Record that changes may have been missed."""
        self.is_current = False

    def mark_synced(self) -> None:
        """Record that all changes in Redis have been applied."""
        self.mark_up()
        self.is_current = True
        self._synced_at = self._monotonic()

    def mark_down(self, error: Exception) -> None:
        """Record that Redis did not respond."""
        if self.is_up or not self.was_up:
            _LOG.warning("redis_not_reached", reason=type(error).__name__)
        self.is_up = self.is_current = False

    def restore(self, synced_at: float | None) -> None:
        """Take over the Unix time of the last synchronisation, which a former process has stored.

        A time in the future proves that the clock was set, so the age is unknown.
        """
        age = None if synced_at is None else self._wall_clock() - synced_at
        if age is not None and age >= 0:
            self._synced_at = self._monotonic() - age

    def age(self) -> float | None:
        """Return the seconds since the last synchronisation; None when there was none."""
        return None if self._synced_at is None else self._monotonic() - self._synced_at
