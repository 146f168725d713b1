"""Where a worker's records become durable: in Redis, or in the spool on disk while Redis does not take them."""

import asyncio
from collections.abc import Awaitable, Sequence

import structlog

from common.process import Backoff
from edge_api.events.event_streams import EventStreams
from edge_api.events.pending_write import PendingWrite
from edge_api.events.spool.batch import Batch
from edge_api.events.spool.spool import Spool
from edge_api.events.stream_writer import InFlightWrite

_LOG = structlog.stdlib.get_logger(__name__)

#: Nobody waits for a replay, so Redis may take its time for it.
_REPLAY_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 2.0
_LOOK_AROUND_SECONDS = 5.0
#: When no more than this waits, new records wait for its replay instead of lengthening it.
_NEARLY_DRAINED = 2000
_LAST_WAIT_SECONDS = 0.25


class SpoolingSink:
    """As long as anything waits in the spool, all that is new goes through the spool: nothing overtakes it.

    Redis is written to directly again once the spool is drained and Redis took the last of it in half of the time that
    a request may wait for Redis.
    """

    def __init__(self, streams: EventStreams, spool: Spool, *, patience_seconds: float) -> None:
        self._streams = streams
        self._spool = spool
        self._patience_seconds = patience_seconds
        self._is_redis_trusted = True
        self._drained = asyncio.Event()

    @property
    def is_direct(self) -> bool:
        """Whether the next records go to Redis first."""
        return self._is_redis_trusted and self._spool.is_drained

    def append(self, submissions: Sequence[PendingWrite]) -> Awaitable[list[Exception | None]]:
        """Make records durable, and say of each submission whether it is (None) or why that is not known."""
        if self.is_direct:
            return self._append_directly(submissions, self._streams.send(submissions, self._patience_seconds))
        return self._append_behind_the_spool(submissions)

    async def _append_behind_the_spool(self, submissions: Sequence[PendingWrite]) -> list[Exception | None]:
        await self._let_drain()
        if self.is_direct:
            return await self._append_directly(submissions)
        fates = await self._spool.append(submissions)
        if any(fates) and self._spool.is_drained:
            # The disk fails and there is nothing to overtake: Redis may be back.
            return await self._streams.append(submissions, self._patience_seconds)
        return fates

    async def replay(self) -> None:
        """Bring what the spool has to Redis, for ever."""
        backoff = Backoff(first=_FIRST_PAUSE_SECONDS, limit=_LONGEST_PAUSE_SECONDS)
        while True:
            await self._spool.filled.wait()
            try:
                batch = await self._spool.next_batch()
            except OSError as error:
                _LOG.error("spool_not_read", reason=type(error).__name__)
                await asyncio.sleep(_LONGEST_PAUSE_SECONDS)
                continue
            if batch is None:
                self._drained.set()
            elif await self._is_replayed(batch):
                backoff.reset()
            else:
                await asyncio.sleep(backoff.next_delay())

    async def look_around(self) -> None:
        """Take over the spools of dead workers, for ever."""
        while True:
            await asyncio.sleep(_LOOK_AROUND_SECONDS)
            await self._spool.take_over()

    async def _append_directly(
        self, submissions: Sequence[PendingWrite], sent: InFlightWrite | None = None
    ) -> list[Exception | None]:
        fates = await self._streams.append(submissions, self._patience_seconds, sent)
        failures = [fate for fate in fates if fate is not None]
        if not failures:
            return fates
        # Their fate at Redis may be unknown; to have them twice does no harm, for they are known by their ids.
        lost = [one for one, fate in zip(submissions, fates, strict=True) if fate is not None]
        self._is_redis_trusted = False
        self._drained.clear()
        _LOG.warning("spooling_began", reason=type(failures[0]).__name__)
        spooled = iter(await self._spool.append(lost))
        return [None if fate is None else next(spooled) for fate in fates]

    async def _let_drain(self) -> None:
        """Wait for the last of the spool, or under a steady load it would never be drained."""
        if self._is_redis_trusted and self._spool.records <= _NEARLY_DRAINED:
            self._drained.clear()
            try:
                async with asyncio.timeout(_LAST_WAIT_SECONDS):
                    await self._drained.wait()
            except TimeoutError:
                pass

    async def _is_replayed(self, batch: Batch) -> bool:
        loop = asyncio.get_running_loop()
        started_at = loop.time()
        fates = await self._streams.append(batch.submissions, _REPLAY_SECONDS)
        taken = next((number for number, fate in enumerate(fates) if fate is not None), len(fates))
        is_whole = taken == len(fates)
        was_trusted = self._is_redis_trusted
        self._is_redis_trusted = is_whole and loop.time() - started_at <= self._patience_seconds / 2
        if self._is_redis_trusted and not was_trusted:
            _LOG.info("spool_is_replayed")
        await self._spool.confirm(batch, taken)
        return is_whole
