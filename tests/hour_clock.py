"""A clock for tests of windows, so that no test runs across the end of a real hour."""

from common.rate_limit.limiter import WINDOW_SECONDS

#: So far in the future that no key expires during a test.
_FIRST_HOUR = 4_000_000_000 // WINDOW_SECONDS * WINDOW_SECONDS


class HourClock:
    """Stands at the beginning of an hour; a call returns the Unix time."""

    def __init__(self) -> None:
        self.now = _FIRST_HOUR + 1.0

    def __call__(self) -> float:
        """Return the Unix time."""
        return self.now

    @property
    def window_end(self) -> int:
        """The Unix second at which the hour ends."""
        return (int(self.now) // WINDOW_SECONDS + 1) * WINDOW_SECONDS

    def next_hour(self) -> None:
        """Move to the beginning of the next hour."""
        self.now = self.window_end + 1.0
