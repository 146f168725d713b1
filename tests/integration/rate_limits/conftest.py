"""A Valkey that counts, and the clock that the limiters under test read."""

from collections.abc import Iterator

import pytest
import redis

from tests.hour_clock import HourClock


@pytest.fixture
def clock() -> HourClock:
    """Give a clock that stands still until a test moves it."""
    return HourClock()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """Give a client of the emptied Valkey."""
    with redis.Redis.from_url(redis_url) as client:
        yield client
