"""A failover under load: clients resolve and post while the master dies, and what they were told is held against it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import redis

from common.redis_keys import EVENT_FIELD, event_streams
from common.snapshot import Snapshot
from common.stream_records import EventRecord, decode_record
from tests.faults.soak import soaked
from tests.faults.stubborn_clients import StubbornClients
from tests.polling import eventually
from tests.redis_topologies.steady_posts import SteadyPosts
from tests.revision_readers import RevisionReaders, numbered_revision, revision_readers
from tests.snapshots import publish, sdk_headers
from tests.started_edge import StartedEdge

#: The load goes on for so long before the master dies, and after the newest revision is seen.
LOAD_SECONDS = soaked("FAILOVER_SECONDS", 0)
FAILOVER_SECONDS = 30


@dataclass(frozen=True)
class Outcome:
    """What the clients have seen, and what Redis has afterwards."""

    acknowledged: int
    lost: int
    failed_posts: int
    resolved: int
    failed_resolves: int
    slowest_resolve: float
    #: From the death of the master to the newest revision on every connection.
    newest_after: float


def fail_over(
    edge: StartedEdge,
    client: redis.Redis,
    snapshots: Sequence[Snapshot],
    *,
    hold_up: Callable[[], object],
    kill: Callable[[], object],
) -> Outcome:
    """Kill the master under load, after holding up what goes to its replicas."""
    for snapshot in snapshots:
        publish(client, snapshot)
    clients = [StubbornClients(edge.url, sdk_headers(one), "flow_default", clients=1) for one in snapshots]
    with revision_readers(edge, snapshots, of_each_worker=4) as readers:
        eventually(lambda: readers.all_serve(1), within=20)
        posts = [SteadyPosts(some) for some in clients]
        with posts[0], posts[-1]:
            _go_on(readers, LOAD_SECONDS)
            hold_up()
            _go_on(readers, LOAD_SECONDS)
            kill()
            died = time.monotonic()
            for snapshot in snapshots:
                _publish_stubbornly(client, numbered_revision(snapshot, 2))
            eventually(lambda: readers.all_serve(2), within=FAILOVER_SECONDS)
            newest_after = time.monotonic() - died
            _go_on(readers, LOAD_SECONDS)
        eventually(lambda: _spool_is_empty(edge), within=FAILOVER_SECONDS)
    acknowledged = posts[0].log.acknowledged | posts[-1].log.acknowledged
    return Outcome(
        acknowledged=len(acknowledged),
        lost=len(acknowledged - _stored(client)),
        failed_posts=sum(one.log.failed_posts for one in posts),
        resolved=readers.right,
        failed_resolves=len(readers.wrong) + readers.unreached,
        slowest_resolve=readers.slowest,
        newest_after=newest_after,
    )


def _go_on(readers: RevisionReaders, seconds: float) -> None:
    until, enough = time.monotonic() + seconds, readers.right + 100
    eventually(lambda: time.monotonic() > until and readers.right > enough, within=seconds + 30)


def _publish_stubbornly(client: redis.Redis, snapshot: Snapshot) -> None:
    """Publish as the publisher does, which tries again as a whole."""

    def is_published() -> bool:
        try:
            publish(client, snapshot)
        except redis.RedisError:
            return False
        return True

    eventually(is_published, within=FAILOVER_SECONDS)


def _spool_is_empty(edge: StartedEdge) -> bool:
    events = httpx.get(f"{edge.url}/health/ready").json()["events"]
    return bool(events["spooled_records"] == 0 and events["stored"] == "redis")


def _stored(client: redis.Redis) -> set[str]:
    entries: list[Any] = [entry for stream in event_streams() for entry in client.xrange(stream)]
    records = [decode_record(fields[EVENT_FIELD.encode()]) for _, fields in entries]
    return {record.event_id for record in records if isinstance(record, EventRecord)}
