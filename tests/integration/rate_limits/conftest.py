"""A Valkey for rate limits, and the clock of the limiters under test."""

import pytest

from tests.support.rate_limits import HourClock


@pytest.fixture
def clock() -> HourClock:
    """Return a clock that stands still until a test moves it."""
    return HourClock()
