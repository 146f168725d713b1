"""The publication of a batch of projects: read at one moment, compiled, written to Redis and marked."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import psycopg
import structlog
from redis.exceptions import RedisError
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from common.errors import OnboardingError, UnavailableError
from common.telemetry.tracing import NoSpans
from common.wire.snapshot import Snapshot
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from publisher.assets import PageAssetPublisher
from publisher.compiler import compile_project
from publisher.media import MediaAddresses
from publisher.metrics import PublisherMetrics
from publisher.outbox import Published, mark_published
from publisher.project_reader import content_bytes, read_projects, stored_bytes
from publisher.snapshot_store import SnapshotStore

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

log = structlog.stdlib.get_logger(__name__)

#: Errors that pass: PostgreSQL or Redis is unavailable, or the schema is not migrated yet.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error, RedisError)

#: The largest project that is read: the JSON of its flows, screens, shown drafts and experiments. Its snapshot has
#: about three times as many bytes. A larger project keeps its former snapshot.
MAX_PROJECT_BYTES = 24 * 1024 * 1024

#: Bytes of JSON that are read at once. Compiled, they take about ten times as much memory.
_GROUP_BYTES = 8 * 1024 * 1024


class ProjectTooLargeError(OnboardingError):
    """A project is above :data:`MAX_PROJECT_BYTES`."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the project has {size} bytes, at most {MAX_PROJECT_BYTES} are published")


class BatchPublisher:
    """Publishes batches of projects; one that fails keeps no other one from being published."""

    def __init__(
        self,
        database: Database,
        store: SnapshotStore,
        assets: PageAssetPublisher,
        addresses: MediaAddresses,
        vault: KeyVault,
        metrics: PublisherMetrics,
        spans: "Spans | NoSpans",
    ) -> None:
        self._database = database
        self._store = store
        self._assets = assets
        self._addresses = addresses
        self._vault = vault
        self._metrics = metrics
        self._spans = spans

    def publish(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects and return the ids of those that failed.

        A project that cannot be read, compiled or written fails alone. Raises UnavailableError without PostgreSQL and
        RedisError without Redis; then all of it may be done again.
        """
        started_at = time.perf_counter()
        with self._spans.batch("publish projects", {"onboarding.projects": len(project_ids)}, ()):
            failed = self._publish_apart(project_ids)
        self._metrics.failed += len(failed)
        self._metrics.batches.observe(time.perf_counter() - started_at)
        return failed

    def _publish_apart(self, project_ids: Sequence[str]) -> list[str]:
        """Publish projects together; after an error one by one. Return the ids of those that failed."""
        try:
            return self._publish_in_groups(project_ids)
        except Exception as error:
            if len(project_ids) > 1:
                return [failed for project_id in project_ids for failed in self._publish_apart([project_id])]
            if isinstance(error, OUTAGES) and not self._is_reachable():
                raise
            _log_failure(project_ids[0], error)
            return list(project_ids)

    def _publish_in_groups(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects in groups of bounded bytes, without those that are too large to be read."""
        with self._database.reading() as session:
            stored = stored_bytes(session, project_ids)
            small = [project_id for project_id, size in stored.items() if size <= MAX_PROJECT_BYTES]
            sizes = stored | content_bytes(session, small)
        failed = [project_id for project_id, size in sizes.items() if size > MAX_PROJECT_BYTES]
        for project_id in failed:
            _log_failure(project_id, ProjectTooLargeError(sizes[project_id]))
            del sizes[project_id]
        for group in _groups(sizes):
            failed += self._publish_together(group)
        return failed

    def _publish_together(self, project_ids: Sequence[str]) -> list[str]:
        # The transaction ends before the compilation: it contains no slow work and no command to Redis.
        with self._database.repeatable_read() as session:
            states, errors = read_projects(session, project_ids)
        snapshots: list[Snapshot] = []
        for state in states:
            try:
                snapshots.append(compile_project(state, self._vault, self._assets.manifest, self._addresses))
            except Exception as defect:  # noqa: BLE001 - the others of the batch are published
                errors[state.project_id] = defect
        if snapshots:
            errors |= self._write(snapshots)
        for project_id, error in errors.items():
            _log_failure(project_id, error)
        return list(errors)

    def _is_reachable(self) -> bool:
        """Return whether PostgreSQL and Redis respond, so that an error was about the project."""
        try:
            with self._database.reading() as session:
                session.execute(select(1))
            self._store.ping()
        except OUTAGES:
            return False
        return True

    def _write(self, snapshots: Sequence[Snapshot]) -> dict[str, Exception]:
        """Write the snapshots, and return the errors of those whose server of a Cluster does not respond."""
        outcomes: list[Published] = []
        errors: dict[str, Exception] = {}
        for snapshot, stored in zip(snapshots, self._store.write(snapshots), strict=True):
            if isinstance(stored, Exception):
                errors[snapshot.project_id] = stored
            else:
                outcomes.append(Published(snapshot.project_id, snapshot.revision, stored))
        for seconds in mark_published(self._database, outcomes):
            self._metrics.delays.observe(seconds)
        self._metrics.published += len(outcomes)
        return errors


def _groups(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield projects that are read and compiled together, within a bound of bytes unless one alone is above it."""
    group: list[str] = []
    total = 0
    for project_id, size in sizes.items():
        if group and total + size > _GROUP_BYTES:
            yield group
            group, total = [], 0
        group.append(project_id)
        total += size
    if group:
        yield group


def _log_failure(project_id: str, error: Exception) -> None:
    log.error("publication.failed", project_id=project_id, error=type(error).__name__, exc_info=error)
