"""The spool on a real disk: order, bounds, orphans, and a disk that fails."""

import asyncio
import errno
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from common.wire.redis_keys import EVENT_SHARDS
from edge_api.events.spool import Spool
from tests.unit.edge_api.events.spools import (
    a_write,
    adopted_names,
    append,
    append_in_the_end,
    bytes_on_disk,
    files,
    fill,
    leave_spools,
    replayed,
    spool_in,
)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Have writes of this process behind this size of a file fail; Python ignores the signal that goes with it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def replayed_while(spool: Spool, filling: asyncio.Task[None]) -> list[str]:
    """Take everything out of the spool as soon as it is there."""
    names: list[str] = []
    while not filling.done():
        names.extend(await replayed(spool))
        await asyncio.sleep(0)
    await filling
    return names + await replayed(spool)


async def test_writes_are_replayed_in_order_and_leave_nothing(tmp_path: Path) -> None:
    names = [f"{number}" for number in range(2500)]

    spool = spool_in(tmp_path / "spool")
    await spool.adopt_orphans()
    for start in range(0, len(names), 50):
        assert await append(spool, *map(a_write, names[start : start + 50])) == [None] * 50
    assert (spool.status().state, spool.status().records) == ("filled", 2500)
    found = await replayed(spool)
    status = spool.status()
    assert (spool.is_drained, status.bytes, status.records, status.replayed) == (True, 0, 0, 2500)
    await spool.aclose()
    assert found == names
    assert list((tmp_path / "spool").iterdir()) == []


async def test_writes_spooled_during_a_replay_are_replayed_too(tmp_path: Path) -> None:
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    await fill(spool, "a")
    names = await replayed_while(spool, asyncio.create_task(fill(spool, "bcdefgh")))
    await spool.aclose()
    assert names == list("abcdefgh")


async def test_writes_that_redis_did_not_take_are_replayed_again(tmp_path: Path) -> None:
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    await fill(spool, "a")
    assert await spool.next_batch() is not None
    await fill(spool, "b")
    names = await replayed(spool)
    await spool.aclose()
    assert names == ["a", "b"]


async def test_orphaned_spool_is_replayed_before_new_writes(tmp_path: Path) -> None:
    ended = spool_in(tmp_path)
    await ended.adopt_orphans()
    await fill(ended, "ab")
    batch = await ended.next_batch()
    assert batch is not None
    await fill(ended, "cd")
    await ended.confirm(batch)
    await ended.aclose()
    heir = spool_in(tmp_path)
    await heir.adopt_orphans()
    assert heir.status().records == 2
    await fill(heir, "e")
    names = await replayed(heir)
    await heir.aclose()
    assert names == ["c", "d", "e"]
    assert files(tmp_path) == []


async def test_spool_of_a_stream_adopts_files_of_this_stream_only(tmp_path: Path) -> None:
    await leave_spools(tmp_path, [None, 0, 1])
    assert [await adopted_names(tmp_path, shard) for shard in (1, 0, None)] == [["1"], ["0"], ["None"]]


async def test_spool_without_a_stream_adopts_files_of_unknown_streams(tmp_path: Path) -> None:
    await leave_spools(tmp_path, [EVENT_SHARDS])
    assert await adopted_names(tmp_path, None) == [f"{EVENT_SHARDS}"]


async def test_only_spool_of_a_worker_adopts_files_of_all_streams(tmp_path: Path) -> None:
    await leave_spools(tmp_path, [1, None, 0])
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    assert await replayed(spool) == ["1", "None", "0"]
    await spool.aclose()


async def test_spool_of_a_running_worker_is_not_adopted(tmp_path: Path) -> None:
    running, other = spool_in(tmp_path), spool_in(tmp_path)
    await running.adopt_orphans()
    await fill(running, "a")
    await other.adopt_orphans()
    assert other.is_drained
    assert await replayed(running) == ["a"]
    await running.aclose()
    await other.aclose()


_KILLED_WORKER = """
import asyncio, os, signal, sys
from pathlib import Path
from tests.unit.edge_api.events.spools import fill, spool_in

async def scenario():
    spool = spool_in(Path(sys.argv[1]))
    await spool.adopt_orphans()
    await fill(spool, [f"{number}" for number in range(200)])
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(scenario())
"""


async def test_spool_of_a_killed_worker_is_complete(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _KILLED_WORKER, str(tmp_path)], check=False, timeout=60)  # noqa: S603 - our own words

    heir = spool_in(tmp_path)
    await heir.adopt_orphans()
    names = await replayed(heir)
    await heir.aclose()
    assert names == [f"{number}" for number in range(200)]


async def test_spool_refuses_above_its_bound_until_it_is_replayed(tmp_path: Path) -> None:
    spool = spool_in(tmp_path, limit_bytes=100_000)
    await spool.adopt_orphans()
    errors = await append(spool, *(a_write(f"{number}", size=15_000) for number in range(8)))
    stored = errors.count(None)
    assert 0 < stored < 8
    assert spool.status().rejected == 8 - stored
    assert 0.5 < spool.status().fill <= 1
    assert bytes_on_disk(tmp_path) <= 100_000
    assert len(await replayed(spool)) == stored
    assert await append(spool, a_write("more")) == [None]
    await spool.aclose()


