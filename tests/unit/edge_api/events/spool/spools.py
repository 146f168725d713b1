"""Spools on a real disk for tests: filled with submissions that have names, and read to the end."""

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TypeVar

from edge_api.events.pending_write import PendingWrite
from edge_api.events.spool.segment_writer import SEGMENT_BYTES
from edge_api.events.spool.spool import Spool
from edge_api.events.spool.spool_folder import SpoolFolder

Given = TypeVar("Given")
PLENTY = 1_000_000


def submission(name: str, *, is_promised: bool = True, size: int = 0) -> PendingWrite:
    """Give a submission of one record that can be told from others."""
    body = name.encode().ljust(size, b".")
    return PendingWrite("proj_1", (body,), lambda _failure: None, len(body), is_promised)


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
