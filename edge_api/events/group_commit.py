"""Commits events in groups: writes that arrive while one group is under way form the next, without a fixed delay."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

import msgspec
import structlog

from common.errors import UnavailableError
from common.telemetry.samples import Histogram
from common.wire.redis_keys import event_stream_of
from common.wire.stream_records import StreamRecord, encode_record

_LOG = structlog.stdlib.get_logger(__name__)

_RECORDS_PER_GROUP = 1000
_BYTES_PER_GROUP = 1024 * 1024
#: An older failure does not count: while no events come, no success could end it.
_FAILURE_SECONDS = 3.0

NOT_STORED = "Events cannot be stored now"
_TOO_MANY = "Too many events are waiting to be stored"
_UNCONFIRMED = UnavailableError(NOT_STORED)

#: Called with None once the records are durable, else with the error because of which that is not certain.
OnDone = Callable[[Exception | None], None]


def _ignore(_error: Exception | None) -> None:
    pass


def stream_of(first: StreamRecord) -> str:
    """Return the stream of all records of a request, given the first one.

    A request with events of several devices stays in one stream, so that Redis stores all of them or none.
    """
    return event_stream_of(first.project_id, first.device_id)


class PendingWrite(msgspec.Struct, gc=False, eq=False):
    """The encoded records of one request, of one project and stream; they are stored together or fail together."""

    project_id: str
    stream: str
    bodies: tuple[bytes, ...]
    #: Bytes of all bodies.
    size: int
    on_done: OnDone = _ignore
    #: Whether a client gets a 2xx for the records. The loss of any other write is tolerable.
    is_required: bool = True
    #: When it was stored in the spool that it comes from (Unix milliseconds by the clock of the edge).
    spooled_at_ms: int | None = None
    #: The connection that has appended the records, where too few replicas have confirmed them.
    appended_on: object | None = None
    #: None once the records are durable; a sink sets it.
    error: Exception | None = _UNCONFIRMED


class EventSink(Protocol):
    """Stores writes that are not durable yet."""

    def append(self, writes: Sequence[PendingWrite]) -> Awaitable[None]:
        """Issue the writes before this returns, if that is possible at once; await the result for their errors."""
        ...


class FallbackSink(EventSink, Protocol):
    """Stores the writes that must not go to the first sink, and those that the first sink has not confirmed."""

    @property
    def is_direct(self) -> bool:
        """Whether the next writes may go to the first sink."""
        ...

    async def append_failed(self, writes: Sequence[PendingWrite]) -> None:
        """Store writes that the first sink has not confirmed."""
        ...


class CommitStats:
    """Records since the worker started: stored, rejected with 503, and dropped where their loss is tolerable."""

    def __init__(self) -> None:
        self.stored = 0
        self.rejected = 0
        self.dropped = 0
        #: The duration of each group.
        self.durations = Histogram()

    def count(self, records: int, failed: Sequence[PendingWrite]) -> None:
        """Count a group by its records and its failed writes."""
        for write in failed:
            records -= len(write.bodies)
            if write.is_required:
                self.rejected += len(write.bodies)
            else:
                self.dropped += len(write.bodies)
        self.stored += records


class EventCommits(Protocol):
    """Makes the records of requests durable."""

    def submit(self, records: Sequence[StreamRecord], on_done: OnDone) -> None:
        """Queue the records of one request and call `on_done` later. Raises UnavailableError when too many wait."""
        ...

    def submit_best_effort(self, record: StreamRecord, on_done: OnDone) -> bool:
        """Queue a record whose loss is tolerable; return False when it is dropped."""
        ...

    async def commit(self, records: Sequence[StreamRecord]) -> None:
        """Return once the records are durable. Raises UnavailableError when they are not known to be."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.submit(records, partial(_resolve, done))
        await done


