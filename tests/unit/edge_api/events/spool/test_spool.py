"""The spool on a real disk: order, bounds, damage, the dead, and a disk that fails."""

import asyncio
import os
import shutil
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from edge_api.events.spool.frame import frames_in
from edge_api.events.spool.segment_writer import SEGMENT_BYTES
from edge_api.events.spool.spool import Spool
from edge_api.events.spool.spool_folder import SpoolFolder
from edge_api.events.submission import Submission

Given = TypeVar("Given")
PLENTY = 1_000_000


def submission(name: str, *, is_promised: bool = True, size: int = 0) -> Submission:
    """Give a submission of one record that can be told from others."""
    body = name.encode().ljust(size, b".")
    return Submission("proj_1", (body,), lambda _failure: None, len(body), is_promised)


def spool_in(folder: Path, limit_bytes: int = PLENTY, segment_bytes: int = SEGMENT_BYTES) -> Spool:
    """Make a spool; it is not opened."""
    return Spool(SpoolFolder(folder), limit_bytes=limit_bytes, segment_bytes=segment_bytes)


async def replayed(spool: Spool) -> list[str]:
    """Take everything out of the spool."""
    names: list[str] = []
    while (batch := await spool.next_batch()) is not None:
        names.extend(body.decode().rstrip(".") for one in batch.submissions for body in one.bodies)
        await spool.confirm(batch, len(batch.submissions))
    return names


async def replayed_in_turns_with(spool: Spool, filling: asyncio.Task[None]) -> list[str]:
    """Take everything out of the spool as soon as it is there: once in each turn of the loop."""
    names: list[str] = []
    while not filling.done():
        names.extend(await replayed(spool))
        await asyncio.sleep(0)
    await filling
    return names + await replayed(spool)


async def replayed_in_spite_of_errors(spool: Spool) -> list[str]:
    """Take everything out of the spool, and go on after errors as the replay does."""
    for _ in range(20):
        try:
            return await replayed(spool)
        except OSError:
            continue
    raise AssertionError("the spool fails for ever")


def open_files() -> int:
    """Tell how many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def fill(spool: Spool, names: Sequence[str]) -> None:
    """Spool one submission after the other."""
    for name in names:
        assert await spool.append([submission(name)]) == [None]


def run(scenario: Coroutine[None, None, Given]) -> Given:
    """Run a scenario to its end."""
    return asyncio.run(scenario)


def segments(folder: Path) -> list[Path]:
    """Give all segments below the folder."""
    return sorted(folder.glob("spool-*/*.segment"))


def fill_the_disk(file: Path) -> None:
    """Have every further write to an open file of this process fail as on a full disk."""
    descriptors = [one for one in Path("/proc/self/fd").iterdir() if one.resolve() == file.resolve()]
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, int(descriptors[0].name))
    os.close(full)


def test_what_was_spooled_is_given_back_in_order_and_leaves_nothing(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        spool = spool_in(tmp_path / "spool", segment_bytes=100)
        await spool.open()
        await fill(spool, [f"{number}" for number in range(50)])
        assert len(segments(tmp_path / "spool")) > 5
        assert (spool.figures().state, spool.figures().records) == ("filled", 50)
        names = await replayed(spool)
        assert (spool.is_drained, spool.figures().bytes, spool.figures().replayed) == (True, 0, 50)
        spool.close()
        return names

    assert run(scenario()) == [f"{number}" for number in range(50)]
    assert list((tmp_path / "spool").iterdir()) == []


def test_a_segment_that_is_replayed_while_it_is_written_to_stays_until_the_rest_is_replayed_too(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        spool = spool_in(tmp_path)
        await spool.open()
        await fill(spool, "a")
        names = await replayed_in_turns_with(spool, asyncio.create_task(fill(spool, "bcdefgh")))
        spool.close()
        return names

    assert run(scenario()) == list("abcdefgh")


def test_what_redis_did_not_take_is_given_again(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        spool = spool_in(tmp_path)
        await spool.open()
        await fill(spool, "abc")
        batch = await spool.next_batch()
        assert batch is not None
        await spool.confirm(batch, 1)
        names = await replayed(spool)
        spool.close()
        return names

    assert run(scenario()) == ["b", "c"]


def test_the_spool_of_the_dead_is_taken_over_before_anything_new(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        dead = spool_in(tmp_path)
        await dead.open()
        await fill(dead, "ab")
        # Its process ends: the lock falls, the files stay.
        dead.close()
        heir = spool_in(tmp_path)
        await heir.open()
        assert heir.figures().records == 2
        await fill(heir, "c")
        names = await replayed(heir)
        heir.close()
        return names

    assert run(scenario()) == ["a", "b", "c"]
    assert segments(tmp_path) == []


def test_the_spool_of_the_living_is_left_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        living, other = spool_in(tmp_path), spool_in(tmp_path)
        await living.open()
        await fill(living, "a")
        await other.open()
        assert other.is_drained
        assert await replayed(living) == ["a"]
        living.close()
        other.close()

    run(scenario())


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


def test_past_its_bound_the_spool_refuses_until_it_was_emptied(tmp_path: Path) -> None:
    async def scenario() -> None:
        spool = spool_in(tmp_path, limit_bytes=1000)
        await spool.open()
        fates = await spool.append([submission(f"{number}", size=200) for number in range(8)])
        stored = fates.count(None)
        assert 0 < stored < 8
        assert spool.figures().refused == 8 - stored
        assert spool.figures().bytes <= 1000
        assert len(await replayed(spool)) == stored
        assert await spool.append([submission("more")]) == [None]
        spool.close()

    run(scenario())


def test_what_nobody_was_promised_leaves_half_of_the_room(tmp_path: Path) -> None:
    async def scenario() -> None:
        spool = spool_in(tmp_path, limit_bytes=1000)
        await spool.open()
        fates = [(await spool.append([submission("x", size=100, is_promised=False)]))[0] for _ in range(8)]
        assert fates[0] is None
        assert fates[-1] is not None
        assert spool.figures().bytes <= 500
        assert await spool.append([submission("event", size=100)]) == [None]
        spool.close()

    run(scenario())


def test_a_disk_that_cannot_be_written_refuses_and_tells(tmp_path: Path) -> None:
    async def scenario() -> None:
        (tmp_path / "file").write_text("no folder")
        spool = spool_in(tmp_path / "file" / "spool")
        await spool.open()
        (fate,) = await spool.append([submission("a")])
        assert isinstance(fate, OSError)
        assert (spool.figures().state, spool.figures().refused) == ("failing", 1)
        spool.close()

    run(scenario())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_segment_whose_write_failed_is_never_written_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        spool = spool_in(tmp_path)
        await spool.open()
        await fill(spool, "a")
        fill_the_disk(segments(tmp_path)[0])
        (fate,) = await spool.append([submission("lost")])
        assert isinstance(fate, OSError)
        assert spool.figures().state == "failing"
        assert await replayed(spool) == ["a"]
        spool.close()

    run(scenario())
