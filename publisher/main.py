"""The publisher process: claims waiting publications, publishes them, and waits for more until it is stopped.

A batch is read at one moment, compiled, written to Redis and marked. A publisher that dies before the mark leaves the
publications waiting; they are published again, which changes nothing.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import structlog
from redis.exceptions import RedisError
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from common.errors import OnboardingError, UnavailableError
from common.process import Backoff, ShutdownSignal, tune_gc
from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import Histogram, SampleSet
from common.telemetry.tracing import NoSpans, create_spans
from common.wire.snapshot import Snapshot
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.installation import installation_id
from management_api.db.pool_metrics import PoolMetrics
from publisher.assets import BUILT_ASSETS, PageAssetPublisher
from publisher.compiler import compile_project
from publisher.outbox import (
    LONG_AGO,
    NotifyListener,
    Published,
    claim_waiting,
    database_time,
    defer,
    mark_published,
    read_backlog,
    request_all,
)
from publisher.project_reader import content_bytes, read_projects, stored_bytes
from publisher.rebuild import Progress, rebuild, requeue_lost
from publisher.schedules import ScheduleRunner
from publisher.settings import PublisherSettings
from publisher.snapshot_store import ForeignRedisError, SnapshotState, SnapshotStore, connect

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

log = structlog.stdlib.get_logger(__name__)

#: Errors that pass: PostgreSQL or Redis is unavailable, or the schema is not migrated yet.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error, RedisError)

#: Seconds of the waits after failures: of everything, and of one project.
OUTAGE_WAITS = (0.1, 5.0)
PROJECT_WAITS = (1.0, 30.0)

#: States in which the snapshots in Redis are left to another publisher.
_HINDRANCES = frozenset({SnapshotState.NEWER, SnapshotState.FOREIGN})

#: How long a publisher claims the projects of a batch; then other publishers may take them.
CLAIM_SECONDS = 5.0
#: Between two queries for changes whose notification was missed.
POLL_SECONDS = 1.0

#: The largest project that is read: the JSON of its flows, screens, shown drafts and experiments. Its snapshot has
#: about three times as many bytes. A larger project keeps its former snapshot.
MAX_PROJECT_BYTES = 24 * 1024 * 1024

#: Bytes of JSON that are read at once. Compiled, they take about ten times as much memory.
_GROUP_BYTES = 8 * 1024 * 1024


class ProjectTooLargeError(OnboardingError):
    """A project is above :data:`MAX_PROJECT_BYTES`."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the project has {size} bytes, at most {MAX_PROJECT_BYTES} are published")


def run(settings: PublisherSettings) -> None:
    """Publish until SIGTERM or SIGINT."""
    stop = ShutdownSignal()
    stop.listen()
    spans = create_spans("publisher", os.environ) or NoSpans()
    with (
        _connected_publisher(settings, spans) as publisher,
        publisher.serve_metrics(),
        publisher.schedules.running(),
    ):
        publisher.run_until(stop)


def rebuild_all(
    settings: PublisherSettings,
    on_progress: Callable[[int, int], None],
    assets_folder: Path = BUILT_ASSETS,
    *,
    adopt_redis: bool = False,
) -> int:
    """Publish every project again and return the number that is published; `on_progress` gets (done, total).

    Raises ForeignRedisError when Redis has the snapshots of another database, unless `adopt_redis` is true.
    """
    published = 0
    with _connected_publisher(settings, NoSpans(), assets_folder) as publisher:
        publisher.check_installation(adopt_redis=adopt_redis)
        publisher.publish_assets()
        publisher.request_all()
        for progress in publisher.rebuild():
            published = progress.done - progress.failed
            on_progress(progress.done, progress.total)
    return published


@contextmanager
def _connected_publisher(
    settings: PublisherSettings, spans: "Spans | NoSpans", assets_folder: Path = BUILT_ASSETS
) -> Iterator["Publisher"]:
    tune_gc()
    with closing(Database(settings)) as database, closing(connect(settings.redis_url.get_secret_value())) as redis:
        assets = PageAssetPublisher(redis, assets_folder)
        yield Publisher(settings, database, SnapshotStore(redis), assets, spans)


