"""The event consumer process: moves the event streams into PostgreSQL until SIGTERM."""

import functools
import os
import threading
from collections.abc import Sequence

import structlog
from redis import Redis

from common.process import ShutdownSignal, tune_gc
from common.telemetry.tracing import create_spans
from common.wire.redis_keys import event_streams
from management_api.db.engine import Database
from management_api.event_consumer.bisecting import BisectingStore
from management_api.event_consumer.heartbeat import Heartbeat
from management_api.event_consumer.key_use import KeyUseUpdater
from management_api.event_consumer.metrics import ConsumerState, WorkerMetrics, serve_consumer_metrics
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import EventStream, connect, new_consumer_name
from management_api.event_consumer.stream_worker import BatchSize, StreamWorker
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.maintenance import Maintenance

log = structlog.stdlib.get_logger(__name__)

#: The interval between two rounds of maintenance.
MAINTENANCE_SECONDS = 5.0

#: The main thread only waits.
FOREVER_SECONDS = 3600.0

HEARTBEATS_IN_RECLAIM_TIME = 5


def run(settings: ConsumerSettings) -> None:
    """Consume until SIGTERM or SIGINT; the batches at hand are finished."""
    stop = ShutdownSignal()
    stop.listen()
    # Each stream worker has a transaction of its own, each of the two rounds of maintenance up to three, the count of
    # new records one, the reader of used keys one.
    connections = max(settings.database_pool_size, len(event_streams()) + 8)
    database = Database(settings.model_copy(update={"database_pool_size": connections}))
    redis = connect(settings.redis_url.get_secret_value())
    try:
        maintenance = Maintenance(database, keep_days=settings.event_retention_days)
        store = BatchStore(database, create_spans("consumer", os.environ))
        aggregator = Aggregator(database, max_keys=settings.rollup_max_keys)
        consumer = EventConsumer(settings, redis, store, aggregator, maintenance, KeyUseUpdater(redis, database))
        tune_gc()
        with serve_consumer_metrics(
            settings,
            consumer.worker_metrics(),
            store.event_counter,
            database,
            redis,
            is_well=lambda: consumer.is_well,
        ):
            consumer.run_until(stop)
    finally:
        redis.close()
        database.close()


class EventConsumer:
    """One consumer of the group: a worker for each stream, and a heartbeat for all of them."""

    def __init__(
        self,
        settings: ConsumerSettings,
        redis: Redis,
        store: BatchStore,
        aggregator: Aggregator,
        maintenance: Maintenance | None = None,
        key_use: KeyUseUpdater | None = None,
    ) -> None:
        self.name = new_consumer_name()
        self._settings = settings
        self._aggregator = aggregator
        self._maintenance = maintenance
        self._key_use = key_use
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
        if self._maintenance is not None:
            for is_long in (False, True):
                maintenance = functools.partial(
                    self._maintenance.run_until, every_seconds=MAINTENANCE_SECONDS, is_long=is_long
                )
                threads.append(threading.Thread(target=maintenance, args=(workers_stop,)))
        if self._key_use is not None:
            threads.append(threading.Thread(target=self._key_use.run_until, args=(workers_stop,)))
        counting_stop = threading.Event()
        counting = threading.Thread(target=self._aggregator.run_until, args=(counting_stop,))
        every_seconds = self._settings.consumer_reclaim_after_ms / 1000 / HEARTBEATS_IN_RECLAIM_TIME
        with Heartbeat(
            self._workers, self.state, every_seconds=every_seconds, file=self._settings.consumer_heartbeat_file
        ):
            for thread in (*threads, counting):
                thread.start()
            while not stop.wait(FOREVER_SECONDS):
                pass
            workers_stop.set()
            for thread in threads:
                thread.join()
            # After the last batch, so that nothing stays uncounted.
            counting_stop.set()
            counting.join()
        for worker in self._workers:
            worker.deregister()
        if self._failures:
            raise self._failures[0]
        log.info("consumer.stopped", consumer=self.name)

    @property
    def is_well(self) -> bool:
        """Whether the last attempts reached PostgreSQL and Redis, and no chore has failed for too long."""
        return (
            all(worker.is_well for worker in self.worker_metrics())
            and self._aggregator.is_well
            and (self._maintenance is None or self._maintenance.is_well)
        )

    def worker_metrics(self) -> list[WorkerMetrics]:
        """Return the counters of each stream worker."""
        return [worker.metrics for worker in self._workers]

    def state(self) -> ConsumerState:
        """Return the sums of the counters of all stream workers."""
        workers = self.worker_metrics()
        return ConsumerState(
            name=self.name,
            is_well=self.is_well,
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
