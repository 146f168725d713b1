"""The spool on a real disk: order, bounds, damage, the dead, and a disk that fails."""

import asyncio
import os
from pathlib import Path

import pytest

from edge_api.events.spool.spool import Spool
from tests.unit.edge_api.events.spool.spools import fill, replayed, run, segments, spool_in, submission


async def replayed_in_turns_with(spool: Spool, filling: asyncio.Task[None]) -> list[str]:
    """Take everything out of the spool as soon as it is there: once in each turn of the loop."""
    names: list[str] = []
    while not filling.done():
        names.extend(await replayed(spool))
        await asyncio.sleep(0)
    await filling
    return names + await replayed(spool)


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