class Publisher:
    """Publishes projects. Its memory only decides how long it waits, so it may be killed at any moment."""

    def __init__(
        self,
        settings: PublisherSettings,
        database: Database,
        store: SnapshotStore,
        assets: PageAssetPublisher,
        spans: "Spans | NoSpans",
        *,
        claim_seconds: float = CLAIM_SECONDS,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._settings = settings
        self._claim_seconds = claim_seconds
        self._poll_seconds = poll_seconds
        self._database = database
        self._store = store
        self._assets = assets
        self._spans = spans
        self._vault = KeyVault(settings.master_key)
        self.metrics = PublisherMetrics()
        self.schedules = ScheduleRunner(database)
        self._listener = NotifyListener(database)
        self._waits_of_failed: dict[str, Backoff] = {}
        #: Other ids mean a failover, which may have lost revisions. None: a publisher that starts compares once.
        self._replication_ids: frozenset[str] | None = None
        #: The id of the database. None: it is read before the next step, because an outage may end with another one.
        self._installation_id: str | None = None
        #: Why this publisher leaves Redis unchanged.
        self._hindrance: SnapshotState | None = None

    def run_until(self, stop: ShutdownSignal) -> None:
        """Publish waiting publications, and wait for more; outages are waited out."""
        log.info("publisher.started")
        outage = Backoff(first=OUTAGE_WAITS[0], limit=OUTAGE_WAITS[1])
        while not stop.is_set():
            try:
                self._step(stop)
                outage.reset()
                self.metrics.is_well = self._hindrance is not SnapshotState.FOREIGN
            except OUTAGES as error:
                self._listener.close()
                self._installation_id = None
                self.metrics.is_well = False
                self.metrics.outages += 1
                wait = outage.next_delay()
                reason = str(error.__cause__ or error).partition("\n")[0]
                log.warning(
                    "publisher.outage", error=type(error).__name__, reason=reason, retry_in_seconds=round(wait, 2)
                )
                stop.wait(wait)
        self._listener.close()
        log.info("publisher.stopped")

    def _step(self, stop: ShutdownSignal) -> None:
        # Listening starts before the claim, so that no change falls in between.
        self._listener.listen()
        state = self._state()
        self._note_hindrance(state if state in _HINDRANCES else None)
        if self._hindrance is None and self.publish_assets():
            state = SnapshotState.INCOMPLETE
        if state is SnapshotState.INCOMPLETE:
            for progress in self.restore():
                log.info("publisher.restoring", done=progress.done, total=progress.total)
                if stop.is_set():
                    return
        if self._hindrance is not None or not self.publish_batch():
            self._listener.wait(self._poll_seconds, stop)

    def _state(self) -> SnapshotState:
        if self._installation_id is None:
            with self._database.reading() as session:
                self._installation_id = installation_id(session)
        return self._store.state(self._installation_id)

    def _note_hindrance(self, hindrance: SnapshotState | None) -> None:
        """Log when this publisher begins to leave the snapshots of another one unchanged, and when it ends to."""
        if hindrance is self._hindrance:
            return
        self._hindrance = hindrance
        if hindrance is SnapshotState.NEWER:
            log.warning("publisher.yields_to_newer_release")
        elif hindrance is SnapshotState.FOREIGN:
            log.error("publisher.redis_of_another_installation", reason=str(ForeignRedisError()))
        else:
            log.warning("publisher.publishes_again")

    def check_installation(self, *, adopt_redis: bool) -> None:
        """Raise ForeignRedisError when Redis has the snapshots of another database, unless it is to be adopted."""
        if self._state() is SnapshotState.FOREIGN:
            if not adopt_redis or self._installation_id is None:
                raise ForeignRedisError
            self._store.adopt(self._installation_id)

    def publish_assets(self) -> bool:
        """Write the assets of hosted pages if they are new; return whether every project has to be published again."""
        is_new = self._assets.publish()
        if is_new:
            # In this order, so that all of it is repeated after a crash.
            self._store.mark_rebuild_started()
            # Also where Redis is empty: edges may have snapshots of these revisions, without the pages of these assets.
            self.request_all()
            self._assets.note()
        self.metrics.has_page_assets = self._assets.manifest is not None
        return is_new

    def request_all(self) -> None:
        """Request a new revision of every project, which edges take also where they have the present one."""
        request_all(self._database)

    def rebuild(self) -> Iterator[Progress]:
        """Publish every project again, see :func:`publisher.rebuild.rebuild`."""
        return rebuild(self._database, self._store, self.publish, batch_size=self._settings.publisher_batch_size)

    def restore(self) -> Iterator[Progress]:
        """Publish every project again. Changes that arrive meanwhile are published between two batches."""
        # The rebuild writes all that Redis lacks. A failover from now on is noticed after its end.
        self._replication_ids = self._store.replication_ids()
        # Only changes: the other waiting projects are those that the rebuild is about to publish.
        since = database_time(self._database)
        for progress in self.rebuild():
            self._publish_waiting(since)
            yield progress

    def publish_batch(self) -> int:
        """Claim and publish one batch; return the number of claimed projects, 0 when none waits."""
        replication_ids = self._store.replication_ids()
        if replication_ids != self._replication_ids:
            requeue_lost(self._database, self._store)
            self._assets.mark_unwritten()
            self._replication_ids = replication_ids
        return self._publish_waiting(LONG_AGO)

    def _publish_waiting(self, since: datetime) -> int:
        """Claim and publish a batch of projects that were changed after `since`; return their number."""
        claimed = claim_waiting(
            self._database,
            batch_size=self._settings.publisher_batch_size,
            seconds=self._claim_seconds,
            since=since,
        )
        if claimed:
            failed = self.publish(claimed)
            for project_id in failed:
                wait = self._waits_of_failed.setdefault(
                    project_id, Backoff(first=PROJECT_WAITS[0], limit=PROJECT_WAITS[1])
                )
                defer(self._database, project_id, seconds=wait.next_delay())
            for project_id in set(claimed) - set(failed):
                self._waits_of_failed.pop(project_id, None)
        return len(claimed)

    def publish(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects and return the ids of those that failed.

        A project that cannot be read, compiled or written fails alone. Raises UnavailableError without PostgreSQL and
        RedisError without Redis; then all of it may be done again.
        """
        started_at = time.perf_counter()
        with self._spans.batch("publish projects", {"onboarding.projects": len(project_ids)}, ()):
            failed = self._publish_apart(project_ids)
        self.metrics.failed += len(failed)
        self.metrics.batches.observe(time.perf_counter() - started_at)
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
                snapshots.append(compile_project(state, self._vault, self._assets.manifest))
            except Exception as defect:  # noqa: BLE001 - the others of the batch are published
                errors[state.project_id] = defect
        if snapshots:
            self._write(snapshots)
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

    def _write(self, snapshots: Sequence[Snapshot]) -> None:
        stored = self._store.write(snapshots)
        outcomes = [
            Published(snapshot.project_id, snapshot.revision, revision)
            for snapshot, revision in zip(snapshots, stored, strict=True)
        ]
        for seconds in mark_published(self._database, outcomes):
            self.metrics.delays.observe(seconds)
        self.metrics.published += len(snapshots)

    @contextmanager
    def serve_metrics(self) -> Iterator[None]:
        """Serve the metrics for the length of the block."""
        backlog = PollingCollector(self._poll_backlog, OUTAGES)
        collectors = (
            self.metrics.collect,
            self.schedules.collect,
            backlog.collect,
            PoolMetrics("publisher", self._database).collect,
        )
        port = self._settings.publisher_metrics_port
        with backlog, serve_process_metrics("publisher", self._settings, port=port, collectors=collectors):
            yield

    def _poll_backlog(self, samples: SampleSet) -> None:
        waiting, oldest_seconds = read_backlog(self._database)
        samples.add(catalogue.BACKLOG, waiting)
        samples.add(catalogue.BACKLOG_OLDEST, oldest_seconds)
        self.schedules.poll_backlog(samples)


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


class PublisherMetrics:
    """Counters that only the thread of the loop updates."""

    def __init__(self) -> None:
        self.published = 0
        self.failed = 0
        self.outages = 0
        #: Whether the last attempt reached both PostgreSQL and Redis, and Redis belongs to the database.
        self.is_well = True
        #: Whether pages can be compiled.
        self.has_page_assets = False
        self.batches = Histogram(catalogue.BATCH_SECONDS.bounds)
        #: From the newest change of a project that was waiting to its snapshot in Redis.
        self.delays = Histogram(catalogue.PUBLISH_SECONDS.bounds)

    def collect(self, samples: SampleSet) -> None:
        """Add the counters."""
        samples.add(catalogue.PUBLISHED, self.published, "published")
        samples.add(catalogue.PUBLISHED, self.failed, "failed")
        samples.add_histograms(catalogue.PUBLISH_SECONDS, [self.delays])
        samples.add_histograms(catalogue.BATCH_SECONDS, [self.batches])
        samples.add(catalogue.OUTAGES, self.outages)
        samples.add(catalogue.IS_WELL, self.is_well)
        samples.add(catalogue.PAGE_ASSETS_BUILT, self.has_page_assets)
