"""Spools on a real disk for tests: filled with named writes, and read to the end."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from common.wire.redis_keys import event_streams
from edge_api.events.group_commit import PendingWrite
from edge_api.events.spool import Spool

T = TypeVar("T")
PLENTY = 10_000_000


def a_write(name: str, *, is_required: bool = True, size: int = 0) -> PendingWrite:
    body = name.encode().ljust(size, b".")
    return PendingWrite("proj_1", event_streams()[0], (body,), len(body), is_required=is_required)


def spool_in(folder: Path, limit_bytes: int = PLENTY) -> Spool:
    """Make a spool; it is not opened."""
    return Spool(folder, limit_bytes=limit_bytes)


async def adopted_names(folder: Path, shard: int | None) -> list[str]:
    """Return the names of the writes that the spool of a stream of a Cluster adopts; None are those of no stream."""
    spool = Spool(folder, limit_bytes=PLENTY, shard=shard, adopts_all=False)
    await spool.adopt_orphans()
    names = await replayed(spool)
    await spool.aclose()
    return names


async def leave_spools(folder: Path, shards: Sequence[int | None]) -> None:
    """Spool a write for each stream, named by its number, and end."""
    for shard in shards:
        spool = Spool(folder, limit_bytes=PLENTY, shard=shard)
        await fill(spool, [str(shard)])
        await spool.aclose()


async def append(spool: Spool, *writes: PendingWrite) -> list[Exception | None]:
    """Spool writes as one group; return their errors."""
    await spool.append(writes)
    return [write.error for write in writes]


async def append_in_the_end(spool: Spool, write: PendingWrite) -> None:
    """Spool a write as soon as the spool tries its disk again after a failure."""
    deadline = asyncio.get_running_loop().time() + 20
    while await append(spool, write) != [None]:
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.05)


async def fill(spool: Spool, names: Sequence[str]) -> None:
    for name in names:
        assert await append(spool, a_write(name)) == [None]


async def replayed(spool: Spool) -> list[str]:
    names: list[str] = []
    while (batch := await spool.next_batch()) is not None:
        names.extend(body.decode().rstrip(".") for write in batch.writes for body in write.bodies)
        await spool.confirm(batch)
    return names


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite"))


def logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*-wal"))


def bytes_on_disk(folder: Path, pattern: str = "*") -> int:
    return sum(file.stat().st_size for file in folder.glob(pattern))
