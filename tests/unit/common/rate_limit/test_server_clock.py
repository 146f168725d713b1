"""The clock of Redis, by which requests are counted."""

import pytest

from common.rate_limit.server_clock import ServerClock

_LOCAL = 1_700_000_000.0
_REDIS = 1_700_003_600


class Clock:
    """A clock that a test sets."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_server_clock_is_local_before_the_first_measurement() -> None:
    clock = ServerClock(Clock(_LOCAL), Clock(7.0))
    assert (clock(), clock.difference) == (_LOCAL, 0.0)


def test_server_clock_follows_redis_by_half_a_round_trip() -> None:
    local, monotonic = Clock(_LOCAL), Clock(7.0)
    clock = ServerClock(local, monotonic)
    sent_at = clock.local()
    local.now += 2
    monotonic.now += 2
    clock.synchronize((_REDIS, 500_000), sent_at)
    assert clock() == pytest.approx(_REDIS + 1.5)
    assert clock.difference == pytest.approx(3600.5 - 1)


@pytest.mark.parametrize("step", [-3600.0, 3600.0])
def test_a_step_of_the_local_clock_moves_nothing_and_is_measured_next_time(step: float) -> None:
    local, monotonic = Clock(_LOCAL), Clock(7.0)
    clock = ServerClock(local, monotonic)
    clock.synchronize((_REDIS, 0), clock.local())
    local.now += step + 5
    monotonic.now += 5
    assert clock() == pytest.approx(_REDIS + 5)
    clock.synchronize((_REDIS + 5, 0), clock.local())
    assert clock() == pytest.approx(_REDIS + 5)
    assert clock.difference == pytest.approx(3600 - step)
