"""Parsing of the change stream, and the state of Redis."""

from redis.exceptions import ConnectionError as RedisConnectionError

from edge_api.snapshots.redis_source import Changes, RedisHealth


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
    # The clock of Redis, or of the edge, was set back.
    now[0] = 900.0
    assert health.age() == 0.0
