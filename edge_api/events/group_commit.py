"""Makes records durable in groups: whatever gathers while one group is under way is the next (no fixed waiting)."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import structlog

from common.errors import UnavailableError
from common.wire.stream_records import StreamRecord
from edge_api.events.commit_stats import CommitStats
from edge_api.events.event_sink import EventSink
from edge_api.events.pending_write import PendingWrite, Settle, pending_write_of

_LOG = structlog.stdlib.get_logger(__name__)

_RECORDS_PER_GROUP = 1000
_BYTES_PER_GROUP = 1024 * 1024
_MEBIBYTE = 1024 * 1024
NOT_STORED = "Events cannot be stored now"
#: What was tried longer ago says nothing of now: without events nobody would ever find out that they go through again.
_FAILURE_COUNTS_SECONDS = 3.0
_TOO_MANY = "Too many events are waiting to be stored"


class GroupCommit:
    """One per worker. Memory is bounded by the number and the bytes of the records that wait or are under way."""

    def __init__(
        self,
        log: EventSink,
        *,
        pending_limit: int,
        pending_mb: int = 64,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._clock = clock
        self._pending_limit = pending_limit
        self._byte_limit = pending_mb * _MEBIBYTE
        #: What waits or is under way, in records and in bytes.
        self.pending = 0
        self.pending_bytes = 0
        self.tally = CommitStats()
        self._waiting: deque[PendingWrite] = deque()
        self._arrived = asyncio.Event()
        #: Groups whose fate is known and whose submissions have not been told it: at most one, or two after a defect.
        self._untold: list[tuple[Sequence[PendingWrite], Sequence[Exception | None]]] = []
        self._is_closing = False
        #: When the last group could not be made durable; None when it could.
        self._failed_at: float | None = None

    @property
    def is_failing(self) -> bool:
        """Whether the last group could not be made durable, and that lately."""
        return self._failed_at is not None and self._clock() - self._failed_at < _FAILURE_COUNTS_SECONDS

    async def commit(self, records: Sequence[StreamRecord]) -> None:
        """Return once the records are durable. Raises UnavailableError when they are not known to be."""
        fate: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.promise(records, partial(_tell, fate))
        await fate

    def promise(self, records: Sequence[StreamRecord], settle: Settle) -> None:
        """Take records and return at once; `settle` is told later. Raises UnavailableError when too many wait."""
        if self._is_closing or self.pending + len(records) > self._pending_limit:
            self.tally.refused += len(records)
            raise UnavailableError(_TOO_MANY)
        submission = pending_write_of(records, settle)
        if self.pending_bytes + submission.bytes > self._byte_limit:
            self.tally.refused += len(records)
            raise UnavailableError(_TOO_MANY)
        self._take(submission)

    def offer(self, record: StreamRecord, settle: Settle) -> bool:
        """Take a record whose loss is tolerable, and return at once; False when it is dropped.

        Such records may fill half of what may wait, so that they never push out those that are promised.
        """
        has_room = self.pending < self._pending_limit // 2 and self.pending_bytes < self._byte_limit // 2
        if self._is_closing or not has_room:
            self.tally.dropped += 1
            return False
        self._take(pending_write_of((record,), settle, is_promised=False))
        return True

    async def run(self) -> None:
        """Commit group after group; returns after :meth:`close` once nothing waits."""
        try:
            while self._waiting or not self._is_closing:
                await self._arrived.wait()
                self._arrived.clear()
                while self._waiting:
                    await self._commit_next()
                self._tell()
        finally:
            self._tell()

    def close(self) -> None:
        """Take no more records and let :meth:`run` end when those that wait are committed."""
        self._is_closing = True
        self._arrived.set()

    def _take(self, submission: PendingWrite) -> None:
        self.pending += len(submission.bodies)
        self.pending_bytes += submission.bytes
        if not self._waiting:
            self._arrived.set()
        self._waiting.append(submission)

    async def _commit_next(self) -> None:
        group, records, size = self._next_group()
        fates: list[Exception | None] = []
        started_at = time.perf_counter()
        try:
            appending = self._log.append(group)
            # Redis is at work on this group while those of the one before are told.
            self._tell()
            fates = await appending
        finally:
            # Whatever happened, nobody may wait for ever, and what was not confirmed has failed.
            fates.extend([UnavailableError(NOT_STORED)] * (len(group) - len(fates)))
            self.pending -= records
            self.pending_bytes -= size
            self.tally.count(group, fates, records, time.perf_counter() - started_at)
            self._log_change(next(filter(None, fates), None))
            self._untold.append((group, fates))

    def _tell(self) -> None:
        untold, self._untold = self._untold, []
        for group, fates in untold:
            for submission, fate in zip(group, fates, strict=True):
                try:
                    submission.settle(fate)
                except Exception:  # noqa: BLE001 - whatever the defect is, it is logged
                    # One client's answer that could not be given must not cost the others theirs.
                    _LOG.exception("answer_not_given")

    def _next_group(self) -> tuple[list[PendingWrite], int, int]:
        """Take the next group out of what waits; gives how many records it has, and of how many bytes."""
        waiting = self._waiting
        # Nothing is under way now, so that all that is pending waits here.
        if self.pending <= _RECORDS_PER_GROUP and self.pending_bytes <= _BYTES_PER_GROUP:
            group = list(waiting)
            waiting.clear()
            return group, self.pending, self.pending_bytes
        group, records, size = [], 0, 0
        while waiting and records < _RECORDS_PER_GROUP and size < _BYTES_PER_GROUP:
            submission = waiting.popleft()
            records += len(submission.bodies)
            size += submission.bytes
            group.append(submission)
        return group, records, size

    def _log_change(self, failure: Exception | None) -> None:
        """Log the first failure and the first success after it, not each of thousands."""
        if failure is not None and self._failed_at is None:
            _LOG.warning("events_not_stored", reason=type(failure).__name__)
        elif failure is None and self._failed_at is not None:
            _LOG.info("events_stored_again")
        self._failed_at = None if failure is None else self._clock()


def _tell(waiting: asyncio.Future[None], failure: Exception | None) -> None:
    if waiting.done():
        return
    if failure is None:
        waiting.set_result(None)
    else:
        waiting.set_exception(UnavailableError(NOT_STORED))
