"""High rate limits for tests of other subjects, and a clock for tests of windows."""

from common.rate_limit.limiter import WINDOW_SECONDS

_HIGH_LIMIT = 1_000_000

#: By the names of the settings.
HIGH_LIMITS = {
    "rate_limit_per_secret_key": _HIGH_LIMIT,
    "rate_limit_per_api_key": _HIGH_LIMIT,
    "rate_limit_per_jwt": _HIGH_LIMIT,
    "rate_limit_unauthenticated": _HIGH_LIMIT,
}

#: By the names of the environment variables.
HIGH_LIMIT_VARIABLES = {f"ONBOARDING_{name.upper()}": str(limit) for name, limit in HIGH_LIMITS.items()}


#: So far in the future that no key expires during a test.
_FIRST_HOUR = 4_000_000_000 // WINDOW_SECONDS * WINDOW_SECONDS


class HourClock:
    """A clock that stands still, at first at the beginning of an hour; a call returns the Unix time."""

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
