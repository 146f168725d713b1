"""The edge's clients of Redis have connections of their own."""

import asyncio
from contextlib import AsyncExitStack

import redis

from edge_api.background_tasks import BackgroundTasks
from edge_api.redis_clients import READ_CONNECTIONS, snapshot_client, subscriber_client
from edge_api.snapshots.worker_snapshots import WorkerSnapshots
from tests.integration.edge_api.running_edge import edge_settings
from tests.support.data.snapshots import a_snapshot, announce
from tests.support.polling import eventually


async def test_subscriber_follows_changes_while_all_read_connections_are_taken(
    redis_url: str, redis_client: redis.Redis
) -> None:
    async with (
        snapshot_client(redis_url) as reads,
        subscriber_client(redis_url) as changes,
        AsyncExitStack() as stack,
    ):
        for _ in range(READ_CONNECTIONS):
            await stack.enter_async_context(reads.client())
        snapshots = WorkerSnapshots(edge_settings(redis_url), reads, changes)
        await snapshots.open()
        tasks = BackgroundTasks()
        snapshots.start(tasks)
        announce(redis_client, a_snapshot())
        await asyncio.to_thread(eventually, lambda: snapshots.changes.newest_at is not None)
        await tasks.stop()
        assert snapshots.health.is_up
