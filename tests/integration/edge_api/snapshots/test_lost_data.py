"""The event loop after Redis has lost all data."""

import asyncio
from pathlib import Path

import msgspec
import pytest
import redis

from common.ids import IdPrefix, new_id
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import encode_snapshot
from edge_api.redis_clients import READ_CONNECTIONS
from edge_api.snapshots.worker_snapshots import WorkerSnapshots
from tests.integration.edge_api.running_edge import edge_settings
from tests.integration.edge_api.snapshots.snapshot_worker import eventually, measured_loop, running_snapshots
from tests.support.data.disk_snapshots import copied_revisions
from tests.support.data.snapshots import a_snapshot, announce

PROJECTS = 4_000
#: A quadratic loop over the projects takes more than a second.
LONGEST_STALL_SECONDS = 0.1


def publish_projects(client: redis.Redis) -> list[str]:
    """Publish small projects, and return their ids."""
    template = a_snapshot()
    snapshots = [msgspec.structs.replace(template, project_id=new_id(IdPrefix.PROJECT)) for _ in range(PROJECTS)]
    with client.pipeline(transaction=False) as pipeline:
        for snapshot in snapshots:
            key = snapshot_key(snapshot.project_id)
            pipeline.hset(key, mapping={"revision": snapshot.revision, "body": encode_snapshot(snapshot)})
        pipeline.execute()
    announce(client, snapshots[0])
    return [snapshot.project_id for snapshot in snapshots]


async def load_all(snapshots: WorkerSnapshots, project_ids: list[str]) -> None:
    """Load all projects, as requests do. On a busy machine a load that waits for a connection could time out."""
    for start in range(0, len(project_ids), READ_CONNECTIONS):
        chunk = project_ids[start : start + READ_CONNECTIONS]
        assert None not in await asyncio.gather(*map(snapshots.cache.load, chunk))


def lose_all_data(client: redis.Redis) -> None:
    client.flushall()
    client.config_resetstat()
    client.client_kill_filter(_type="normal", skipme=True)


def hgets(client: redis.Redis) -> int:
    """Return the number of HMGET commands since the data was lost."""
    return int(client.info("commandstats").get("cmdstat_hmget", {"calls": 0})["calls"])


@pytest.mark.slow
async def test_full_sync_after_lost_data_leaves_the_event_loop_responsive(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    project_ids, folder = publish_projects(redis_client), tmp_path / "copies"

    settings = edge_settings(redis_url, edge_snapshot_folder=folder)
    async with running_snapshots(settings) as snapshots:
        await load_all(snapshots, project_ids)
        await eventually(lambda: len(copied_revisions(folder)) == PROJECTS, within=60)
        with measured_loop() as load:
            lose_all_data(redis_client)
            # Redis is asked for all snapshots in memory, and for all copies.
            await eventually(lambda: hgets(redis_client) >= 2 * PROJECTS, within=60)
        await load_all(snapshots, project_ids)
    assert load.longest < LONGEST_STALL_SECONDS
