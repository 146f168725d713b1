"""A spool of which files were damaged or deleted: all rows that can be read are replayed, and it goes on."""

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from edge_api.events.spool import Spool
from edge_api.events.spool_file import DISK_ERRORS
from tests.unit.edge_api.events.spools import (
    a_write,
    append,
    append_in_the_end,
    files,
    fill,
    logs,
    replayed,
    spool_in,
)

ROWS = 60
#: Larger than a page, so that a row has pages of its own.
ROW_BYTES = 6000


async def replayed_in_spite_of_errors(spool: Spool) -> list[str]:
    """Take everything out of the spool, and go on after errors as the replay does."""
    for _ in range(20):
        try:
            return await replayed(spool)
        except DISK_ERRORS:
            continue
    raise AssertionError("the spool fails for ever")


@contextmanager
def no_more_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # A limit of 0 would also fail the poll of other threads, which may watch as many descriptors as the limit allows.
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def leave_orphan(folder: Path, names: list[str]) -> Path:
    """Spool writes with rows of their own pages, and end; return the file."""
    ended = spool_in(folder)
    await ended.adopt_orphans()
    for name in names:
        assert await append(ended, a_write(name, size=ROW_BYTES)) == [None]
    await ended.aclose()
    (file,) = files(folder)
    return file


def damage(file: Path, name: str) -> None:
    """Change the row of a write; what SQLite has left of it in other pages is changed, too."""
    text = name.encode() + b"."
    file.write_bytes(file.read_bytes().replace(text, text.upper()))


async def test_damaged_byte_costs_one_row_and_the_file_is_set_aside(tmp_path: Path) -> None:
    names = [f"name-{number}" for number in range(ROWS)]

    file = await leave_orphan(tmp_path, names)
    damage(file, "name-0")
    damage(file, "name-30")
    damage(file, "name-31")
    heir = spool_in(tmp_path)
    await heir.adopt_orphans()
    found = await replayed(heir)
    # Rows that lie side by side are one place.
    assert (heir.status().damaged, heir.status().records) == (2, 0)
    await heir.aclose()
    assert found == [name for name in names if name not in {"name-0", "name-30", "name-31"}]
    assert len(list((tmp_path / "damaged").iterdir())) == 1


async def test_file_without_its_first_page_is_set_aside_and_others_are_replayed(tmp_path: Path) -> None:
    ruined = await leave_orphan(tmp_path, ["lost"])
    content = ruined.read_bytes()
    ruined.unlink()
    await leave_orphan(tmp_path, ["a", "b"])
    ruined.write_bytes(b"garbage!" * 512 + content[4096:])
    heir = spool_in(tmp_path)
    await heir.adopt_orphans()
    found = await replayed(heir)
    assert heir.status().damaged == 1
    await heir.aclose()
    assert found == ["a", "b"]
    assert len(list((tmp_path / "damaged").iterdir())) == 1


async def test_truncated_file_is_replayed_up_to_its_end(tmp_path: Path) -> None:
    names = [f"{number}" for number in range(ROWS)]
    file = await leave_orphan(tmp_path, names)
    os.truncate(file, file.stat().st_size * 3 // 4)
    heir = spool_in(tmp_path)
    await heir.adopt_orphans()
    found = await replayed_in_spite_of_errors(heir)
    assert heir.status().damaged > 0
    assert (heir.is_drained, heir.records, heir.status().bytes) == (True, 0, 0)
    await heir.aclose()
    assert len(found) > ROWS // 2
    assert found == names[: len(found)]


def copy_files(folder: Path, target: Path) -> None:
    target.mkdir()
    for file in folder.glob("*.sqlite*"):
        shutil.copy(file, target)


async def test_unfinished_end_of_the_log_is_dropped(tmp_path: Path) -> None:
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    await fill(spool, "abc")
    # The files after a power cut: the last commit is incomplete.
    copy_files(tmp_path, tmp_path / "copy")
    await spool.aclose()
    (log,) = logs(tmp_path / "copy")
    os.truncate(log, log.stat().st_size - 1)
    heir = spool_in(tmp_path / "copy")
    await heir.adopt_orphans()
    names = await replayed(heir)
    assert heir.status().damaged == 0
    await heir.aclose()
    assert names == ["a", "b"]


def delete_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def delete_files(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


@pytest.mark.parametrize("ruin", [delete_folder, delete_files])
async def test_write_to_a_deleted_file_is_not_confirmed(tmp_path: Path, ruin: Callable[[Path], None]) -> None:
    folder = tmp_path / "spool"
    spool = spool_in(folder)
    await spool.adopt_orphans()
    await fill(spool, "a")
    ruin(folder)
    (error,) = await append(spool, a_write("refused"))
    assert isinstance(error, FileNotFoundError)
    await append_in_the_end(spool, a_write("new"))
    assert len(files(folder)) == 1
    # The open file can still be read.
    names = await replayed_in_spite_of_errors(spool)
    await spool.aclose()
    assert (names[0], names[-1]) == ("a", "new")


async def test_orphans_that_cannot_be_read_do_not_hold_up_the_others(tmp_path: Path) -> None:
    await leave_orphan(tmp_path, ["a", "b"])
    for name in ("0.sqlite", "z.sqlite"):
        (tmp_path / name).mkdir()
    heir = spool_in(tmp_path)
    await heir.adopt_orphans()
    names = await replayed(heir)
    descriptors = open_descriptors()
    for _ in range(3):
        await heir.adopt_orphans()
    assert open_descriptors() == descriptors
    await heir.aclose()
    assert names == ["a", "b"]


async def test_orphan_waits_while_the_process_has_no_descriptors(tmp_path: Path) -> None:
    await leave_orphan(tmp_path, ["a", "b"])
    heir = spool_in(tmp_path)
    # The thread that reads needs no descriptor of its own any more.
    assert await heir.next_batch() is None
    with no_more_descriptors():
        for _ in range(3):
            await heir.adopt_orphans()
    await heir.adopt_orphans()
    names = await replayed(heir)
    assert heir.status().damaged == 0
    await heir.aclose()
    assert names == ["a", "b"]


async def test_own_file_is_read_while_the_process_has_no_descriptors(tmp_path: Path) -> None:
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    await fill(spool, "abc")
    with no_more_descriptors():
        names = await replayed(spool)
    await spool.aclose()
    assert names == ["a", "b", "c"]
