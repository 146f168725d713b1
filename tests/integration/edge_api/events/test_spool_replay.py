"""The replay of a spool stores each event once, however long a part of Redis is unavailable."""

import asyncio
from pathlib import Path

import redis

from common.wire.redis_keys import event_streams
from edge_api.events.group_commit import PendingWrite
from tests.integration.edge_api.events.replays import replaying


async def test_events_are_appended_once_while_a_replica_is_missing(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    async with replaying(redis_url, tmp_path, replicas=1) as (spool, is_repeated):
        await spool.append([PendingWrite(f"proj_{number}", (b"event",), 5) for number in range(50)])
        async with asyncio.timeout(30):
            await is_repeated.wait()
        assert not spool.is_drained
    assert sum(redis_client.xlen(stream) for stream in event_streams()) == 50
