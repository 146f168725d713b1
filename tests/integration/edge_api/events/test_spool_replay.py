"""The replay of a spool stores each event once, however long a part of Redis is unavailable."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import redis

from common.wire.redis_keys import event_streams
from edge_api.events.group_commit import PendingWrite
from edge_api.events.redis_writer import RedisWriter
from edge_api.events.spool import Spool
from edge_api.events.spooling_sink import SpoolingSink
from edge_api.redis_clients import event_connections


@asynccontextmanager
async def replaying(redis_url: str, folder: Path, *, replicas: int = 0) -> AsyncIterator[tuple[SpoolingSink, Spool]]:
    """Replay a spool into Redis until the block ends."""
    writer = RedisWriter(event_connections(redis_url), timeout_seconds=0.2, replicas=replicas)
    spool = Spool(folder, limit_bytes=10_000_000)
    sink = SpoolingSink(writer, spool, timeout_seconds=0.2)
    task = asyncio.create_task(sink.replay())
    try:
        yield sink, spool
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await spool.aclose()
        await writer.aclose()


async def test_events_are_appended_once_while_a_replica_is_missing(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # WAIT takes half of this time.
    monkeypatch.setattr("edge_api.events.spooling_sink._REPLAY_SECONDS", 0.2)
    writes = [PendingWrite(f"proj_{number}", (b"event",), 5) for number in range(50)]
    async with replaying(redis_url, tmp_path, replicas=1) as (_, spool):
        await spool.append(writes)
        for _ in range(50):
            await asyncio.sleep(0.05)
            info = redis_client.info("commandstats")
            if info.get("cmdstat_wait", {}).get("calls", 0) >= 3:
                break
        assert not spool.is_drained
    assert info["cmdstat_wait"]["calls"] >= 3
    assert sum(redis_client.xlen(stream) for stream in event_streams()) == 50
