"""The replay of a spool into a real Redis, with a count of its attempts."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from edge_api.events.group_commit import PendingWrite
from edge_api.events.redis_writer import RedisWriter
from edge_api.events.spool import Spool
from edge_api.events.spooling_sink import SpoolingSink
from edge_api.redis_clients import event_connections

#: A busy machine must not cut the connection, which waits for replicas for half of it.
_TIMEOUT_SECONDS = 2.0
_ATTEMPTS = 4


class RecordingWriter(RedisWriter):
    """A writer that sets an event at its fourth attempt."""

    attempts = 0
    is_repeated: asyncio.Event

    def append_within(self, writes: Sequence[PendingWrite], timeout_seconds: float) -> Awaitable[None]:
        self.attempts += 1
        if self.attempts == _ATTEMPTS:
            self.is_repeated.set()
        return super().append_within(writes, min(timeout_seconds, _TIMEOUT_SECONDS))


@asynccontextmanager
async def replaying(redis_url: str, folder: Path, *, replicas: int = 0) -> AsyncIterator[tuple[Spool, asyncio.Event]]:
    """Replay a spool into Redis until the block ends; yield the spool and the event of the fourth attempt."""
    writer = RecordingWriter(event_connections(redis_url), timeout_seconds=_TIMEOUT_SECONDS, replicas=replicas)
    writer.is_repeated = asyncio.Event()
    spool = Spool(folder, limit_bytes=10_000_000)
    task = asyncio.create_task(SpoolingSink(writer, spool, timeout_seconds=_TIMEOUT_SECONDS).replay())
    try:
        yield spool, writer.is_repeated
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await spool.aclose()
        await writer.aclose()
