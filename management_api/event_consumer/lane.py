"""One event stream's way into PostgreSQL: read, prepare, store, acknowledge, in a thread of its own.

Streams have different projects and so nothing in common: one that waits for an outage or a lock keeps no other waiting.
While there is a backlog, the next batch is read before the one at hand is stored, and prepared while PostgreSQL is at
work on that.
"""

import threading
import time
from collections.abc import Sequence

import psycopg
import structlog
from redis.exceptions import RedisError, ResponseError
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.process import Backoff
from management_api.database.work_while_waiting import working_while_waiting
from management_api.event_consumer.batch_size import FEW, BatchSize
from management_api.event_consumer.careful_storing import CarefulStore
from management_api.event_consumer.preparation import Preparation, PreparedBatch
from management_api.event_consumer.stream_entry import StreamEntry
from management_api.event_consumer.stream_group import FIRST_ID, StreamGroup
from management_api.event_consumer.tally import Tally

log = structlog.stdlib.get_logger(__name__)

#: What PostgreSQL or Redis being away, or a schema that is not there yet, looks like; it passes.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error, RedisError)

#: Seconds of the waits during an outage.
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0

#: How long a read waits for entries; a stop takes no longer.
BLOCK_MS = 500

#: Seconds between two transactions while there are few entries: what comes meanwhile goes together. An entry that comes
#: after a pause does not wait.
REST_SECONDS = 0.02

#: A consumer that was silent for so many reclaim times, and has nothing pending, is taken out of the group.
IDLE_RECLAIM_TIMES = 30


class Lane:
    """The loop. What it has read and not acknowledged is known to Redis, so it may die at any moment."""

    def __init__(self, group: StreamGroup, store: CarefulStore, size: BatchSize, *, reclaim_after_ms: int) -> None:
        self.group = group
        self.tally = Tally(last_step_at=time.monotonic())
        self._store = store
        self._size = size
        #: The batch after the one that is being stored, while there is a backlog: it is prepared meanwhile.
        self._ahead: Preparation | None = None
        self._reclaim_after_ms = reclaim_after_ms
        self._outage = Backoff(first=FIRST_WAIT, limit=LONGEST_WAIT)
        self._next_take_over = 0.0
        self._next_batch = 0.0

    def run_until(self, stop: threading.Event) -> None:
        """Store what comes until the stop is asked for; the batch at hand is finished, outages are waited out."""
        while not stop.is_set():
            try:
                self._consume_until(stop)
            except OUTAGES as error:
                self._note_step(is_well=False)
                if not (_says_that_there_is_no_group(error) and self._makes_group()):
                    stop.wait(self._wait_after(error))

    def leave(self) -> None:
        """Take the consumer out of the group, when it gives no signs of life any more."""
        try:
            self.group.leave()
        except RedisError as error:
            log.warning("consumer.not_removed", stream=self.group.stream, error=type(error).__name__)

    def _consume_until(self, stop: threading.Event) -> None:
        # What an outage interrupted is still ours, and Redis does not give it out as new again.
        after = FIRST_ID
        while not stop.is_set() and (entries := self.group.read_own(self._size.count, after=after)):
            after = entries[-1].entry_id
            self._finish(self._preparation(entries).finish())
        try:
            while not stop.is_set():
                self._finish(self._next(stop))
            if self._ahead is not None:
                self._finish(self._taken(self._ahead))
        finally:
            # Redis keeps what was read and not acknowledged, and gives it out again.
            self._ahead = None

    def _next(self, stop: threading.Event) -> PreparedBatch:
        """Give the next batch, and while there is a backlog have the one after it read."""
        if self._ahead is not None:
            batch = self._taken(self._ahead)
        else:
            if self._should_take_over():
                self._take_over(stop)
            self._rest(stop)
            batch = self._preparation(self.group.read_new(self._size.count, block_ms=BLOCK_MS)).finish()
        self._next_batch = time.monotonic() + REST_SECONDS if len(batch.entries) < FEW else 0.0
        # What is ahead would be taken over as something that was left, if it had to wait for long.
        if self._size.was_full and not self._should_take_over() and not stop.is_set():
            self._ahead = self._preparation(self.group.read_new(self._size.count))
        return batch

    def _taken(self, ahead: Preparation) -> PreparedBatch:
        self._ahead = None
        return ahead.finish()

    def _preparation(self, entries: Sequence[StreamEntry]) -> Preparation:
        self._size.note(entries)
        return Preparation(entries)

    def _should_take_over(self) -> bool:
        return time.monotonic() >= self._next_take_over

    def _take_over(self, stop: threading.Event) -> None:
        """Store what dead consumers have left, and what was held back."""
        while not stop.is_set() and (
            entries := self.group.take_over(min_idle_ms=self._reclaim_after_ms, count=self._size.count)
        ):
            self.tally.taken_over += len(entries)
            self._finish(self._preparation(entries).finish())
        self.group.remove_idle_consumers(min_idle_ms=self._reclaim_after_ms * IDLE_RECLAIM_TIMES)
        self._next_take_over = time.monotonic() + self._reclaim_after_ms / 4000

    def _finish(self, batch: PreparedBatch) -> None:
        """Store a batch and acknowledge what is committed."""
        if batch.entries:
            started_at = time.perf_counter()
            with working_while_waiting(self._ahead):
                outcome = self._store.store(batch)
            self.tally.durations.observe(time.perf_counter() - started_at)
            self.group.acknowledge(batch.without(outcome.held_back))
            self.tally.stored += outcome.stored
            self.tally.dead_letters += outcome.dead_letters
            self.tally.held_back += len(outcome.held_back)
            self.tally.batches += 1
        self._outage.reset()
        self._note_step(is_well=True)

    def _rest(self, stop: threading.Event) -> None:
        pause = self._next_batch - time.monotonic()
        if pause > 0:
            stop.wait(pause)

    def _makes_group(self) -> bool:
        """Make the group in a Redis that has none; not before it is missed, as a Redis that is full would refuse."""
        try:
            self.group.make()
        except RedisError:
            return False
        log.info("consumer.group_made", stream=self.group.stream)
        return True

    def _wait_after(self, error: Exception) -> float:
        """Tell how long to wait; connections may lead to a server that is no primary any more, and are made anew."""
        if isinstance(error, RedisError):
            self.group.disconnect()
        self.tally.outages += 1
        wait = self._outage.next_delay()
        reason = str(error.__cause__ or error).partition("\n")[0]
        log.warning(
            "consumer.outage",
            stream=self.group.stream,
            error=type(error).__name__,
            reason=reason,
            retry_in_seconds=round(wait, 2),
        )
        return wait

    def _note_step(self, *, is_well: bool) -> None:
        self.tally.is_well = is_well
        self.tally.last_step_at = time.monotonic()


def _says_that_there_is_no_group(error: Exception) -> bool:
    """Tell whether the stream or its group is not there; as a waiting read says it, or any other command."""
    return isinstance(error, ResponseError) and str(error).startswith(("NOGROUP", "UNBLOCKED", "no such key"))
