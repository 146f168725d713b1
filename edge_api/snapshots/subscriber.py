"""Applies changes from Redis: the change stream, and a periodic comparison in case the stream missed one."""

import asyncio
import time
from collections.abc import Iterable

import structlog
from redis.exceptions import RedisError

from common.process import Backoff
from common.telemetry.samples import Histogram
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.disk_reconciler import DiskReconciler
from edge_api.snapshots.redis_source import START, RedisHealth, RedisSource

_LOG = structlog.stdlib.get_logger(__name__)

_WAIT_MS = 1000
_FIRST_RETRY_SECONDS = 0.05
_MAX_RETRY_SECONDS = 1.0
#: Redis keeps the tombstone of a deleted project for a day. After an outage of more than half of that (clocks may
#: differ), a project that Redis does not have may have been deleted; after a shorter outage, Redis has lost it.
_TOMBSTONE_SECONDS = 12 * 60 * 60


class ChangeSubscriber:
    """Reads the change stream from its own position; compares all snapshots where entries may have been missed."""

    def __init__(
        self, source: RedisSource, cache: SnapshotCache, health: RedisHealth, copies: DiskReconciler | None
    ) -> None:
        self._source = source
        self._cache = cache
        self._health = health
        self._copies = copies
        self._position = START
        self._has_position = False
        #: Seconds from the publication of a change to its application.
        self.propagation = Histogram()

    @property
    def newest_at(self) -> float | None:
        """The publication time of the newest applied change, by Redis's clock (Unix time); None before the first."""
        return self._position[0] / 1000 if self._position > START else None

    async def seek_to_end(self) -> None:
        """Set the position to the end of the stream. Called before requests are served, so that no change is missed.

        While Redis is down the position is set at the first connection, and all loaded snapshots are compared.
        """
        try:
            self._position = await self._source.newest_position()
        except (RedisError, OSError) as error:
            self._health.mark_down(error)
        else:
            self._has_position = True
            self._health.mark_up()

    async def run(self) -> None:
        """Apply changes for ever; reconnect with back-off when Redis is down."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        while True:
            try:
                await self._resume()
                backoff.reset()
                while True:
                    await self._read_changes()
            except (RedisError, OSError) as error:
                self._health.mark_down(error)
                await asyncio.sleep(backoff.next_delay())

    async def reconcile_forever(self, every_seconds: float) -> None:
        """Compare all cached snapshots with Redis periodically."""
        while True:
            await asyncio.sleep(every_seconds)
            try:
                await self._cache.reconcile()
            except (RedisError, OSError) as error:
                _LOG.debug("not_reconciled", reason=type(error).__name__)

    async def _resume(self) -> None:
        newest = await self._source.newest_position()
        # A stream that ends before this position is another stream: Redis has lost its data or was replaced.
        if not self._has_position or newest < self._position:
            self._position = newest
            self._has_position = True
        # From here on no snapshot is loaded from disk; those that were are in memory and compared.
        self._health.mark_up()
        # An empty stream belongs to a Redis that has lost its data: projects that it lacks were not deleted.
        await self._resync(has_history=newest != START)
        self._health.mark_synced()

    async def _read_changes(self) -> None:
        read = await self._source.changes_after(self._position, wait_ms=_WAIT_MS)
        if read is None:
            self._health.mark_synced()
            return
        self._health.mark_up()
        position, changes = read
        if changes.malformed:
            _LOG.error("changes_unreadable", entries=changes.malformed)
        was_trimmed = await self._source.oldest_position() > self._position
        if self._copies is not None:
            not_cached = {
                project_id: revision
                for project_id, revision in changes.revisions.items()
                if self._cache.revision(project_id) is None
            }
            self._copies.record_changes(not_cached)
        await self._cache.apply_changes(changes.revisions, changes.deleted)
        if was_trimmed or changes.malformed:
            await self._resync(has_history=True)
        # Only now: if any step above fails, the same entries are read again.
        self._position = position
        self._health.mark_synced()
        self._measure(changes.published_ms)

    async def _resync(self, *, has_history: bool) -> None:
        """Compare all snapshots and copies with Redis, because changes may have been missed. Raises RedisError."""
        self._health.mark_behind()
        age = self._health.age()
        absent_are_deleted = has_history and (age is None or age > _TOMBSTONE_SECONDS)
        await self._cache.reconcile(absent_are_deleted=absent_are_deleted)
        if self._copies is not None:
            self._copies.request_full_sync(absent_are_deleted=absent_are_deleted)

    def _measure(self, published_ms: Iterable[int]) -> None:
        now = time.time()
        for published in published_ms:
            # The clock of Redis may be ahead of this one.
            self.propagation.observe(max(0.0, now - published / 1000))
