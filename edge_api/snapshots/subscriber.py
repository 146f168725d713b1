"""Keeps the snapshots in a worker's memory as new as Redis."""

import asyncio
import time
from collections.abc import Iterable

import structlog
from redis.exceptions import RedisError

from common.process import Backoff
from common.telemetry.samples import Histogram
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.redis_health import RedisHealth
from edge_api.snapshots.redis_source import START, Changes, RedisSource, StreamPoint
from edge_api.snapshots.stream_follower import StreamFollower

_LOG = structlog.stdlib.get_logger(__name__)

_FIRST_RETRY_SECONDS = 0.05
_MAX_RETRY_SECONDS = 1.0


class ChangeSubscriber:
    """Applies the change stream to the cache, and compares the cache with Redis where entries may have been missed."""

    def __init__(self, source: RedisSource, cache: SnapshotCache, health: RedisHealth) -> None:
        self._cache = cache
        self._health = health
        self._follower = StreamFollower(source, self)
        #: Seconds from the publication of a change to its application.
        self.propagation = Histogram()

    @property
    def newest_at(self) -> float | None:
        """The publication time of the newest applied change, by Redis's clock (Unix time); None before the first."""
        point = self._follower.point
        return None if point is None or point.position == START else point.position[0] / 1000

    async def seek_to_end(self) -> None:
        """Set the position to the end of the stream. Called before requests are served, so that no change is missed.

        While Redis is down the position is set at the first connection, and all loaded snapshots are compared.
        """
        try:
            await self._follower.seek_to_end()
        except (RedisError, OSError) as error:
            self._health.mark_down(error)
        else:
            self._health.mark_synced()

    async def run(self) -> None:
        """Apply changes for ever; reconnect with back-off when Redis is down."""
        backoff = Backoff(first=_FIRST_RETRY_SECONDS, limit=_MAX_RETRY_SECONDS)
        after_outage = False
        while True:
            try:
                await self._follower.follow(after_outage=after_outage)
            except (RedisError, OSError) as error:
                if self._health.is_current:
                    backoff.reset()
                self._health.mark_down(error)
                after_outage = True
                await asyncio.sleep(backoff.next_delay())

    async def apply(self, changes: Changes, _reached: StreamPoint) -> None:
        """Apply changes to the cache."""
        self._health.mark_up()
        await self._cache.apply_changes(changes.revisions, changes.deleted)
        if not changes.has_more:
            self._health.mark_synced()
        self._measure(changes.published_ms)

    async def compare(self, _reached: StreamPoint) -> None:
        """Compare the cache with Redis."""
        # From here on no snapshot is loaded from disk first; those that were are in memory and compared.
        self._health.mark_up()
        self._health.mark_behind()
        await self._cache.compare()
        self._health.mark_synced()

    async def confirm(self, _reached: StreamPoint) -> None:
        """Record that the cache is as new as Redis."""
        self._health.mark_synced()

    def _measure(self, published_ms: Iterable[int]) -> None:
        now = time.time()
        for published in published_ms:
            # The clock of Redis may be ahead of this one.
            self.propagation.observe(max(0.0, now - published / 1000))
