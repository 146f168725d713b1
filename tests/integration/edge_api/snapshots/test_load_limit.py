"""The bounds of loads: those at once, and those of projects that an incomplete Redis does not have."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest
import redis

from common.errors import UnavailableError
from common.ids import IdPrefix, new_id
from edge_api.redis_clients import READ_CONNECTIONS, snapshot_client, subscriber_client
from edge_api.snapshots.cache import MAX_CONCURRENT_LOADS, MISSING_READS_PER_SECOND, ProjectMissingError
from edge_api.snapshots.worker_snapshots import WorkerSnapshots
from tests.integration.edge_api.running_edge import edge_settings
from tests.support.data.snapshots import a_snapshot, publish
from tests.support.servers.running_server import RunningServer


async def test_loads_above_the_limit_are_unavailable_at_once(redis_url: str, redis_client: redis.Redis) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)

    async with snapshot_client(redis_url) as client, subscriber_client(redis_url) as subscriber:
        snapshots = WorkerSnapshots(edge_settings(redis_url), client, subscriber)
        await snapshots.open()
        load = snapshots.cache.load
        async with AsyncExitStack() as stack:
            for _ in range(READ_CONNECTIONS):
                await stack.enter_async_context(client.client())
            waiting = [asyncio.ensure_future(load(snapshot.project_id))]
            waiting += [asyncio.ensure_future(load(new_id(IdPrefix.PROJECT))) for _ in range(MAX_CONCURRENT_LOADS)]
            rejected = waiting.pop()
            with pytest.raises(UnavailableError):
                await rejected
            # A project that is being loaded takes no further place.
            waiting.append(asyncio.ensure_future(load(snapshot.project_id)))
            await asyncio.sleep(0)
            assert not any(load.done() for load in waiting)
        first, *unknown, last = await asyncio.gather(*waiting)
        assert first is last
        assert first is not None
        assert set(unknown) == {None}


async def test_made_up_projects_cost_few_reads_while_redis_is_incomplete(private_redis_server: RunningServer) -> None:
    url = private_redis_server.url
    async with snapshot_client(url) as client, subscriber_client(url) as subscriber:
        snapshots = WorkerSnapshots(edge_settings(url), client, subscriber)
        await snapshots.open()
        load = snapshots.cache.load
        started = time.monotonic()
        for _ in range(50):
            loads = (load(new_id(IdPrefix.PROJECT)) for _ in range(100))
            results = await asyncio.gather(*loads, return_exceptions=True)
            assert {type(result) for result in results} <= {ProjectMissingError, UnavailableError}
        seconds = int(time.monotonic() - started) + 2
        reads = (await client.info("commandstats"))["cmdstat_hmget"]["calls"]
    # The loads of one moment begin before the first of them is known to be in vain.
    assert reads <= (seconds + 1) * MISSING_READS_PER_SECOND
