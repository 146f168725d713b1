"""Follows the change stream, so that a worker's snapshots are at most a moment old, also after a broken connection."""

import asyncio
import time
from collections.abc import Iterable

import structlog
from redis.exceptions import RedisError

from common.process import Backoff
from common.telemetry.histogram import Histogram
from edge_api.snapshots.change_stream import START, ChangeStream
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.snapshot_store import SnapshotStore

_LOG = structlog.stdlib.get_logger(__name__)

_WAIT_MS = 1000
_FIRST_RETRY_SECONDS = 0.05
_LONGEST_RETRY_SECONDS = 1.0


class ChangeSubscriber:
    """Reads from its own last position; where entries may have been missed it compares everything instead."""

    def __init__(self, stream: ChangeStream, store: SnapshotStore, contact: RedisHealth) -> None:
        self._stream = stream
        self._store = store
        self._contact = contact
        self._position = START
        self._is_located = False
        #: How long each change took from its publication to here.
        self.propagation = Histogram()

    @property
    def newest_at(self) -> float | None:
        """When the newest change that was followed was published, by Redis's clock (Unix time); None before one."""
        return self._position[0] / 1000 if self._position > START else None

    async def locate(self) -> None:
        """Fix the position to follow from. Called before anything is served, so that no change falls in between.

        With Redis away it is fixed at the first contact, and what has been loaded by then is compared.
        """
        try:
            self._position = await self._stream.newest()
        except (RedisError, OSError) as error:
            self._contact.lost(error)
        else:
            self._is_located = True
            self._contact.found()

    async def run(self) -> None:
        """Follow for ever, connecting again whenever Redis is lost."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_LONGEST_RETRY_SECONDS)
        while True:
            try:
                await self._resume()
                backoff.reset()
                while True:
                    await self._follow()
            except (RedisError, OSError) as error:
                self._contact.lost(error)
                await asyncio.sleep(backoff.next_delay())

    async def _resume(self) -> None:
        newest = await self._stream.newest()
        # A stream that ends before our position is another one: Redis has lost its data or was replaced.
        if not self._is_located or newest < self._position:
            self._position = newest
            self._is_located = True
        # From here on nothing is taken from disk; what was is in memory, and compared.
        self._contact.found()
        await self._store.catch_up(has_history=newest != START)
        self._contact.confirmed()

    async def _follow(self) -> None:
        found = await self._stream.read_after(self._position, wait_ms=_WAIT_MS)
        if found is None:
            self._contact.confirmed()
            return
        self._contact.found()
        position, changes = found
        if changes.unreadable:
            _LOG.error("changes_unreadable", entries=changes.unreadable)
        was_trimmed = await self._stream.oldest() > self._position
        await self._store.apply_changes(changes.revisions, changes.deleted)
        if was_trimmed or changes.unreadable:
            await self._store.catch_up(has_history=True)
        # Only now: when anything above fails, the same stretch is read again.
        self._position = position
        self._contact.confirmed()
        self._measure(changes.published_ms)

    def _measure(self, published_ms: Iterable[int]) -> None:
        now = time.time()
        for one in published_ms:
            # Redis may have another machine's clock, which goes before ours.
            self.propagation.count(max(0.0, now - one / 1000))
