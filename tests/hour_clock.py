"""A clock for tests of windows: no test meets the end of a real hour by chance."""

from common.rate_limit.limiter import WINDOW_SECONDS

#: So far in the future that no key of a test expires under it.
_FIRST_HOUR = 4_000_000_000 // WINDOW_SECONDS * WINDOW_SECONDS


class HourClock:
    """Stands at the beginning of an hour; call it for the Unix time."""

    def __init__(self) -> None:
        self.now = _FIRST_HOUR + 1.0

    def __call__(self) -> float:
        """Give the Unix time."""
        return self.now

    @property
    def window_end(self) -> int:
        """The Unix second at which the hour ends."""
        return (int(self.now) // WINDOW_SECONDS + 1) * WINDOW_SECONDS

    def next_hour(self) -> None:
        """Move to the beginning of the next hour."""
        self.now = self.window_end + 1.0
