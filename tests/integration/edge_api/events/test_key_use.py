"""Uses of secret keys on their way to Redis."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import redis
from redis.asyncio import Redis

from common.redis.connect import connect_async
from common.wire.redis_keys import KEY_USE
from edge_api.events.key_use import KeyUseRecorder
from tests.support.servers.running_server import RunningServer


@asynccontextmanager
async def recorder_at(url: str, now: list[float]) -> AsyncIterator[KeyUseRecorder]:
    """Return a recorder whose clock shows the Unix time in `now`."""
    client: Redis = connect_async(url, reply_seconds=1, connect_seconds=1)
    try:
        yield KeyUseRecorder(client, clock=lambda: now[0])
    finally:
        await client.aclose()


def reported(client: redis.Redis) -> dict[bytes, float]:
    members: Any = client.zrange(KEY_USE, 0, -1, withscores=True)
    return dict(members)


async def test_flush_reports_latest_use_of_each_key(redis_url: str, redis_client: redis.Redis) -> None:
    now = [1000.0]
    async with recorder_at(redis_url, now) as recorder:
        recorder.note("proj_1", "key_1")
        recorder.note("proj_2", "key_2")
        now[0] = 1030.5
        recorder.note("proj_1", "key_1")
        await recorder.flush()
        assert reported(redis_client) == {b"proj_1/key_1": 1_030_500, b"proj_2/key_2": 1_000_000}
        redis_client.delete(KEY_USE)
        await recorder.flush()
        assert reported(redis_client) == {}


async def test_two_flushes_at_once_report_each_use(redis_url: str, redis_client: redis.Redis) -> None:
    async with recorder_at(redis_url, [1000.0]) as recorder:
        recorder.note("proj_1", "key_1")
        await asyncio.gather(recorder.flush(), recorder.flush())
        assert reported(redis_client) == {b"proj_1/key_1": 1_000_000}


async def test_flush_never_moves_reported_time_back(redis_url: str, redis_client: redis.Redis) -> None:
    async with recorder_at(redis_url, [1000.0]) as recorder:
        redis_client.zadd(KEY_USE, {"proj_1/key_1": 2_000_000})
        recorder.note("proj_1", "key_1")
        await recorder.flush()
        assert reported(redis_client) == {b"proj_1/key_1": 2_000_000}


async def test_uses_that_redis_did_not_take_are_reported_by_next_flush(private_redis_server: RunningServer) -> None:
    async with recorder_at(private_redis_server.url, [1000.0]) as recorder:
        for number in range(1200):
            recorder.note("proj_1", f"key_{number}")
        await asyncio.to_thread(private_redis_server.kill)
        await recorder.flush()
        await asyncio.to_thread(private_redis_server.start)
        await recorder.flush()
    with redis.Redis.from_url(private_redis_server.url) as client:
        assert client.zcard(KEY_USE) == 1200
