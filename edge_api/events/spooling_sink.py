"""Stores events in the spool while Redis is unavailable, and replays them afterwards."""

import asyncio
from collections.abc import Sequence

import structlog

from common.process import Backoff
from edge_api.background_tasks import BackgroundTasks
from edge_api.events.group_commit import PendingWrite
from edge_api.events.redis_writer import RedisWriter
from edge_api.events.spool import Spool, SpoolBatch
from edge_api.events.spool_file import DISK_ERRORS, reason_of

_LOG = structlog.stdlib.get_logger(__name__)

#: No request waits for a replay, so Redis may take longer.
_REPLAY_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.05
_MAX_PAUSE_SECONDS = 2.0
_ADOPT_SECONDS = 5.0
#: With no more records than this in the spool, new writes wait for their replay instead of adding to them.
_NEARLY_DRAINED = 2000
_DRAIN_SECONDS = 0.25


class SpoolingSink:
    """The fallback of the group commit. While anything waits in the spool, new writes go through it: none overtakes.

    Redis is written to directly again once the spool is drained and Redis took the last batch in half of the time that
    a request may wait.
    """

    def __init__(self, redis: RedisWriter, spool: Spool, *, timeout_seconds: float) -> None:
        """`timeout_seconds` is how long a request may wait for Redis."""
        self._redis = redis
        self._spool = spool
        self._timeout_seconds = timeout_seconds
        self._is_redis_trusted = True
        self._drained = asyncio.Event()

    @property
    def is_direct(self) -> bool:
        """Whether the next writes may go to Redis first."""
        return self._is_redis_trusted and self._spool.is_drained

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        """Store writes behind those in the spool."""
        await self._wait_until_drained()
        if self.is_direct:
            await self._redis.append(writes)
            failed = [write for write in writes if write.error is not None]
            if failed:
                await self.append_failed(failed)
            return
        await self._spool.append(writes)
        if self._spool.is_drained:
            failed = [write for write in writes if write.error is not None]
            if failed:
                # The disk fails and there is nothing to overtake: Redis may be back.
                await self._redis.append(failed)

    async def append_failed(self, writes: Sequence[PendingWrite]) -> None:
        """Store writes that Redis has not confirmed. A duplicate does no harm: the consumer detects it by its id."""
        reason = type(writes[0].error).__name__
        self._is_redis_trusted = False
        self._drained.clear()
        _LOG.warning("spooling_began", reason=reason, shard=self._spool.shard)
        await self._spool.append(writes)

    def start(self, tasks: BackgroundTasks, suffix: str) -> None:
        """Start to replay and to adopt, in tasks whose names end with the suffix."""
        tasks.start(f"spool_replay{suffix}", self.replay)
        tasks.start(f"orphaned_spools{suffix}", self.adopt_orphans)

    async def replay(self) -> None:
        """Send the content of the spool to Redis, until cancelled."""
        while True:
            await self._spool.filled.wait()
            try:
                batch = await self._spool.next_batch()
            except DISK_ERRORS as error:
                _LOG.error("spool_not_read", reason=reason_of(error))
                await asyncio.sleep(_MAX_PAUSE_SECONDS)
                continue
            if batch is None:
                self._drained.set()
            else:
                await self._replay_batch(batch)

    async def adopt_orphans(self) -> None:
        """Adopt the spools of ended workers, until cancelled."""
        while True:
            await asyncio.sleep(_ADOPT_SECONDS)
            await self._spool.adopt_orphans()

    async def _wait_until_drained(self) -> None:
        """Wait for the last records of the spool, which a steady load would otherwise keep filled for ever."""
        if self._is_redis_trusted and self._spool.records <= _NEARLY_DRAINED:
            self._drained.clear()
            try:
                async with asyncio.timeout(_DRAIN_SECONDS):
                    await self._drained.wait()
            except TimeoutError:
                pass

    async def _replay_batch(self, batch: SpoolBatch) -> None:
        """Send the writes of a batch to Redis until it has all of them.

        Each write is repeated by itself: the others must not be stored again while a shard of a Cluster is down.
        """
        loop = asyncio.get_running_loop()
        backoff = Backoff(first=_FIRST_PAUSE_SECONDS, limit=_MAX_PAUSE_SECONDS)
        waiting = batch.writes
        while True:
            started_at = loop.time()
            await self._redis.append_within(waiting, _REPLAY_SECONDS)
            waiting = [write for write in waiting if write.error is not None]
            was_trusted = self._is_redis_trusted
            self._is_redis_trusted = not waiting and loop.time() - started_at <= self._timeout_seconds / 2
            if not waiting:
                break
            await asyncio.sleep(backoff.next_delay())
        if self._is_redis_trusted and not was_trusted:
            _LOG.info("spool_is_replayed", shard=self._spool.shard)
        await self._spool.confirm(batch)
