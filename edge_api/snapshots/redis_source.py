"""Reads snapshots and the change stream from Redis.

In a Redis Cluster some nodes may be down: the snapshots on them are errors among the results. A call raises RedisError
or OSError when no node responds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from redis.asyncio import Redis

from common.wire.redis_keys import CHANGE_EPOCH, CHANGE_STREAM, SNAPSHOT_FORMAT, is_complete, snapshot_key

T = TypeVar("T")

#: A position in the change stream, in Redis's order: milliseconds and sequence number.
Position = tuple[int, int]

START: Position = (0, 0)

#: Commands in one round trip. redis-py reads all replies of a trip without yielding to the event loop.
BODIES_PER_TRIP = 16
REVISIONS_PER_TRIP = 200
_CHANGES_PER_READ = 500


class StoredSnapshot(NamedTuple):
    """A snapshot as Redis stores it."""

    revision: int
    body: bytes


class StreamPoint(NamedTuple):
    """A position in the change stream. It has a meaning only in the data of this epoch; None is an unknown epoch."""

    epoch: bytes | None
    position: Position


class StreamEnds(NamedTuple):
    """The epoch of the change stream, and the positions of its oldest and newest entries; START without entries."""

    epoch: bytes | None
    oldest: Position
    newest: Position

    @property
    def end(self) -> StreamPoint:
        """The end of the stream."""
        return StreamPoint(self.epoch, self.newest)

    def has_gap_after(self, point: StreamPoint) -> bool:
        """Return whether a reader at the point may have missed entries: they were trimmed, or Redis lost its data."""
        return self.epoch != point.epoch or not self.oldest <= point.position <= self.newest


@dataclass(slots=True)
class Changes:
    """The content of consecutive stream entries: the newest revision of each project, and the deleted projects."""

    #: The position of the last entry.
    position: Position = START
    #: Whether there are probably more entries after it.
    has_more: bool = False
    revisions: dict[str, int] = field(default_factory=dict)
    deleted: dict[str, int] = field(default_factory=dict)
    #: Entries that could not be parsed.
    malformed: int = 0
    #: The time at which each entry was added, by Redis's clock, in Unix milliseconds.
    published_ms: list[int] = field(default_factory=list)

    def add(self, entry: dict[bytes, bytes]) -> None:
        """Add the fields of one entry."""
        try:
            project_id, revision = entry[b"project"].decode(), int(entry[b"revision"])
        except (KeyError, ValueError):
            self.malformed += 1
            return
        newest = self.deleted if entry.get(b"deleted") == b"1" else self.revisions
        newest[project_id] = max(revision, newest.get(project_id, revision))


class RedisSource:
    """Reads through one client."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def find(self, project_id: str) -> tuple[StoredSnapshot | None, bool]:
        """Return the snapshot of a project, and whether Redis has every snapshot. Raises RedisError or OSError."""
        async with self._client.pipeline(transaction=False) as pipeline:
            pipeline.hmget(snapshot_key(project_id), "revision", "body")
            # The mark is read last: if Redis loses its data in between, the mark is gone, too.
            pipeline.get(SNAPSHOT_FORMAT)
            fields, mark = await pipeline.execute(raise_on_error=False)
        return _snapshot(_raise_error(fields)), is_complete(_none_for_error(mark))

    async def snapshots(self, project_ids: Sequence[str]) -> list[StoredSnapshot | Exception | None]:
        """Return the snapshots in the order of the ids; None for a project without one."""
        replies = await self._fields(project_ids, ("revision", "body"), BODIES_PER_TRIP)
        return [reply if isinstance(reply, Exception) else _snapshot(reply) for reply in replies]

    async def revisions(self, project_ids: Sequence[str]) -> list[int | Exception | None]:
        """Return the revisions in the order of the ids; None for a project without a snapshot."""
        replies = await self._fields(project_ids, ("revision",), REVISIONS_PER_TRIP)
        return [reply if isinstance(reply, Exception) else reply[0] and int(reply[0]) for reply in replies]

    async def complete_epoch(self) -> bytes | None:
        """Return the epoch if Redis has every snapshot, else None. Raises RedisError or OSError."""
        async with self._client.pipeline(transaction=False) as pipeline:
            pipeline.get(CHANGE_EPOCH)
            pipeline.get(SNAPSHOT_FORMAT)
            epoch, mark = await pipeline.execute(raise_on_error=False)
        return _none_for_error(epoch) if is_complete(_none_for_error(mark)) else None

    async def stream_ends(self) -> StreamEnds:
        """Return the ends of the change stream. Raises RedisError or OSError."""
        async with self._client.pipeline(transaction=False) as pipeline:
            pipeline.get(CHANGE_EPOCH)
            pipeline.xrange(CHANGE_STREAM, count=1)
            pipeline.xrevrange(CHANGE_STREAM, count=1)
            epoch, first, last = await pipeline.execute(raise_on_error=False)
        return StreamEnds(_none_for_error(epoch), _position(_raise_error(first)), _position(_raise_error(last)))

    async def changes_after(self, position: Position, *, wait_ms: int) -> Changes | None:
        """Wait for entries after a position; None when none arrived in time. Raises RedisError or OSError."""
        after = f"{position[0]}-{position[1]}"
        reply: Any = await self._client.xread({CHANGE_STREAM: after}, count=_CHANGES_PER_READ, block=wait_ms)
        if not reply:
            return None
        ((_, entries),) = reply
        changes = Changes(_position(entries[-1:]), has_more=len(entries) == _CHANGES_PER_READ)
        for entry_id, entry in entries:
            changes.add(entry)
            changes.published_ms.append(int(entry_id.partition(b"-")[0]))
        return changes

    async def _fields(self, project_ids: Sequence[str], names: Sequence[str], per_trip: int) -> list[Any]:
        values: list[Any] = []
        for start in range(0, len(project_ids), per_trip):
            async with self._client.pipeline(transaction=False) as pipeline:
                for project_id in project_ids[start : start + per_trip]:
                    pipeline.hmget(snapshot_key(project_id), *names)
                values.extend(await pipeline.execute(raise_on_error=False))
        return values


def _snapshot(fields: Sequence[bytes | None]) -> StoredSnapshot | None:
    revision, body = fields
    return None if revision is None or body is None else StoredSnapshot(int(revision), body)


def _position(entries: Sequence[tuple[bytes, Any]]) -> Position:
    """Return the position of the first of these entries."""
    if not entries:
        return START
    milliseconds, _, sequence = entries[0][0].partition(b"-")
    return int(milliseconds), int(sequence)


def _raise_error(reply: T | Exception) -> T:
    if isinstance(reply, Exception):
        raise reply
    return reply


def _none_for_error(reply: bytes | Exception | None) -> bytes | None:
    """Return a reply; None for an error: a node is down, or the users of Redis are those of release 0.2.0."""
    return None if isinstance(reply, Exception) else reply
