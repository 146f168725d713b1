"""Brings Redis back to the state of PostgreSQL: after a loss of data, a failover, or a restore of the database."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

import structlog
from redis.exceptions import NoPermissionError

from common.redis.url import Node
from common.wire.snapshot import Snapshot
from management_api.db.engine import Database
from publisher.outbox import count_publications, has_publications, publications_after, requeue, with_publication
from publisher.snapshot_store import SnapshotStore

log = structlog.stdlib.get_logger(__name__)

#: Publications whose revisions are compared with Redis at once.
_PAGE = 500

#: Publishes projects by their ids and returns those that failed.
Publish = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of projects that were tried, of all, and of those that failed."""

    done: int
    total: int
    failed: int


def rebuild(database: Database, store: SnapshotStore, publish: Publish, *, batch_size: int) -> Iterator[Progress]:
    """Publish every project as it is now, batch by batch. Projects that fail are logged, and wait to be tried again.

    Snapshots of projects that were never in the database are replaced by tombstones first. Publishers may run
    meanwhile. Raises UnavailableError without PostgreSQL and RedisError without Redis; then all of it is done again.
    """
    store.mark_rebuild_started()
    delete_orphans(database, store)
    total = count_publications(database)
    done = failed = 0
    last_id = ""
    while batch := publications_after(database, last_id, batch_size):
        if missing := publish([project_id for project_id, _ in batch]):
            requeue(database, dict.fromkeys(sorted(missing), 0))
            failed += len(missing)
        done += len(batch)
        last_id = batch[-1][0]
        yield Progress(done, max(done, total), failed)
    store.mark_rebuild_complete()


def delete_orphans(database: Database, store: SnapshotStore) -> None:
    """Replace the snapshots of projects that were never in the database by tombstones, as after a restore.

    Does nothing while the database has no publication: it may be another one, or being restored right now.
    """
    if not has_publications(database):
        return
    try:
        for orphans in store.orphans(lambda project_ids: with_publication(database, project_ids)):
            for stored in store.write(
                [Snapshot.tombstone(project_id, revision + 1) for project_id, revision in orphans]
            ):
                if isinstance(stored, Exception):
                    raise stored
            for project_id, _ in orphans:
                log.warning("publisher.orphan_deleted", project_id=project_id)
    except NoPermissionError:
        # The users of Redis are those of release 0.2.0.
        log.warning("publisher.orphans_not_checked", reason="the user of Redis may not SCAN")


def requeue_lost(database: Database, store: SnapshotStore, servers: Container[Node | None]) -> None:
    """Make publications wait again whose published revision the servers of Redis do not have.

    Replication is asynchronous: a replica that becomes the master may lack the last writes that the old one confirmed.
    """
    last_id = ""
    lost = 0
    while page := publications_after(database, last_id, _PAGE):
        last_id = page[-1][0]
        stored = store.revisions([project_id for project_id, _ in page], servers)
        found = {
            project_id: stored[project_id]
            for project_id, published in page
            if project_id in stored and stored[project_id] < published
        }
        if found:
            requeue(database, found)
            lost += len(found)
    if lost:
        log.warning("publisher.revisions_lost_by_redis", projects=lost)
