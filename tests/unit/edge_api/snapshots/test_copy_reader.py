"""Copies for requests: only those that are new enough, by a clock that may be set, and from a disk that responds."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from edge_api.snapshots.copy_reader import CopyReader
from edge_api.snapshots.disk_store import Copy, DiskStore
from edge_api.snapshots.redis_source import START, StreamPoint

SYNCED_AT = 1_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DiskStore]:
    """Yield a store with one copy, as new as Redis at a time."""
    store = DiskStore(tmp_path / "copies", 64 * 1024 * 1024)
    store.record_uses(["proj_a"])
    store.write({"proj_a": Copy(3, b"body")}, StreamPoint(b"epoch", START), SYNCED_AT)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("now", "is_served"),
    [
        (SYNCED_AT, True),
        (SYNCED_AT + 60, True),
        (SYNCED_AT + 61, False),
        # A clock that was set back: the age is unknown.
        (SYNCED_AT - 1, False),
    ],
)
async def test_copy_is_served_for_the_allowed_time(store: DiskStore, now: float, *, is_served: bool) -> None:
    limited, unlimited = CopyReader(store, 60, lambda: now), CopyReader(store, 0, lambda: now)
    assert (await limited.read("proj_a") is not None) is is_served
    assert await unlimited.read("proj_a") == (3, b"body")


async def test_copy_is_compared_with_a_revision(store: DiskStore) -> None:
    reader = CopyReader(store, 0)
    assert await reader.newer_than("proj_a", 2) == (3, b"body")
    assert await reader.newer_than("proj_a", 3) is None
    assert await reader.newer_than("proj_b", 0) is None


async def test_hanging_disk_is_no_copy_and_refuses_further_reads_at_once(store: DiskStore) -> None:
    reader, responds = CopyReader(store, 0), threading.Event()
    store.in_thread(responds.wait).send(None)
    try:
        assert await reader.read("proj_a") is None
    finally:
        responds.set()


async def test_every_used_project_is_recorded_at_a_stop(store: DiskStore) -> None:
    reader = CopyReader(store, 0)
    for number in range(2_500):
        reader.note_use(f"proj_{number}")
    await reader.flush()
    assert len(store.wanted_after("", 10_000)) == 2_500
