"""The replay of a spool stores each event once, however long a part of Redis is unavailable."""

import asyncio
from collections import Counter
from pathlib import Path

import redis

from common.wire.redis_keys import event_streams
from common.wire.stream_records import EventRecord, encode_record
from edge_api.events.group_commit import PendingWrite, stream_of
from tests.integration.edge_api.events.replays import replaying
from tests.integration.edge_api.events.spool_file_of_0_2 import write_spool_file_of_0_2
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.faults.spooling_edge import stored_ids
from tests.support.polling import eventually


async def test_events_are_appended_once_while_a_replica_is_missing(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    async with replaying(redis_url, tmp_path, replicas=1) as (spool, is_repeated):
        await spool.append([PendingWrite(f"proj_{number}", event_streams()[0], (b"event",), 5) for number in range(50)])
        async with asyncio.timeout(30):
            await is_repeated.wait()
        assert not spool.is_drained
    assert sum(redis_client.xlen(stream) for stream in event_streams()) == 50


def test_spool_file_of_release_0_2_is_replayed(redis_url: str, redis_client: redis.Redis, tmp_path: Path) -> None:
    posted = {f"proj_{number}": [f"{number}-a", f"{number}-b"] for number in range(20)}
    write_spool_file_of_0_2(tmp_path / "spool", posted)
    with running_edge(edge_settings(redis_url, edge_event_replicas=0, edge_spool_folder=tmp_path / "spool")):
        eventually(lambda: list((tmp_path / "spool").iterdir()) == [])
    assert stored_ids(redis_client) == {event_id for ids in posted.values() for event_id in ids}


async def test_spooled_events_go_to_the_streams_of_their_devices(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    events = [EventRecord("proj_1", f"{number}", "flow_started", f"device {number}", 1, 1) for number in range(40)]
    writes = [PendingWrite("proj_1", stream_of(event), (encode_record(event),), 1) for event in events]
    async with replaying(redis_url, tmp_path) as (spool, _):
        await spool.append(writes)
        await asyncio.to_thread(eventually, lambda: spool.is_drained)
    expected = Counter(stream_of(event) for event in events)
    assert {stream: redis_client.xlen(stream) for stream in event_streams()} == expected
