"""The event consumer process: moves the event streams into PostgreSQL until SIGTERM."""

import os
import threading
from collections.abc import Sequence

import structlog
from redis import Redis

from common.media_store import MediaStore
from common.process import ShutdownSignal, tune_gc
from common.telemetry.tracing import create_spans
from common.wire.redis_keys import event_streams
from management_api.background.chores import CONSUMER_CHORES, ChoreContext
from management_api.background.runner import ChoreRunner, lanes
from management_api.db.engine import Database
from management_api.event_consumer.bisecting import BisectingStore
from management_api.event_consumer.heartbeat import Heartbeat
from management_api.event_consumer.metrics import ConsumerState, WorkerMetrics, serve_consumer_metrics
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import EventStream, connect, new_consumer_name
from management_api.event_consumer.stream_worker import BatchSize, StreamWorker
from management_api.rollups.device_digests import DeviceDigests
from management_api.rollups.usage import quotas_of

log = structlog.stdlib.get_logger(__name__)

#: Threads that query PostgreSQL for metrics.
METRICS_POLLS = 3

#: The main thread only waits.
FOREVER_SECONDS = 3600.0

HEARTBEATS_IN_RECLAIM_TIME = 5


def run(settings: ConsumerSettings) -> None:
    """Consume until SIGTERM or SIGINT; the batches at hand are finished."""
    stop = ShutdownSignal()
    stop.listen()
    # A stream worker has a transaction, a lane of chores one for the lock of a chore and one for its work.
    needed = len(event_streams()) + 2 * len(lanes(CONSUMER_CHORES)) + METRICS_POLLS
    database = Database(settings, connections=needed)
    redis = connect(settings.redis_url.get_secret_value())
    try:
        quotas = quotas_of(settings)
        digests = DeviceDigests(settings.device_digest_keys)
        store = BatchStore(database, create_spans("consumer", os.environ), digests)
        context = ChoreContext(
            database,
            redis,
            event_retention_days=settings.event_retention_days,
            audit_retention_days=settings.audit_retention_days,
            media_store=None if settings.media_store is None else MediaStore(settings.media_store),
            rollup_max_keys=settings.rollup_max_keys,
            quotas=quotas,
            digests=digests,
        )
        chores = ChoreRunner(database, CONSUMER_CHORES, context, context.stop)
        consumer = EventConsumer(settings, redis, store, chores)
        tune_gc()
        with serve_consumer_metrics(
            settings,
            consumer.worker_metrics(),
            store.event_counter,
            database,
            redis,
            quotas,
            is_healthy=lambda: consumer.is_healthy,
        ):
            consumer.run_until(stop)
    finally:
        redis.close()
        database.close()


class EventConsumer:
    """One consumer of the group: a worker for each stream, and a heartbeat for all of them."""

    def __init__(
        self, settings: ConsumerSettings, redis: Redis, store: BatchStore, chores: ChoreRunner[ChoreContext]
    ) -> None:
        self.name = new_consumer_name()
        self._settings = settings
        self._chores = chores
        self._failures: list[BaseException] = []
        self._workers: Sequence[StreamWorker] = [
            StreamWorker(
                EventStream(redis, stream, self.name),
                BisectingStore(store),
                store.known_streams,
                BatchSize(settings.consumer_batch_size),
                reclaim_after_ms=settings.consumer_reclaim_after_ms,
            )
            for stream in event_streams()
        ]

    def run_until(self, stop: ShutdownSignal) -> None:
        """Store entries until the signal. A defect in any stream worker ends the process, which is started again."""
        log.info("consumer.started", consumer=self.name)
        workers_stop = threading.Event()
        threads = [
            threading.Thread(target=self._run_worker, args=(worker, workers_stop, stop)) for worker in self._workers
        ]
        every_seconds = self._settings.consumer_reclaim_after_ms / 1000 / HEARTBEATS_IN_RECLAIM_TIME
        heartbeat = Heartbeat(
            self._workers, self.state, every_seconds=every_seconds, file=self._settings.consumer_heartbeat_file
        )
        # The chores end after the last batch, so that nothing stays uncounted.
        with heartbeat, self._chores.running():
            for thread in threads:
                thread.start()
            while not stop.wait(FOREVER_SECONDS):
                pass
            workers_stop.set()
            for thread in threads:
                thread.join()
        for worker in self._workers:
            worker.deregister()
        if self._failures:
            raise self._failures[0]
        log.info("consumer.stopped", consumer=self.name)

    @property
    def is_healthy(self) -> bool:
        """Whether the last attempts reached PostgreSQL and Redis, and no chore has failed for too long."""
        return self._chores.is_healthy and all(worker.is_healthy for worker in self.worker_metrics())

    def worker_metrics(self) -> list[WorkerMetrics]:
        """Return the counters of each stream worker."""
        return [worker.metrics for worker in self._workers]

    def state(self) -> ConsumerState:
        """Return the sums of the counters of all stream workers."""
        workers = self.worker_metrics()
        return ConsumerState(
            name=self.name,
            is_healthy=self.is_healthy,
            is_well=self.is_healthy,
            stored=sum(worker.stored for worker in workers),
            batches=sum(worker.batches for worker in workers),
            dead_letters=sum(worker.dead_letters for worker in workers),
            deferred=sum(worker.deferred for worker in workers),
            claimed=sum(worker.claimed for worker in workers),
            outages=sum(worker.outages for worker in workers),
        )

    def _run_worker(self, worker: StreamWorker, workers_stop: threading.Event, stop: ShutdownSignal) -> None:
        try:
            worker.run_until(workers_stop)
        except BaseException as error:  # noqa: BLE001 - the main thread raises it
            self._failures.append(error)
            stop.set()
