"""The publisher process: claims waiting publications, publishes them, and waits for more until it is stopped.

A publisher that dies before a publication is marked leaves it waiting; it is published again, which changes nothing.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from redis.exceptions import RedisError

from common.process import Backoff, ShutdownSignal, tune_gc
from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from common.telemetry.tracing import NoSpans, create_spans
from management_api.background.health import poll_chores
from management_api.background.runner import ChoreRunner, lanes
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.installation import installation_id
from management_api.db.pool_metrics import PoolMetrics
from publisher.assets import BUILT_ASSETS, PageAssetPublisher
from publisher.batch import OUTAGES, BatchPublisher
from publisher.media import media_addresses
from publisher.metrics import PublisherMetrics
from publisher.outbox import (
    LONG_AGO,
    NotifyListener,
    claim_waiting,
    database_time,
    read_backlog,
    request_all,
)
from publisher.rebuild import Progress, rebuild, requeue_lost
from publisher.retries import Retries
from publisher.schedules import PUBLISHER_CHORES, ScheduleRunner
from publisher.settings import PublisherSettings
from publisher.snapshot_store import ForeignRedisError, SnapshotState, SnapshotStore, connect

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

log = structlog.stdlib.get_logger(__name__)

#: Seconds of the first wait after a failure of everything, and of the longest.
OUTAGE_WAITS = (0.1, 2.0)

#: States in which the snapshots in Redis are left to another publisher.
_HINDRANCES = frozenset({SnapshotState.NEWER, SnapshotState.FOREIGN})

#: How long a publisher claims the projects of a batch; then other publishers may take them.
CLAIM_SECONDS = 5.0
#: Between two queries for changes whose notification was missed.
POLL_SECONDS = 1.0


def run(settings: PublisherSettings) -> None:
    """Publish until SIGTERM or SIGINT."""
    stop = ShutdownSignal()
    stop.listen()
    spans = create_spans("publisher", os.environ) or NoSpans()
    with (
        _connected_publisher(settings, spans) as publisher,
        publisher.serve_metrics(),
        publisher.chores.running(),
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
        if not publisher.publish_assets():
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
    # A lane of chores has a connection for the lock of a chore and one for its work. The main loop and the metrics have
    # one each.
    connections = 2 * len(lanes(PUBLISHER_CHORES)) + 2
    with (
        closing(Database(settings, connections=connections)) as database,
        closing(connect(settings.redis_url.get_secret_value())) as redis,
    ):
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
        self.metrics = PublisherMetrics(settings.publisher_heartbeat_file)
        vault = KeyVault(settings.master_key)
        self._batches = BatchPublisher(database, store, assets, media_addresses(settings), vault, self.metrics, spans)
        self.schedules = ScheduleRunner(database)
        self.chores = ChoreRunner(database, PUBLISHER_CHORES, self.schedules, self.schedules.stop)
        self._listener = NotifyListener(database)
        self._retries = Retries(database, store)
        #: The ids seen so far. Another one means a failover, which may have lost revisions.
        self._replication_ids: set[str] = set()
        #: The id of the database. None: it is read before the next step, because an outage may end with another one.
        self._installation_id: str | None = None
        #: Why this publisher leaves Redis unchanged.
        self._hindrance: SnapshotState | None = None

    def run_until(self, stop: ShutdownSignal) -> None:
        """Publish waiting publications, and wait for more; outages are waited out."""
        log.info("publisher.started")
        outage = Backoff(first=OUTAGE_WAITS[0], limit=OUTAGE_WAITS[1])
        while not stop.is_set():
            self.metrics.note_step()
            try:
                self._step(stop)
                outage.reset()
                self.metrics.is_healthy = self._hindrance is not SnapshotState.FOREIGN
            except OUTAGES as error:
                self._listener.close()
                self._installation_id = None
                self.metrics.is_healthy = False
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
        try:
            is_new = self._assets.publish()
        except RedisError:
            # In a Cluster the server of the assets may be away alone. Pages link to the assets that were found before.
            if not self._assets.was_found:
                raise
            return False
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
        replication_ids = self._store.replication_ids()
        self._replication_ids.update(replication_ids.values())
        self._retries.set_responding(replication_ids)
        # Only changes: the other waiting projects are those that the rebuild is about to publish.
        since = database_time(self._database)
        for progress in self.rebuild():
            self.metrics.note_step()
            self._publish_waiting(since)
            yield progress

    def publish_batch(self) -> int:
        """Claim and publish one batch; return the number of claimed projects, 0 when none waits."""
        replication_ids = self._store.replication_ids()
        self._retries.set_responding(replication_ids)
        changed = {server for server, found in replication_ids.items() if found not in self._replication_ids}
        if changed:
            requeue_lost(self._database, self._store, changed)
            self._assets.mark_unwritten()
            self._replication_ids.update(replication_ids.values())
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
            tried = self._retries.set_aside(claimed)
            self.metrics.failed += len(claimed) - len(tried)
            self._retries.record(tried, self.publish(tried) if tried else [])
        return len(claimed)

    def publish(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects and return the ids of those that failed, see :meth:`BatchPublisher.publish`."""
        return self._batches.publish(project_ids)

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
        poll_chores("publisher", self._database, [chore.name for chore in PUBLISHER_CHORES], samples)
