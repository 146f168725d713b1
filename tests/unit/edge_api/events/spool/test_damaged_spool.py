"""A spool of which the disk, or somebody, has taken something away: the rest is replayed, and it goes on."""

import asyncio
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from edge_api.events.spool.frame import frames_in
from edge_api.events.spool.spool import Spool
from tests.unit.edge_api.events.spool.spools import fill, replayed, run, segments, spool_in, submission


async def replayed_in_spite_of_errors(spool: Spool) -> list[str]:
    """Take everything out of the spool, and go on after errors as the replay does."""
    for _ in range(20):
        try:
            return await replayed(spool)
        except OSError:
            continue
    raise AssertionError("the spool fails for ever")


@contextmanager
def no_more_files() -> Iterator[None]:
    """Have this process open nothing more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def open_files() -> int:
    """Tell how many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_an_unfinished_tail_is_cut_off_and_counted(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        dead = spool_in(tmp_path)
        await dead.open()
        await fill(dead, "ab")
        dead.close()
        (file,) = segments(tmp_path)
        os.truncate(file, file.stat().st_size - 1)
        heir = spool_in(tmp_path)
        await heir.open()
        assert (heir.figures().torn, heir.figures().damaged) == (1, 0)
        names = await replayed(heir)
        heir.close()
        return names

    assert run(scenario()) == ["a"]


def test_a_damaged_frame_is_counted_and_its_segment_set_aside(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        dead = spool_in(tmp_path)
        await dead.open()
        await fill(dead, "abc")
        dead.close()
        (file,) = segments(tmp_path)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        heir = spool_in(tmp_path)
        await heir.open()
        names = await replayed(heir)
        assert (heir.figures().damaged, heir.figures().torn) == (1, 0)
        heir.close()
        return names

    assert run(scenario()) == ["a", "c"]
    assert len(list((tmp_path / "damaged").iterdir())) == 1


def delete(file: Path) -> None:
    """Delete a file."""
    file.unlink()


def truncate(file: Path) -> None:
    """Leave half of a file."""
    os.truncate(file, file.stat().st_size // 2)


def make_unreadable(file: Path) -> None:
    """Have every read of a file fail, for root as well."""
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("ruin", [delete, truncate, make_unreadable])
def test_a_segment_that_cannot_be_read_any_more_is_given_up_and_what_comes_behind_it_is_replayed(
    tmp_path: Path, ruin: Callable[[Path], None]
) -> None:
    async def scenario() -> None:
        spool = spool_in(tmp_path, segment_bytes=100)
        await spool.open()
        await fill(spool, "abcdef")
        (first, *_) = segments(tmp_path)
        behind = "abcdef"[len(list(frames_in(first.read_bytes()))) :]
        ruin(first)
        names = "".join(await replayed_in_spite_of_errors(spool))
        assert names.endswith(behind)
        assert spool.figures().damaged > 0
        assert (spool.is_drained, spool.records, spool.figures().bytes) == (True, 0, 0)
        spool.close()

    run(scenario())


def test_a_spool_whose_folder_is_deleted_makes_another(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        spool = spool_in(tmp_path)
        await spool.open()
        await fill(spool, "lost")
        shutil.rmtree(segments(tmp_path)[0].parent)
        assert await replayed_in_spite_of_errors(spool) == []
        (fate,) = await spool.append([submission("refused")])
        assert isinstance(fate, FileNotFoundError)
        # The disk is left alone for a while after a failure.
        for _ in range(100):
            await asyncio.sleep(0.05)
            if await spool.append([submission("new")]) == [None]:
                break
        names = await replayed(spool)
        spool.close()
        return names

    assert run(scenario()) == ["new"]


@pytest.mark.parametrize("unreadable", ["lock", "00000001.segment"])
def test_what_the_dead_left_unreadable_does_not_keep_the_rest_from_being_taken_over(
    tmp_path: Path, unreadable: str
) -> None:
    async def scenario() -> list[str]:
        dead = spool_in(tmp_path)
        await dead.open()
        await fill(dead, "abc")
        dead.close()
        # Names are chosen by chance; one of these comes first.
        for name in ("spool-0", "spool-z"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "lock").touch()
            (tmp_path / name / unreadable).unlink(missing_ok=True)
            (tmp_path / name / unreadable).mkdir()
        heir = spool_in(tmp_path)
        await heir.open()
        names = await replayed(heir)
        descriptors = open_files()
        for _ in range(3):
            await heir.take_over()
        assert open_files() == descriptors
        heir.close()
        return names

    assert run(scenario()) == list("abc")


@pytest.mark.parametrize("left_by", ["itself", "the dead"])
def test_what_cannot_be_read_for_want_of_descriptors_waits_and_is_not_given_up(tmp_path: Path, left_by: str) -> None:
    async def scenario() -> list[str]:
        spool = spool_in(tmp_path)
        await spool.open()
        await fill(spool, "abc")
        if left_by == "the dead":
            spool.close()
            spool = spool_in(tmp_path)
        # The thread that reads needs no descriptor of its own any more.
        await asyncio.to_thread(open_files)
        with no_more_files():
            for _ in range(20):
                if left_by == "the dead":
                    await spool.take_over()
                else:
                    with pytest.raises(OSError, match="Too many open files"):
                        await spool.next_batch()
        await spool.take_over()
        names = await replayed(spool)
        assert spool.figures().damaged == 0
        spool.close()
        return names

    assert run(scenario()) == list("abc")
