"""Parsing of the change stream, and the state of Redis."""

from redis.exceptions import ConnectionError as RedisConnectionError

from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.redis_source import Changes


def entry(project_id: str, revision: int, *, deleted: bool = False) -> dict[bytes, bytes]:
    """Return an entry as Redis does."""
    return {b"project": project_id.encode(), b"revision": b"%d" % revision, b"deleted": b"%d" % deleted}


def test_changes_keep_the_newest_revision_of_a_project() -> None:
    changes = Changes()
    for revision in (3, 5, 4):
        changes.add(entry("p", revision))
    assert (changes.revisions, changes.deleted) == ({"p": 5}, {})


def test_changes_separate_deletions() -> None:
    changes = Changes()
    changes.add(entry("p", 1))
    changes.add(entry("p", 2, deleted=True))
    assert changes.deleted == {"p": 2}


def test_malformed_entries_are_counted() -> None:
    changes = Changes()
    changes.add({})
    changes.add({b"project": b"p", b"revision": b"x"})
    changes.add({b"project": b"\xff", b"revision": b"1"})
    assert (changes.malformed, changes.revisions) == (3, {})


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