class GroupCommit(EventCommits):
    """Memory is bounded by the number and the bytes of the pending records."""

    def __init__(
        self,
        sink: EventSink,
        fallback: FallbackSink | None = None,
        *,
        max_pending: int,
        max_pending_bytes: int = 64 * 1024 * 1024,
        stats: CommitStats | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sink = sink
        self._fallback = fallback
        self._clock = clock
        self._max_pending = max_pending
        self._max_pending_bytes = max_pending_bytes
        #: Records, and their bytes, that wait or are under way.
        self.pending = 0
        self.pending_bytes = 0
        self.stats = stats or CommitStats()
        self._waiting: deque[PendingWrite] = deque()
        self._arrived = asyncio.Event()
        #: Writes that are done and whose callbacks were not called yet.
        self._completed: list[PendingWrite] = []
        self._is_closing = False
        #: When the last group failed; None after a success.
        self._failed_at: float | None = None

    @property
    def is_failing(self) -> bool:
        """Whether the last group failed a moment ago."""
        return self._failed_at is not None and self._clock() - self._failed_at < _FAILURE_SECONDS

    def submit(self, records: Sequence[StreamRecord], on_done: OnDone) -> None:
        """Queue the records of one request and call `on_done` later. Raises UnavailableError when too many wait."""
        if self._is_closing or self.pending + len(records) > self._max_pending:
            self.stats.rejected += len(records)
            raise UnavailableError(_TOO_MANY)
        # Encoded now, where an error is still the request's own.
        project_id, stream = records[0].project_id, stream_of(records[0])
        if len(records) == 1:
            body = encode_record(records[0])
            write = PendingWrite(project_id, stream, (body,), len(body), on_done)
        else:
            bodies = tuple(map(encode_record, records))
            write = PendingWrite(project_id, stream, bodies, sum(map(len, bodies)), on_done)
        if self.pending_bytes + write.size > self._max_pending_bytes:
            self.stats.rejected += len(records)
            raise UnavailableError(_TOO_MANY)
        self._enqueue(write)

    def submit_best_effort(self, record: StreamRecord, on_done: OnDone) -> bool:
        """Queue a record whose loss is tolerable; return False when it is dropped.

        Such records may fill half of the bounds, so they never push out required ones.
        """
        has_room = self.pending < self._max_pending // 2 and self.pending_bytes < self._max_pending_bytes // 2
        if self._is_closing or not has_room:
            self.stats.dropped += 1
            return False
        body = encode_record(record)
        self._enqueue(
            PendingWrite(record.project_id, stream_of(record), (body,), len(body), on_done, is_required=False)
        )
        return True

    async def run(self) -> None:
        """Commit group after group; return after :meth:`close` once nothing waits."""
        try:
            while self._waiting or not self._is_closing:
                # A run that a defect has ended may leave a backlog, which sets no event.
                if not self._waiting:
                    await self._arrived.wait()
                self._arrived.clear()
                while self._waiting:
                    await self._commit_next()
                self._notify()
        finally:
            self._notify()

    def close(self) -> None:
        """Accept no more records; :meth:`run` ends once the waiting ones are committed."""
        self._is_closing = True
        self._arrived.set()

    def _enqueue(self, write: PendingWrite) -> None:
        self.pending += len(write.bodies)
        self.pending_bytes += write.size
        if not self._waiting:
            self._arrived.set()
        self._waiting.append(write)

    async def _commit_next(self) -> None:
        group, records, size = self._next_group()
        started_at = time.perf_counter()
        try:
            await self._store(group)
        finally:
            # Even after a defect no request may wait for ever: a write without confirmation has failed.
            failed = [write for write in group if write.error is not None]
            self.pending -= records
            self.pending_bytes -= size
            self.stats.durations.observe(time.perf_counter() - started_at)
            self.stats.count(records, failed)
            self._record_outcome(group, failed)
            self._completed += group

    async def _store(self, group: Sequence[PendingWrite]) -> None:
        fallback = self._fallback
        is_direct = fallback is None or fallback.is_direct
        appending = self._sink.append(group) if fallback is None or is_direct else fallback.append(group)
        # Redis works on this group while the requests of the previous one get their responses.
        self._notify()
        await appending
        if is_direct and fallback is not None:
            failed = [write for write in group if write.error is not None]
            if failed:
                await fallback.append_failed(failed)

    def _notify(self) -> None:
        completed, self._completed = self._completed, []
        for write in completed:
            try:
                write.on_done(write.error)
            except Exception:  # noqa: BLE001 - any defect is logged
                # A response that fails must not cost the other requests theirs.
                _LOG.exception("response_not_sent")

    def _next_group(self) -> tuple[list[PendingWrite], int, int]:
        """Remove the next group from the queue; return it with its records and bytes."""
        waiting = self._waiting
        # No group is under way now, so all that is pending waits here.
        if self.pending <= _RECORDS_PER_GROUP and self.pending_bytes <= _BYTES_PER_GROUP:
            group = list(waiting)
            waiting.clear()
            return group, self.pending, self.pending_bytes
        group, records, size = [], 0, 0
        while waiting and records < _RECORDS_PER_GROUP and size < _BYTES_PER_GROUP:
            write = waiting.popleft()
            records += len(write.bodies)
            size += write.size
            group.append(write)
        return group, records, size

    def _record_outcome(self, group: Sequence[PendingWrite], failed: Sequence[PendingWrite]) -> None:
        """Log the first failure and the first success after it, not thousands of either.

        Only required writes count: the spool refuses others while it still has room for events.
        """
        failure = next((write.error for write in failed if write.is_required), None)
        if failure is not None:
            if self._failed_at is None:
                _LOG.warning("events_not_stored", reason=type(failure).__name__)
            self._failed_at = self._clock()
        elif self._failed_at is not None and any(write.is_required for write in group):
            _LOG.info("events_stored_again")
            self._failed_at = None


def _resolve(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(UnavailableError(NOT_STORED))
