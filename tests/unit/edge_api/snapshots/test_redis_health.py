"""The state of Redis, and the age of snapshots by clocks that may be set."""

from redis.exceptions import ConnectionError as RedisConnectionError

from edge_api.snapshots.redis_health import RedisHealth


def test_health_stays_up_once_and_measures_the_age_of_the_last_sync() -> None:
    now = [1000.0]
    health = RedisHealth(lambda: now[0])
    assert (health.is_up, health.was_up, health.age()) == (False, False, None)
    health.mark_synced()
    now[0] = 1060.0
    health.mark_down(RedisConnectionError())
    assert (health.is_up, health.was_up, health.age()) == (False, True, 60.0)


def test_age_does_not_change_when_the_wall_clock_is_set() -> None:
    monotonic, wall = [50.0], [1_000_000.0]
    health = RedisHealth(lambda: monotonic[0], lambda: wall[0])
    health.mark_synced()
    for set_to in (0.0, 2_000_000.0):
        wall[0] = set_to
        assert health.age() == 0.0
    monotonic[0] += 7.0
    assert health.age() == 7.0


def test_stored_time_is_restored_by_the_wall_clock_unless_it_lies_in_the_future() -> None:
    monotonic, wall = [50.0], [1_000_000.0]
    health = RedisHealth(lambda: monotonic[0], lambda: wall[0])
    health.restore(1_000_001.0)
    assert health.age() is None
    health.restore(999_940.0)
    monotonic[0] += 5.0
    assert health.age() == 65.0


def test_health_is_current_only_between_a_synchronisation_and_the_next_doubt() -> None:
    health, seen = RedisHealth(), []
    for change in (
        health.mark_up,
        health.mark_synced,
        health.mark_behind,
        health.mark_synced,
        lambda: health.mark_down(RedisConnectionError()),
    ):
        change()
        seen.append(health.is_current)
    assert seen == [False, True, False, True, False]
