"""A failover under load: clients resolve and post while the master dies, and what they were told is held against it."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import redis
from pydantic import SecretStr
from sqlalchemy import select

from common.wire.snapshot import Snapshot
from management_api.database.events import Event
from management_api.database.transactions import Database
from management_api.event_consumer.settings import ConsumerSettings
from tests.faults.soak import soaked
from tests.faults.stubborn_clients import StubbornClients
from tests.integration.management_api.event_consumer.running_consumer import running, waiting
from tests.polling import eventually
from tests.redis_topologies.steady_posts import SteadyPosts
from tests.revision_readers import RevisionReaders, numbered_revision, revision_readers
from tests.rows import add_project
from tests.snapshots import publish, sdk_headers
from tests.started_edge import StartedEdge

#: The load goes on for so long before the master dies, and after the newest revision is seen.
LOAD_SECONDS = soaked("FAILOVER_SECONDS", 0)
#: A Sentinel that found no replica to promote tries again after twice the time that it may take.
FAILOVER_SECONDS = 60 + 5 * LOAD_SECONDS


@dataclass(frozen=True)
class Outcome:
    """What the clients have seen, and what PostgreSQL has afterwards."""

    acknowledged: int
    lost: int
    failed_posts: int
    resolved: int
    failed_resolves: int
    slowest_resolve: float
    #: From the death of the master to the newest revision on every connection.
    newest_after: float


class Ground:
    """The database of a failover, in which the projects are whose events are stored, and the edge's spools.

    Use it as a context manager.
    """

    def __init__(self, database_url: str, redis_url: str, spools: Path) -> None:
        self.spools = spools
        self.settings = ConsumerSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url))
        self.database = Database(self.settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def project_id(self) -> str:
        """Add a project and give its id."""
        with self.database.transaction() as session:
            return add_project(session).id

    def stored(self) -> set[str]:
        """Give the ids of the events that are stored."""
        with self.database.transaction() as session:
            return set(session.scalars(select(Event.event_id)))


def fail_over(
    ground: Ground,
    edge: StartedEdge,
    client: redis.Redis,
    snapshots: Sequence[Snapshot],
    *,
    hold_up: Callable[[], object],
    kill: Callable[[], object],
    drained_meanwhile: bool,
) -> Outcome:
    """Kill the master under load, after holding up what goes to its replicas.

    A consumer brings events to PostgreSQL, meanwhile or afterwards: then nothing but Redis has them when it happens.
    """
    for snapshot in snapshots:
        publish(client, snapshot)
    clients = [StubbornClients(edge.url, sdk_headers(one), "flow_default", clients=1) for one in snapshots]
    with ExitStack() as stack:
        if drained_meanwhile:
            stack.enter_context(running(ground.settings))
        readers = stack.enter_context(revision_readers(edge, snapshots, of_each_worker=4))
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
        if not drained_meanwhile:
            eventually(lambda: _spools_are_empty(ground.spools), within=FAILOVER_SECONDS)
            stack.enter_context(running(ground.settings))
        eventually(lambda: _spools_are_empty(ground.spools) and _is_drained(client), within=FAILOVER_SECONDS)
    acknowledged = posts[0].log.acknowledged | posts[-1].log.acknowledged
    return Outcome(
        acknowledged=len(acknowledged),
        lost=len(acknowledged - ground.stored()),
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


def _is_drained(client: redis.Redis) -> bool:
    """Tell whether the streams are empty; a connection may still be cut when a server becomes somebody's replica."""
    try:
        return waiting(client) == 0
    except redis.RedisError:
        return False


def _spools_are_empty(folder: Path) -> bool:
    """Return whether every worker has brought its spool to Redis; then its file is deleted."""
    return not any(folder.glob("*.sqlite"))
