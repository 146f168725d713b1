"""Unix time by the clock of Redis."""

import time
from collections.abc import Callable


class ServerClock:
    """Unix time by the clock of Redis, so that all workers agree on windows, independent of their own clocks.

    Between two measurements it runs with the monotonic clock: a step of the local clock must not move the windows.
    """

    def __init__(self, local: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._local = local
        self._monotonic = monotonic
        self._offset = local() - monotonic()
        #: The clock of Redis minus the local clock, in seconds; 0 before the first measurement.
        self.difference = 0.0

    def __call__(self) -> float:
        """Return the Unix time."""
        return self._monotonic() + self._offset

    def synchronize(self, server_time: tuple[int, int], sent_at: float) -> None:
        """Apply the reply of TIME, in seconds and microseconds, to a command sent at `sent_at` by the local clock."""
        seconds, microseconds = server_time
        now = self._local()
        self.difference = seconds + microseconds / 1e6 - (sent_at + now) / 2
        self._offset = now + self.difference - self._monotonic()

    def local(self) -> float:
        """Return the Unix time of the local clock."""
        return self._local()
