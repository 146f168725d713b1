"""An edge of two workers with a spool, its clients, and their events in Redis and on disk."""

import time
from pathlib import Path
from typing import Any

import httpx
import redis

from common.wire.redis_keys import EVENT_FIELD, event_streams
from common.wire.snapshot import Snapshot
from common.wire.stream_records import EventRecord, decode_record
from tests.support.data.snapshots import sdk_headers
from tests.support.faults.retrying_clients import ClientLog, RetryingClients
from tests.support.servers.edge_process import StartedEdge

EVENTS_AT_ONCE = 240


def an_edge(redis_url: str, folder: Path, **settings: str) -> StartedEdge:
    """Return an edge of two workers with a spool below the folder; it is not started."""
    chosen = {"edge_spool_folder": str(folder / "spool"), "record_exposures": "false", **settings}
    return StartedEdge(redis_url, folder, workers=2, **chosen)


def clients_of(edge: StartedEdge, snapshot: Snapshot) -> RetryingClients:
    """Return clients that post to an edge, once all its workers have loaded the project."""
    for connection in edge.connections(of_each_worker=1):
        connection.request("GET", "/api/config", headers=sdk_headers(snapshot))
        assert connection.getresponse().status == 200
        connection.close()
    return RetryingClients(edge.url, sdk_headers(snapshot), "flow_default")


def post_for(clients: RetryingClients, seconds: float, log: ClientLog) -> None:
    """Post for this number of seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        log.add(clients.post(EVENTS_AT_ONCE))


def stored_ids(client: redis.Redis) -> set[str]:
    """Return the ids of all events in the streams. Some may be there twice; the consumer drops the second."""
    streams: list[Any] = [client.xrange(stream) for stream in event_streams()]
    records = [decode_record(entry[EVENT_FIELD.encode()]) for stream in streams for _, entry in stream]
    return {record.event_id for record in records if isinstance(record, EventRecord)}


def events_stored_in(edge: StartedEdge) -> str:
    """Return where a worker stores events, by its health: redis, spool or none."""
    return str(httpx.get(f"{edge.url}/health/ready").json()["events"]["store"])


def spooled_bytes(folder: Path) -> int:
    """Return the bytes of all spool files."""
    return sum(size_of(file) for file in (folder / "spool").glob("*.sqlite*"))


def size_of(file: Path) -> int:
    """Return the bytes of a file, 0 when it was deleted a moment ago."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
