"""Follows the change stream from a position, and finds out when entries may have been missed."""

from typing import Protocol

import structlog

from edge_api.snapshots.redis_source import Changes, RedisSource, StreamPoint

_LOG = structlog.stdlib.get_logger(__name__)

_WAIT_MS = 1000


class Target(Protocol):
    """Snapshots that are kept as new as Redis: a worker's in memory, or the copies on disk."""

    async def apply(self, changes: Changes, reached: StreamPoint) -> None:
        """Apply changes; afterwards the snapshots are as new as the point."""

    async def compare(self, reached: StreamPoint) -> None:
        """Compare all snapshots with Redis; afterwards they are as new as the point, which was reached before."""

    async def confirm(self, reached: StreamPoint) -> None:
        """Record that nothing has changed since the point, which is the end of the stream."""


class StreamFollower:
    """Has a position that moves only after the target has applied the entries up to it."""

    def __init__(self, source: RedisSource, target: Target) -> None:
        self._source = source
        self._target = target
        self.point: StreamPoint | None = None

    async def seek_to_end(self) -> None:
        """Set the position to the end of the stream, for a target without snapshots. Raises RedisError or OSError."""
        self.point = (await self._source.stream_ends()).end

    async def follow(self, *, after_outage: bool) -> None:
        """Follow the stream until an error of Redis or of the target, which is raised.

        After an outage another server may respond, whose data is older, so all snapshots are compared first.
        """
        ends = await self._source.stream_ends()
        point = self.point
        if after_outage or point is None or point.epoch is None or ends.has_gap_after(point):
            point = await self._compare(ends.end)
        while True:
            point = await self._step(point)

    async def _step(self, point: StreamPoint) -> StreamPoint:
        changes = await self._source.changes_after(point.position, wait_ms=_WAIT_MS)
        ends = await self._source.stream_ends()
        is_malformed = changes is not None and bool(changes.malformed)
        if is_malformed or ends.has_gap_after(point):
            _LOG.warning("changes_missed", reason="unreadable entries" if is_malformed else "a gap in the stream")
            return await self._compare(ends.end)
        if changes is None:
            await self._target.confirm(point)
            return point
        reached = StreamPoint(ends.epoch, changes.position)
        await self._target.apply(changes, reached)
        # Only now: if that fails, the same entries are read again.
        self.point = reached
        return reached

    async def _compare(self, end: StreamPoint) -> StreamPoint:
        await self._target.compare(end)
        self.point = end
        return end