async def test_best_effort_writes_fill_at_most_half_of_the_bound(tmp_path: Path) -> None:
    spool = spool_in(tmp_path, limit_bytes=4000)
    await spool.adopt_orphans()
    errors = [(await append(spool, a_write("x", size=100, is_required=False)))[0] for _ in range(16)]
    assert errors[0] is None
    assert errors[-1] is not None
    assert spool.status().bytes <= 2000
    assert await append(spool, a_write("event", size=100)) == [None]
    await spool.aclose()


async def test_folder_that_cannot_be_made_refuses_and_shows_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    spool = spool_in(tmp_path / "file" / "spool")
    await spool.adopt_orphans()
    (error,) = await append(spool, a_write("a"))
    assert isinstance(error, OSError)
    assert (spool.status().state, spool.status().rejected) == ("failing", 1)
    await spool.aclose()


async def test_file_whose_write_failed_is_never_written_again(tmp_path: Path) -> None:
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    await fill(spool, "a")
    (first,) = files(tmp_path)
    with file_size_limit(40_000):
        (error,) = await append(spool, a_write("refused", size=60_000))
    assert error is not None
    assert (spool.status().state, spool.status().rejected) == ("failing", 1)
    size = bytes_on_disk(tmp_path)
    # The disk is not tried for a while after a failure.
    assert await append(spool, a_write("refused, too")) != [None]
    await append_in_the_end(spool, a_write("b"))
    assert len(files(tmp_path)) == 2
    assert bytes_on_disk(tmp_path, f"{first.name}*") == size
    names = await replayed(spool)
    await spool.aclose()
    assert names == ["a", "b"]
    assert list(tmp_path.iterdir()) == []


async def test_disk_with_room_again_is_found_without_an_event(tmp_path: Path) -> None:
    spool = spool_in(tmp_path)
    with file_size_limit(40_000):
        assert await append(spool, a_write("refused", size=60_000)) != [None]
        assert await spool.next_batch() is None
    assert spool.status().state == "failing"
    async with asyncio.timeout(10):
        while spool.status().state != "empty":
            await asyncio.sleep(0.05)
            await spool.adopt_orphans()
    await spool.aclose()
    assert list(tmp_path.iterdir()) == []


async def test_hanging_disk_refuses_until_it_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_back = threading.Event()
    open_file = os.open

    def open_slowly(path: str | Path, *arguments: int, **options: int) -> int:
        if str(path).endswith(".sqlite"):
            is_back.wait()
        return open_file(path, *arguments, **options)

    # The write that hung was refused and is stored all the same, like one whose confirmation was lost.
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", open_slowly)
        patch.setattr("edge_api.events.spool._DISK_SECONDS", 0.1)
        assert [type(error) for error in await append(spool, a_write("late"))] == [TimeoutError]
        # Refused at once: nothing waits behind a disk that hangs.
        (error,) = await append(spool, a_write("refused"))
        assert isinstance(error, OSError)
        assert error.errno == errno.EBUSY
    assert spool.status().state == "failing"
    is_back.set()
    await append_in_the_end(spool, a_write("a"))
    assert spool.status().state == "filled"
    names = await replayed(spool)
    await spool.aclose()
    assert names == ["late", "a"]


async def test_hanging_disk_does_not_stop_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_back = threading.Event()
    spool = spool_in(tmp_path)
    with monkeypatch.context() as patch:
        # The spool prepares its folder first.
        patch.setattr(os, "chmod", lambda *_arguments, **_options: is_back.wait())
        patch.setattr("edge_api.events.spool._DISK_SECONDS", 0.1)
        await spool.adopt_orphans()
        (error,) = await append(spool, a_write("refused"))
        assert isinstance(error, OSError)
        is_back.set()
        await append_in_the_end(spool, a_write("a"))
    await spool.aclose()


async def test_spool_files_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    spool = spool_in(tmp_path / "spool")
    await spool.adopt_orphans()
    await fill(spool, "a")
    modes = {oct(file.stat().st_mode & 0o777) for file in (tmp_path / "spool").iterdir()}
    assert (oct((tmp_path / "spool").stat().st_mode & 0o777), modes) == ("0o700", {"0o600"})
    await spool.aclose()


async def test_empty_file_of_a_worker_that_may_still_lock_it_stays_for_a_while(tmp_path: Path) -> None:
    young, old = (tmp_path / f"{name}.sqlite" for name in ("young", "old"))
    young.touch()
    old.touch()
    os.utime(old, (1, 1))
    spool = spool_in(tmp_path)
    await spool.adopt_orphans()
    await spool.aclose()
    assert (young.exists(), old.exists()) == (True, False)
