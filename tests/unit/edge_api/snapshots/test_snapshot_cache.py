"""What a worker holds, what it drops, what it remembers not to know."""

from edge_api.snapshots.loaded import LoadedSnapshot
from edge_api.snapshots.negative_cache import NegativeCache
from edge_api.snapshots.snapshot_cache import SnapshotCache
from tests.snapshots import a_snapshot


def resident(revision: int = 1, size: int = 0) -> LoadedSnapshot:
    """Give a snapshot of a project that was so large in Redis."""
    return LoadedSnapshot.from_snapshot(a_snapshot(revision=revision), size)


def test_an_older_revision_is_not_kept() -> None:
    memory = SnapshotCache(1_000_000)
    newer = memory.keep("p", resident(5))
    assert memory.keep("p", resident(4)) is newer
    assert memory.keep("p", resident(5)) is newer
    assert memory.revision("p") == 5
    assert memory.keep("p", resident(6)).revision == 6


def test_the_least_recently_used_goes_when_memory_is_full() -> None:
    memory = SnapshotCache(2 * resident(size=100_000).size)
    for project_id in ("a", "b"):
        memory.keep(project_id, resident(size=100_000))
    memory.use("a")
    memory.keep("c", resident(size=100_000))
    assert sorted(memory.project_ids()) == ["a", "c"]
    assert memory.evicted == 1


def test_following_a_change_does_not_count_as_use() -> None:
    memory = SnapshotCache(2 * resident(size=100_000).size)
    for project_id in ("a", "b"):
        memory.keep(project_id, resident(size=100_000))
    memory.keep("a", resident(revision=2, size=100_000))
    memory.keep("c", resident(size=100_000))
    assert sorted(memory.project_ids()) == ["b", "c"]


def test_the_bytes_held_are_those_of_the_snapshots_held() -> None:
    memory = SnapshotCache(1_000_000)
    memory.keep("a", resident(1, size=10_000))
    grown = memory.keep("a", resident(2, size=500_000))
    assert memory.bytes == grown.size
    last = memory.keep("b", resident(size=600_000))
    assert memory.bytes == last.size


def test_a_project_larger_than_the_memory_is_served_all_the_same() -> None:
    memory = SnapshotCache(10)
    assert memory.use("a") is None
    kept = memory.keep("a", resident(size=1_000))
    assert memory.use("a") is kept


def test_an_unknown_project_is_remembered_for_its_time() -> None:
    now = [0.0]
    unknown = NegativeCache(5.0, lambda: now[0])
    unknown.remember("p")
    now[0] = 4.9
    assert "p" in unknown
    now[0] = 5.0
    assert "p" not in unknown
    assert len(unknown) == 0


def test_an_unknown_project_is_forgotten_when_it_is_published() -> None:
    unknown = NegativeCache(5.0, lambda: 0.0)
    unknown.remember("p")
    unknown.forget("p")
    unknown.forget("never remembered")
    assert "p" not in unknown


def test_a_flood_of_unknown_projects_takes_bounded_memory() -> None:
    unknown = NegativeCache(5.0, lambda: 0.0, limit=100)
    for number in range(1_000):
        unknown.remember(str(number))
    assert len(unknown) == 100
    assert "999" in unknown
    assert "0" not in unknown
