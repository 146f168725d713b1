"""Moves one event stream into PostgreSQL, in a thread of its own: read, store, acknowledge.

An outage or a lock that delays one worker delays no other, also where both store events of the same project.
"""

import threading
import time
from collections.abc import Callable, Sequence

import psycopg
import structlog
from redis.exceptions import RedisError, ResponseError
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.process import Backoff
from management_api.event_consumer.bisecting import BisectingStore, Outcome
from management_api.event_consumer.known_streams import KnownStreams
from management_api.event_consumer.metrics import WorkerMetrics
from management_api.event_consumer.stream import FIRST_ID, EventStream, StreamEntry

log = structlog.stdlib.get_logger(__name__)

#: The errors of an outage of PostgreSQL or Redis, or of a schema that is not there yet; they pass.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error, RedisError)

#: Seconds of the waits during an outage.
FIRST_WAIT, MAX_WAIT = 0.1, 5.0

#: Seconds from a deferral to the next attempt. Most locks of a project last some milliseconds.
FIRST_RETRY, MAX_RETRY = 0.1, 5.0

#: How long a read waits for entries; a stop takes no longer.
BLOCK_MS = 500

#: Seconds between two transactions while there are few entries, so that these are stored together. An entry that comes
#: after a pause does not wait.
PAUSE_SECONDS = 0.02

#: A consumer without a heartbeat for so many reclaim times, and without pending entries, is removed from the group.
IDLE_RECLAIM_TIMES = 30

#: The count of the first read.
FIRST_COUNT = 200
#: The maximum size of a batch in bytes, by the average of the last full batch.
MAX_BATCH_BYTES = 4 * 1024 * 1024


