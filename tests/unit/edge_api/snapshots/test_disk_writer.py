"""Copying beside the requests: coalesced, bounded, and harmless when the disk fails."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from common.ids import IdPrefix, new_id
from edge_api.snapshots.disk_writer import DiskWriter
from edge_api.snapshots.snapshot_folder import SnapshotFolder

PROJECT = new_id(IdPrefix.PROJECT)


def with_copy(
    path: Path, check: Callable[[DiskWriter, SnapshotFolder], Awaitable[None]], waiting_bytes: int = 1_000_000
) -> None:
    """Run a check with a copy whose task runs."""

    async def run() -> None:
        folder = SnapshotFolder(path / "copies", 1_000_000)
        copy = DiskWriter(folder, waiting_bytes)
        task = asyncio.create_task(copy.run())
        await check(copy, folder)
        copy.close()
        await task

    asyncio.run(run())


def test_what_waits_is_written_and_can_be_read_before_that(tmp_path: Path) -> None:
    async def check(copy: DiskWriter, folder: SnapshotFolder) -> None:
        copy.keep(PROJECT, 1, b"one")
        copy.keep(PROJECT, 2, b"two")
        copy.keep(PROJECT, 1, b"one")
        assert await copy.load(PROJECT) == b"two"
        await copy.settled()
        assert folder.read(PROJECT) == b"two"
        assert copy.is_as_wanted()

    with_copy(tmp_path, check)


def test_a_deletion_outlasts_what_waited_before_it(tmp_path: Path) -> None:
    async def check(copy: DiskWriter, folder: SnapshotFolder) -> None:
        copy.keep(PROJECT, 1, b"one")
        await copy.settled()
        copy.keep(PROJECT, 2, b"two")
        copy.remove(PROJECT, 3)
        copy.keep(PROJECT, 2, b"two")
        assert await copy.load(PROJECT) is None
        await copy.settled()
        assert folder.is_empty()

    with_copy(tmp_path, check)


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    async def check(copy: DiskWriter, _folder: SnapshotFolder) -> None:
        copy.keep(PROJECT, 1, b"one")

    with_copy(tmp_path, check)
    assert SnapshotFolder(tmp_path / "copies", 1_000_000).read(PROJECT) == b"one"


def test_too_much_waiting_leaves_a_gap_rather_than_an_older_copy(tmp_path: Path) -> None:
    async def check(copy: DiskWriter, folder: SnapshotFolder) -> None:
        copy.keep(PROJECT, 1, b"one")
        await copy.settled()
        copy.keep(PROJECT, 2, b"x" * 2_000)
        assert copy.has_gaps
        await copy.settled()
        assert folder.is_empty()

    with_copy(tmp_path, check, waiting_bytes=1_000)


def test_a_copy_that_failed_to_be_renewed_is_not_trusted(tmp_path: Path) -> None:
    async def check(copy: DiskWriter, folder: SnapshotFolder) -> None:
        copy.keep(PROJECT, 1, b"one")
        await copy.settled()
        (tmp_path / "copies").rename(tmp_path / "away")
        (tmp_path / "copies").write_bytes(b"a file is in the way")
        copy.keep(PROJECT, 2, b"two")
        await copy.settled()
        assert (copy.is_failing, copy.has_gaps) == (True, True)
        (tmp_path / "copies").unlink()
        (tmp_path / "away").rename(tmp_path / "copies")
        assert folder.read(PROJECT) == b"one"
        assert await copy.load(PROJECT) is None
        assert not copy.is_as_wanted()
        copy.keep(PROJECT, 2, b"two")
        await copy.settled()
        assert (copy.is_failing, await copy.load(PROJECT)) == (False, b"two")

    with_copy(tmp_path, check)


def test_a_damaged_copy_is_counted_and_removed(tmp_path: Path) -> None:
    async def check(copy: DiskWriter, folder: SnapshotFolder) -> None:
        copy.keep(PROJECT, 1, b"one")
        await copy.settled()
        file = tmp_path / "copies" / f"{PROJECT}.snapshot"
        file.write_bytes(file.read_bytes() + b"?")
        assert await copy.load(PROJECT) is None
        assert copy.damaged == 1
        assert folder.is_empty()

    with_copy(tmp_path, check)
