"""A Valkey for rate limits, and the clock of the limiters under test."""

from collections.abc import Iterator

import pytest
import redis

from tests.support.rate_limits import HourClock


@pytest.fixture
def clock() -> HourClock:
    """Return a clock that stands still until a test moves it."""
    return HourClock()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """Return a client of the emptied Valkey."""
    with redis.Redis.from_url(redis_url) as client:
        yield client
