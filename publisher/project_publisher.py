"""Publishes projects: read at one moment, compile, write to Redis, mark. Nothing of it is lost at any instruction.

Whoever dies before the mark leaves the publication waiting; it is then published again, which changes nothing.
"""

import time
from collections.abc import Sequence

import structlog
from redis.exceptions import NoPermissionError
from sqlalchemy import select

from common.wire.snapshot import Snapshot
from management_api.database.key_vault import KeyVault
from management_api.database.publications import Publication
from management_api.database.transactions import Database
from publisher.claims import Published, mark_published
from publisher.compile import compile_snapshot
from publisher.key_digests import key_digests
from publisher.lost_revisions import LostRevisions
from publisher.metrics import PublishingMetrics
from publisher.project_content import DeletedProject, ProjectState
from publisher.project_reader import read_projects
from publisher.snapshot_writer import Holdings, SnapshotWriter

log = structlog.stdlib.get_logger(__name__)


class ProjectPublisher:
    """Brings the present state of projects to Redis."""

    def __init__(self, database: Database, writer: SnapshotWriter, vault: KeyVault) -> None:
        self._database = database
        self._writer = writer
        self._vault = vault
        self._lost = LostRevisions(database, writer)
        self.metrics = PublishingMetrics()

    def holdings(self) -> Holdings:
        """Tell in which format Redis has its snapshots. Raises RedisError."""
        return self._writer.holdings()

    def note_begun_in_this_format(self) -> None:
        """Note that every project is about to be published by this release. Raises RedisError."""
        self._writer.note_begun_in_this_format()

    def note_all_in_this_format(self) -> None:
        """Note that every project was published by this release. Raises RedisError."""
        self._writer.note_all_in_this_format()

    def take_back_lost_revisions(self) -> None:
        """Have what a failover of Redis has lost wait for publishing. Raises UnavailableError and RedisError."""
        self._lost.take_back()

    def delete_orphans(self) -> None:
        """Replace the snapshots of projects that were never in the database by tombstones, as after a restore.

        Does nothing while the database has no publication: it may be another one, or being restored right now.
        Raises UnavailableError without PostgreSQL and RedisError without Redis; all of it may be done again then.
        """
        with self._database.transaction() as session:
            if session.scalar(select(Publication.project_id).limit(1)) is None:
                return
        try:
            for orphans in self._writer.orphans(self._published):
                tombstones = [Snapshot.tombstone(project_id, revision + 1) for project_id, revision in orphans]
                self._writer.write(tombstones)
                for project_id, _ in orphans:
                    log.warning("publisher.orphan_deleted", project_id=project_id)
        except NoPermissionError:
            # The users of Redis are those of a former release.
            log.warning("publisher.orphans_not_checked", reason="the user of Redis may not SCAN")

    def _published(self, project_ids: Sequence[str]) -> set[str]:
        with self._database.transaction() as session:
            query = select(Publication.project_id).where(Publication.project_id.in_(project_ids))
            return set(session.scalars(query))

    def publish(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects and give the ids of those that could not be compiled.

        Raises UnavailableError without PostgreSQL and RedisError without Redis; all of it may be done again then.
        """
        started_at = time.perf_counter()
        # The transaction ends here: Redis is never written, nor anything slow done, inside it.
        with self._database.consistent_read() as session:
            states = read_projects(session, project_ids)
        snapshots: list[Snapshot] = []
        failed: list[str] = []
        for state in states:
            try:
                snapshots.append(self._compile(state))
            except Exception as error:
                # Whatever is wrong with one project must not keep the others from being published.
                log.exception("publication.failed", project_id=state.project_id, error=type(error).__name__)
                failed.append(state.project_id)
        if snapshots:
            self._write(snapshots)
        self.metrics.failed += len(failed)
        self.metrics.batches.observe(time.perf_counter() - started_at)
        return failed

    def _compile(self, state: ProjectState) -> Snapshot:
        if isinstance(state, DeletedProject):
            return Snapshot.tombstone(state.project_id, state.revision)
        return compile_snapshot(state, key_digests(self._vault, state))

    def _write(self, snapshots: Sequence[Snapshot]) -> None:
        stored = self._writer.write(snapshots)
        delays = mark_published(
            self._database,
            [
                Published(snapshot.project_id, snapshot.revision, now)
                for snapshot, now in zip(snapshots, stored, strict=True)
            ],
        )
        self.metrics.count_published(len(snapshots), delays)