class BatchSize:
    """The count of the next read of one stream, bounded by bytes too: it grows while there is a backlog."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.count = min(FIRST_COUNT, limit)

    def update(self, entries: Sequence[StreamEntry]) -> None:
        """Double the count after a full batch, as far as the bytes allow."""
        if len(entries) >= self.count:
            average = sum(len(entry.body) for entry in entries) // len(entries) + 1
            self.count = max(min(self.count * 2, self._limit, MAX_BATCH_BYTES // average), 1)


class StreamWorker:
    """The loop. Redis keeps entries that are read and not acknowledged, so the process may end at any moment."""

    def __init__(
        self,
        stream: EventStream,
        store: BisectingStore,
        known_streams: KnownStreams,
        size: BatchSize,
        *,
        reclaim_after_ms: int,
    ) -> None:
        self.stream = stream
        self._known_streams = known_streams
        #: Whether PostgreSQL has the stream with its group.
        self._is_recorded = False
        #: When this worker has made the group (monotonic seconds).
        self._group_made_at: float | None = None
        self.metrics = WorkerMetrics(last_step_at=time.monotonic())
        self._store = store
        self._size = size
        self._reclaim_after_ms = reclaim_after_ms
        self._outage = Backoff(first=FIRST_WAIT, limit=MAX_WAIT)
        self._retry = Backoff(first=FIRST_RETRY, limit=MAX_RETRY)
        #: When the deferred entries are tried again (monotonic seconds). None: there are none.
        self._retry_at: float | None = None
        self._next_claim = 0.0
        self._next_batch = 0.0

    def run_until(self, stop: threading.Event) -> None:
        """Store entries until `stop` is set. The batch at hand is finished; outages are waited out."""
        while not stop.is_set():
            try:
                self._consume_until(stop)
            except OUTAGES as error:
                self._record_step(is_healthy=False)
                if not (_is_missing_group(error) and self._create_group()):
                    stop.wait(self._wait_after(error))

    def deregister(self) -> None:
        """Remove the consumer from the group, after its last heartbeat."""
        try:
            self.stream.deregister()
        except RedisError as error:
            log.warning("consumer.not_removed", stream=self.stream.stream, error=type(error).__name__)

    def _consume_until(self, stop: threading.Event) -> None:
        # Entries of a batch that an outage interrupted are not read as new ones again.
        self._store_own(stop, self._store.store)
        while not stop.is_set():
            if time.monotonic() >= self._next_claim:
                self._claim_stale(stop)
            if self._retry_at is not None and time.monotonic() >= self._retry_at:
                self._retry_deferred(stop)
            self._pause(stop)
            entries = self.stream.read_new(self._size.count, block_ms=self._block_ms())
            self._next_batch = time.monotonic() + PAUSE_SECONDS if len(entries) < FIRST_COUNT else 0.0
            self._store_batch(entries, self._store.store)
            if not self._is_recorded:
                self._record_group()

    def _store_own(self, stop: threading.Event, store: Callable[[Sequence[StreamEntry]], Outcome]) -> None:
        """Store the entries that this worker has read and not acknowledged."""
        after = FIRST_ID
        while not stop.is_set() and (entries := self.stream.read_own(self._size.count, after=after)):
            after = entries[-1].entry_id
            self._store_batch(entries, store)

    def _retry_deferred(self, stop: threading.Event) -> None:
        """Store the deferred entries; those whose project is still locked are tried again later."""
        self._retry_at = None
        locked: set[str | None] = set()
        self._store_own(stop, lambda entries: self._store.retry(entries, locked))
        if locked:
            log.warning(
                "events.deferred", stream=self.stream.stream, projects=len(locked), project=min(map(str, locked))
            )
        else:
            self._retry.reset()

    def _block_ms(self) -> int:
        """Return how long a read may wait for new entries (milliseconds); 0 would have no end."""
        if self._retry_at is None:
            return BLOCK_MS
        return max(1, min(BLOCK_MS, round((self._retry_at - time.monotonic()) * 1000)))

    def _claim_stale(self, stop: threading.Event) -> None:
        """Store the entries of consumers that have ended."""
        while not stop.is_set() and (
            entries := self.stream.claim_stale(min_idle_ms=self._reclaim_after_ms, count=self._size.count)
        ):
            self.metrics.claimed += len(entries)
            self._store_batch(entries, self._store.store)
        self.stream.remove_idle_consumers(min_idle_ms=self._reclaim_after_ms * IDLE_RECLAIM_TIMES)
        self._next_claim = time.monotonic() + self._reclaim_after_ms / 4000

    def _store_batch(self, entries: Sequence[StreamEntry], store: Callable[[Sequence[StreamEntry]], Outcome]) -> None:
        """Store a batch and acknowledge the committed entries; deferred ones are tried again."""
        if entries:
            self._size.update(entries)
            started_at = time.perf_counter()
            outcome = store(entries)
            self.metrics.durations.observe(time.perf_counter() - started_at)
            deferred = frozenset(outcome.deferred)
            self.stream.acknowledge([entry for entry in entries if entry not in deferred])
            self.metrics.stored += outcome.stored
            self.metrics.dead_letters += outcome.dead_letters
            self.metrics.deferred += len(deferred)
            if deferred and self._retry_at is None:
                self._retry_at = time.monotonic() + self._retry.next_delay()
            self.metrics.batches += 1
        self._outage.reset()
        self._record_step(is_healthy=True)

    def _pause(self, stop: threading.Event) -> None:
        pause = self._next_batch - time.monotonic()
        if pause > 0:
            stop.wait(pause)

    def _create_group(self) -> bool:
        """Create the missing group. Only then, because a full Redis rejects the command."""
        try:
            is_new = self.stream.create_group()
        except RedisError:
            return False
        if is_new:
            log.info("consumer.group_created", stream=self.stream.stream)
            self._group_made_at = time.monotonic()
            self._is_recorded = False
        return True

    def _record_group(self) -> None:
        """Store that the stream has its group. If it had another one before, Redis has lost the stream: report that."""
        stream = self.stream.stream
        if self._group_made_at is not None:
            made_seconds_ago = time.monotonic() - self._group_made_at
            if self._known_streams.record_loss(stream, made_seconds_ago=made_seconds_ago):
                log.warning("consumer.stream_lost", stream=stream)
                self.metrics.lost_streams += 1
            self._group_made_at = None
        self._known_streams.add(stream)
        self._is_recorded = True

    def _wait_after(self, error: Exception) -> float:
        """Return how long to wait. Connections to Redis are closed, as their server may be no primary any more."""
        if isinstance(error, RedisError):
            self.stream.disconnect()
        self.metrics.outages += 1
        wait = self._outage.next_delay()
        reason = str(error.__cause__ or error).partition("\n")[0]
        log.warning(
            "consumer.outage",
            stream=self.stream.stream,
            error=type(error).__name__,
            reason=reason,
            retry_in_seconds=round(wait, 2),
        )
        return wait

    def _record_step(self, *, is_healthy: bool) -> None:
        self.metrics.is_healthy = is_healthy
        self.metrics.last_step_at = time.monotonic()


def _is_missing_group(error: Exception) -> bool:
    """Return whether the stream or its group is missing, by the texts of a waiting read and of other commands."""
    return isinstance(error, ResponseError) and str(error).startswith(("NOGROUP", "UNBLOCKED", "no such key"))
