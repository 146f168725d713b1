"""The event consumer process: drains the event streams into PostgreSQL until it is told to stop."""

import time
from collections.abc import Sequence

import psycopg
import structlog
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from common.backoff import Backoff
from common.errors import UnavailableError
from common.process_signals import StopRequest
from common.settings import ConsumerSettings
from management_api.database.transactions import Database
from management_api.event_consumer.batch_store import BatchStore
from management_api.event_consumer.bisection import store_around_poison
from management_api.event_consumer.event_group import EventGroup, connect, new_consumer_name
from management_api.event_consumer.stream_entry import StreamEntry

log = structlog.stdlib.get_logger(__name__)

#: What PostgreSQL or Redis being away, or a schema that is not there yet, looks like; it passes.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error, RedisError)

#: Seconds of the waits during an outage.
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0

#: How long a read waits for entries; a stop takes no longer.
BLOCK_MS = 500

#: A consumer that has not asked for so many reclaim times, and has nothing pending, is taken out of the group.
IDLE_RECLAIM_TIMES = 30


def run(settings: ConsumerSettings) -> None:
    """Consume until SIGTERM or SIGINT; the batch at hand is finished."""
    stop = StopRequest()
    stop.listen()
    database = Database(settings)
    redis = connect(settings.redis_url.get_secret_value())
    consumer = EventConsumer(settings, EventGroup(redis, new_consumer_name()), BatchStore(database))
    try:
        consumer.run_until(stop)
    finally:
        redis.close()
        database.close()


class EventConsumer:
    """The loop. What it has read and not acknowledged is known to Redis, so it may die at any moment."""

    def __init__(self, settings: ConsumerSettings, group: EventGroup, store: BatchStore) -> None:
        self._batch_size = settings.consumer_batch_size
        self._reclaim_after_ms = settings.consumer_reclaim_after_ms
        self._group = group
        self._store = store
        self._outage = Backoff(first=FIRST_WAIT, limit=LONGEST_WAIT)
        self._next_reclaim = 0.0

    def run_until(self, stop: StopRequest) -> None:
        """Store what comes; outages are waited out."""
        log.info("consumer.started")
        while not stop.is_set():
            try:
                self._consume_until(stop)
            except OUTAGES as error:
                wait = self._outage.next()
                reason = str(error.__cause__ or error).partition("\n")[0]
                log.warning(
                    "consumer.outage", error=type(error).__name__, reason=reason, retry_in_seconds=round(wait, 2)
                )
                stop.wait(wait)
        self._leave()
        log.info("consumer.stopped")

    def _consume_until(self, stop: StopRequest) -> None:
        self._group.ensure()
        # What an outage interrupted is still ours, and Redis does not give it out as new again.
        while not stop.is_set() and self._finish(self._group.read_own(self._batch_size)):
            pass
        while not stop.is_set():
            if time.monotonic() >= self._next_reclaim:
                self._take_over()
            self._finish(self._group.read_new(self._batch_size, block_ms=BLOCK_MS))

    def _take_over(self) -> None:
        """Do one step of taking over from the dead; as long as there is something, the next one follows soon."""
        if not self._finish(self._group.reclaim(min_idle_ms=self._reclaim_after_ms, count=self._batch_size)):
            self._group.remove_idle_consumers(min_idle_ms=self._reclaim_after_ms * IDLE_RECLAIM_TIMES)
            self._next_reclaim = time.monotonic() + self._reclaim_after_ms / 2000

    def _finish(self, entries: Sequence[StreamEntry]) -> int:
        """Store entries and acknowledge what is committed; gives how many there were."""
        for start in range(0, len(entries), self._batch_size):
            batch = entries[start : start + self._batch_size]
            store_around_poison(self._store, batch)
            self._group.acknowledge(batch)
        self._outage.reset()
        return len(entries)

    def _leave(self) -> None:
        try:
            self._group.leave()
        except RedisError as error:
            log.warning("consumer.not_removed", error=type(error).__name__)
