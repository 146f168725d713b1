"""A failover under load: acknowledged events and served revisions, compared with what the new master has."""

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
from management_api.db.engine import Database
from management_api.db.models.analytics import Event
from management_api.event_consumer.settings import ConsumerSettings
from tests.integration.management_api.event_consumer.running_consumer import running, waiting
from tests.integration.redis.steady_posts import steady_posts
from tests.support.clients.revision_readers import RevisionReaders, numbered_revision, revision_readers
from tests.support.data.rows import add_project
from tests.support.data.snapshots import publish, sdk_headers
from tests.support.faults.retrying_clients import RetryingClients
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.soak import soak_setting

#: Seconds of load before replication is held up, before the master dies, and after the newest revision is served.
LOAD_SECONDS = soak_setting("FAILOVER_SECONDS", 0, 10)
#: A Sentinel that found no replica to promote tries again after twice its failover timeout.
FAILOVER_SECONDS = 60 + 5 * LOAD_SECONDS


@dataclass(frozen=True)
class Outcome:
    """The results of the clients, compared with the events in PostgreSQL."""

    acknowledged: int
    lost: int
    failed_posts: int
    resolved: int
    failed_resolves: int
    slowest_resolve: float
    #: Seconds from the death of the master to the newest revision on every connection.
    newest_after: float


class FailoverSetup:
    """The database and the spools of a failover test; a context manager."""

    def __init__(self, database_url: str, redis_url: str, spools: Path) -> None:
        self.spools = spools
        self.settings = ConsumerSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url))
        self.database = Database(self.settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def project_id(self) -> str:
        with self.database.transaction() as session:
            return add_project(session).id

    def stored(self) -> set[str]:
        with self.database.transaction() as session:
            return set(session.scalars(select(Event.event_id)))


def fail_over(
    setup: FailoverSetup,
    edge: StartedEdge,
    client: redis.Redis,
    snapshots: Sequence[Snapshot],
    *,
    hold_replication_up: Callable[[], object],
    kill: Callable[[], object],
    drained_meanwhile: bool,
) -> Outcome:
    """Hold replication up, then kill the master under load.

    A consumer stores events in PostgreSQL meanwhile, or only afterwards; then Redis alone has them at the failover.
    """
    for snapshot in snapshots:
        publish(client, snapshot)
    clients = [RetryingClients(edge.url, sdk_headers(snapshot), "flow_default", clients=1) for snapshot in snapshots]
    with ExitStack() as stack:
        if drained_meanwhile:
            stack.enter_context(running(setup.settings))
        readers = stack.enter_context(revision_readers(edge, snapshots, of_each_worker=4))
        eventually(lambda: readers.all_serve(1), within=20)
        with steady_posts(clients) as logs:
            _continue_load(readers, LOAD_SECONDS)
            hold_replication_up()
            _continue_load(readers, LOAD_SECONDS)
            kill()
            died = time.monotonic()
            for snapshot in snapshots:
                _publish_until_success(client, numbered_revision(snapshot, 2))
            eventually(lambda: readers.all_serve(2), within=FAILOVER_SECONDS)
            newest_after = time.monotonic() - died
            _continue_load(readers, LOAD_SECONDS)
        if not drained_meanwhile:
            eventually(lambda: _spools_are_empty(setup.spools), within=FAILOVER_SECONDS)
            stack.enter_context(running(setup.settings))
        eventually(lambda: _spools_are_empty(setup.spools) and _is_drained(client), within=FAILOVER_SECONDS)
    acknowledged = set().union(*(log.acknowledged for log in logs))
    return Outcome(
        acknowledged=len(acknowledged),
        lost=len(acknowledged - setup.stored()),
        failed_posts=sum(log.failed_posts for log in logs),
        resolved=readers.right,
        failed_resolves=len(readers.wrong) + readers.unreached,
        slowest_resolve=readers.slowest,
        newest_after=newest_after,
    )


def _continue_load(readers: RevisionReaders, seconds: float) -> None:
    until, enough = time.monotonic() + seconds, readers.right + 100
    eventually(lambda: time.monotonic() > until and readers.right > enough, within=seconds + 30)


def _publish_until_success(client: redis.Redis, snapshot: Snapshot) -> None:
    """Publish until it succeeds, as the publisher does."""

    def is_published() -> bool:
        try:
            publish(client, snapshot)
        except redis.RedisError:
            return False
        return True

    eventually(is_published, within=FAILOVER_SECONDS)


def _is_drained(client: redis.Redis) -> bool:
    """Return whether the streams are empty; a server that becomes a replica cuts its connections."""
    try:
        return waiting(client) == 0
    except redis.RedisError:
        return False


def _spools_are_empty(folder: Path) -> bool:
    """Return whether every worker has brought its spool to Redis; then its file is deleted."""
    return not any(folder.glob("*.sqlite"))
