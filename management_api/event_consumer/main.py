"""The event consumer process: drains the event streams into PostgreSQL until it is told to stop."""

import functools
import os
import threading
from collections.abc import Sequence

import structlog
from redis import Redis

from common.process import ShutdownSignal, tune_gc
from common.telemetry.tracing import create_spans
from common.wire.redis_keys import event_streams
from management_api.activity.upkeep import Upkeep
from management_api.database.transactions import Database
from management_api.event_consumer.batch_size import BatchSize
from management_api.event_consumer.batch_store import BatchStore
from management_api.event_consumer.careful_storing import CarefulStore
from management_api.event_consumer.figures import ConsumerFigures
from management_api.event_consumer.key_use import KeyUseUpdater
from management_api.event_consumer.lane import Lane
from management_api.event_consumer.metrics import serve_consumer_metrics
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.signs_of_life import SignsOfLife
from management_api.event_consumer.stream_group import StreamGroup, connect, new_consumer_name
from management_api.event_consumer.tally import Tally
from management_api.event_consumer.traced_store import TracedStore

log = structlog.stdlib.get_logger(__name__)

#: The main thread has nothing to do but to wait.
FOREVER_SECONDS = 3600.0

#: A consumer shows so often in each reclaim time that it lives.
SIGNS_IN_RECLAIM_TIME = 5


def run(settings: ConsumerSettings) -> None:
    """Consume until SIGTERM or SIGINT; the batches at hand are finished."""
    stop = ShutdownSignal()
    stop.listen()
    # Every lane has a transaction of its own, upkeep up to three, the readers of former ids and of used keys one each.
    connections = max(settings.database_pool_size, len(event_streams()) + 5)
    database = Database(settings.model_copy(update={"database_pool_size": connections}))
    redis = connect(settings.redis_url.get_secret_value())
    try:
        upkeep = Upkeep(database, keep_days=settings.event_retention_days)
        spans = create_spans("consumer", os.environ)
        filter_mb = settings.consumer_id_filter_mb
        store = (
            BatchStore(database, id_filter_mb=filter_mb)
            if spans is None
            else TracedStore(database, spans, id_filter_mb=filter_mb)
        )
        consumer = EventConsumer(settings, redis, store, upkeep, KeyUseUpdater(redis, database))
        tune_gc()
        with serve_consumer_metrics(
            settings, consumer.tallies(), store.tally, database, redis, is_well=lambda: consumer.is_well
        ):
            consumer.run_until(stop)
    finally:
        redis.close()
        database.close()


class EventConsumer:
    """One consumer of the group: a lane for each stream, and signs of life for all of them."""

    def __init__(
        self,
        settings: ConsumerSettings,
        redis: Redis,
        store: BatchStore,
        upkeep: Upkeep | None = None,
        key_use: KeyUseUpdater | None = None,
    ) -> None:
        self.name = new_consumer_name()
        self._settings = settings
        self._upkeep = upkeep
        self._key_use = key_use
        self.former_ids = store.former_ids
        self._failures: list[BaseException] = []
        self._lanes: Sequence[Lane] = [
            Lane(
                StreamGroup(redis, stream, self.name),
                CarefulStore(store, hold_seconds=settings.consumer_reclaim_after_ms / 1000),
                BatchSize(settings.consumer_batch_size),
                reclaim_after_ms=settings.consumer_reclaim_after_ms,
            )
            for stream in event_streams()
        ]

    def run_until(self, stop: ShutdownSignal) -> None:
        """Store what comes; a defect in any lane ends the process, which starts anew."""
        log.info("consumer.started", consumer=self.name)
        lanes_stop = threading.Event()
        threads = [threading.Thread(target=self._run_lane, args=(lane, lanes_stop, stop)) for lane in self._lanes]
        threads.append(threading.Thread(target=self.former_ids.run_until, args=(lanes_stop,)))
        if self._upkeep is not None:
            upkeep = functools.partial(
                self._upkeep.run_until, every_seconds=self._settings.consumer_maintenance_seconds
            )
            threads.append(threading.Thread(target=upkeep, args=(lanes_stop,)))
        if self._key_use is not None:
            threads.append(threading.Thread(target=self._key_use.run_until, args=(lanes_stop,)))
        every_seconds = self._settings.consumer_reclaim_after_ms / 1000 / SIGNS_IN_RECLAIM_TIME
        with SignsOfLife(self._lanes, self.figures, every_seconds=every_seconds, file=self._settings.consumer_file):
            for thread in threads:
                thread.start()
            while not stop.wait(FOREVER_SECONDS):
                pass
            lanes_stop.set()
            for thread in threads:
                thread.join()
        for lane in self._lanes:
            lane.leave()
        if self._failures:
            raise self._failures[0]
        log.info("consumer.stopped", consumer=self.name)

    @property
    def is_well(self) -> bool:
        """Whether the last attempts reached PostgreSQL and Redis, and no maintenance chore has failed for too long."""
        return all(tally.is_well for tally in self.tallies()) and (self._upkeep is None or self._upkeep.is_well)

    def tallies(self) -> list[Tally]:
        """Give what each lane counts."""
        return [lane.tally for lane in self._lanes]

    def figures(self) -> ConsumerFigures:
        """Give what was done since the start, of all lanes together."""
        tallies = self.tallies()
        return ConsumerFigures(
            name=self.name,
            is_well=self.is_well,
            stored=sum(tally.stored for tally in tallies),
            batches=sum(tally.batches for tally in tallies),
            dead_letters=sum(tally.dead_letters for tally in tallies),
            held_back=sum(tally.held_back for tally in tallies),
            taken_over=sum(tally.taken_over for tally in tallies),
            outages=sum(tally.outages for tally in tallies),
        )

    def _run_lane(self, lane: Lane, lanes_stop: threading.Event, stop: ShutdownSignal) -> None:
        try:
            lane.run_until(lanes_stop)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the main thread raises it
            self._failures.append(error)
            stop.set()
