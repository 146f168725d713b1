"""The bounded map of snapshots."""

from redis.asyncio import Redis

from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.loaded import LoadedSnapshot
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.redis_source import RedisSource
from tests.support.data.snapshots import a_snapshot


def a_cache(limit_bytes: int) -> SnapshotCache:
    """Return a cache that is never connected to Redis."""
    source = RedisSource(Redis())
    return SnapshotCache(source, source, RedisHealth(), None, limit_bytes=limit_bytes, unknown_seconds=1.0)


def loaded(revision: int = 1, size: int = 0) -> LoadedSnapshot:
    """Return a snapshot of a project that had this number of bytes in Redis."""
    return LoadedSnapshot.from_snapshot(a_snapshot(revision=revision), size)


def test_older_revision_is_not_put() -> None:
    cache = a_cache(1_000_000)
    newer = cache.put("p", loaded(5))
    assert cache.put("p", loaded(4)) is newer
    assert cache.put("p", loaded(5)) is newer
    assert cache.revision("p") == 5
    assert cache.put("p", loaded(6)).revision == 6


def test_least_recently_used_project_is_evicted() -> None:
    cache = a_cache(2 * loaded(size=100_000).size)
    for project_id in ("a", "b"):
        cache.put(project_id, loaded(size=100_000))
    cache.get_cached("a")
    cache.put("c", loaded(size=100_000))
    assert sorted(cache.project_ids()) == ["a", "c"]
    assert cache.metrics().evicted == 1


def test_update_does_not_count_as_use() -> None:
    cache = a_cache(2 * loaded(size=100_000).size)
    for project_id in ("a", "b"):
        cache.put(project_id, loaded(size=100_000))
    cache.put("a", loaded(revision=2, size=100_000))
    cache.put("c", loaded(size=100_000))
    assert sorted(cache.project_ids()) == ["b", "c"]


def test_cached_bytes_equal_the_sizes_of_cached_snapshots() -> None:
    cache = a_cache(1_000_000)
    cache.put("a", loaded(1, size=10_000))
    grown = cache.put("a", loaded(2, size=500_000))
    assert cache.metrics().cached_bytes == grown.size
    last = cache.put("b", loaded(size=600_000))
    assert cache.metrics().cached_bytes == last.size
    cache.evict("b")
    assert cache.metrics().cached_bytes == 0


def test_project_larger_than_the_limit_is_cached() -> None:
    cache = a_cache(10)
    assert cache.get_cached("a") is None
    snapshot = cache.put("a", loaded(size=1_000))
    assert cache.get_cached("a") is snapshot
