"""The queue of copies: coalesced, bounded, and harmless when the disk fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from common.ids import IdPrefix, new_id
from edge_api.snapshots.disk_store import DiskStore
from edge_api.snapshots.disk_writer import DiskWriter
from tests.support.data.disk_snapshots import change_body

PROJECT = new_id(IdPrefix.PROJECT)
LIMIT_BYTES = 10_000_000


@asynccontextmanager
async def running_writer(path: Path, max_queued_bytes: int = 1_000_000) -> AsyncIterator[tuple[DiskWriter, DiskStore]]:
    """Run a writer for the length of the block, then let it write its queue."""
    store = DiskStore(path / "copies", LIMIT_BYTES)
    writer = DiskWriter(store, max_queued_bytes)
    task = asyncio.create_task(writer.run())
    yield writer, store
    writer.close()
    await task
    await store.in_thread(store.close)


async def test_newest_queued_copy_is_read_and_written(tmp_path: Path) -> None:
    async with running_writer(tmp_path) as (writer, store):
        writer.put(PROJECT, 1, b"one")
        writer.put(PROJECT, 2, b"two")
        writer.put(PROJECT, 1, b"one")
        assert await writer.load(PROJECT) == b"two"
        await writer.wait_until_written()
        assert store.read(PROJECT) == b"two"
        assert writer.is_synced()


async def test_deletion_replaces_older_queued_copies(tmp_path: Path) -> None:
    async with running_writer(tmp_path) as (writer, store):
        writer.put(PROJECT, 1, b"one")
        await writer.wait_until_written()
        writer.put(PROJECT, 2, b"two")
        writer.remove(PROJECT, 3)
        writer.put(PROJECT, 2, b"two")
        assert await writer.load(PROJECT) is None
        await writer.wait_until_written()
        assert store.read(PROJECT) is None


async def test_close_writes_the_queue(tmp_path: Path) -> None:
    async with running_writer(tmp_path) as (writer, _):
        writer.put(PROJECT, 1, b"one")
    assert DiskStore(tmp_path / "copies", LIMIT_BYTES).read(PROJECT) == b"one"


async def test_full_queue_leaves_a_gap_instead_of_an_older_copy(tmp_path: Path) -> None:
    async with running_writer(tmp_path, max_queued_bytes=1_000) as (writer, store):
        writer.put(PROJECT, 1, b"one")
        await writer.wait_until_written()
        writer.put(PROJECT, 2, b"x" * 2_000)
        assert writer.has_gaps
        await writer.wait_until_written()
        assert store.revisions([PROJECT]) == {}


async def test_copy_that_could_not_be_renewed_is_not_read(tmp_path: Path) -> None:
    async with running_writer(tmp_path) as (writer, store):
        writer.put(PROJECT, 1, b"one")
        await writer.wait_until_written()
        (tmp_path / "copies").rename(tmp_path / "moved")
        (tmp_path / "copies").write_bytes(b"a file is in the way")
        writer.put(PROJECT, 2, b"two")
        await writer.wait_until_written()
        assert (writer.is_failing, writer.has_gaps) == (True, True)
        (tmp_path / "copies").unlink()
        (tmp_path / "moved").rename(tmp_path / "copies")
        assert store.read(PROJECT) == b"one"
        assert await writer.load(PROJECT) is None
        assert not writer.is_synced()
        writer.put(PROJECT, 2, b"two")
        await writer.wait_until_written()
        assert (writer.is_failing, await writer.load(PROJECT)) == (False, b"two")


async def test_damaged_copy_is_counted_and_not_read(tmp_path: Path) -> None:
    async with running_writer(tmp_path) as (writer, _):
        writer.put(PROJECT, 1, b"one")
        await writer.wait_until_written()
        change_body(tmp_path / "copies", PROJECT, b"one?")
        assert await writer.load(PROJECT) is None
        assert writer.damaged == 1
