"""Reads snapshots and the change stream from Redis, and tracks the availability of Redis."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog
from redis.asyncio import Redis

from common.wire.redis_keys import CHANGE_STREAM, snapshot_key

_LOG = structlog.stdlib.get_logger(__name__)

#: A position in the change stream, in Redis's order: milliseconds and sequence number.
Position = tuple[int, int]

START: Position = (0, 0)

#: Commands in one round trip. redis-py reads all replies of a trip without yielding to the event loop.
BODIES_PER_TRIP = 16
REVISIONS_PER_TRIP = 200
_CHANGES_PER_READ = 500


@dataclass(slots=True)
class Changes:
    """The content of consecutive stream entries: the newest revision of each project, and the deleted projects."""

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
    """Reads through one client. Every method raises RedisError or OSError when Redis is unavailable."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def bodies(self, project_ids: Sequence[str]) -> list[bytes | None]:
        """Return the stored snapshots in the order of the ids; None for a project without one."""
        return await self._fields(project_ids, "body", BODIES_PER_TRIP)

    async def revisions(self, project_ids: Sequence[str]) -> list[int | None]:
        """Return the stored revisions in the order of the ids; None for a project without one."""
        values = await self._fields(project_ids, "revision", REVISIONS_PER_TRIP)
        return [None if value is None else int(value) for value in values]

    async def newest_position(self) -> Position:
        """Return the position of the newest entry of the change stream."""
        return _position_of_first(await self._client.xrevrange(CHANGE_STREAM, count=1))

    async def oldest_position(self) -> Position:
        """Return the position of the oldest entry that has not been trimmed."""
        return _position_of_first(await self._client.xrange(CHANGE_STREAM, count=1))

    async def changes_after(self, position: Position, *, wait_ms: int) -> tuple[Position, Changes] | None:
        """Wait for entries after a position; None when none arrived in time."""
        after = f"{position[0]}-{position[1]}"
        reply: Any = await self._client.xread({CHANGE_STREAM: after}, count=_CHANGES_PER_READ, block=wait_ms)
        if not reply:
            return None
        ((_, entries),) = reply
        changes = Changes()
        for entry_id, entry in entries:
            changes.add(entry)
            changes.published_ms.append(_parse_position(entry_id)[0])
        return _parse_position(entries[-1][0]), changes

    async def _fields(self, project_ids: Sequence[str], field_name: str, per_trip: int) -> list[bytes | None]:
        values: list[bytes | None] = []
        for start in range(0, len(project_ids), per_trip):
            async with self._client.pipeline(transaction=False) as pipeline:
                for project_id in project_ids[start : start + per_trip]:
                    pipeline.hget(snapshot_key(project_id), field_name)
                replies: list[Any] = await pipeline.execute()
            values.extend(replies)
        return values


class RedisHealth:
    """Whether Redis is available, and whether the snapshots in memory are as new as Redis.

    `was_up` stays true: a worker that has been able to serve continues with its cached snapshots. `is_current` is false
    while snapshots may be behind: Redis does not respond, or changes that may have been missed are being compared.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, wall_clock: Callable[[], float] = time.time
    ) -> None:
        """Create the state; `monotonic` measures ages, because a wall clock may be set."""
        self._monotonic = monotonic
        self._wall_clock = wall_clock
        self._synced_at: float | None = None
        self.was_up = False
        self.is_up = False
        self.is_current = False

    def mark_up(self) -> None:
        """Record that Redis responded."""
        if not self.is_up:
            _LOG.info("redis_reached")
        self.was_up = self.is_up = True

    def mark_behind(self) -> None:
        """Record that changes may have been missed."""
        self.is_current = False

    def mark_synced(self) -> None:
        """Record that all changes in Redis have been applied."""
        self.mark_up()
        self.is_current = True
        self._synced_at = self._monotonic()

    def mark_down(self, error: Exception) -> None:
        """Record that Redis did not respond."""
        if self.is_up or not self.was_up:
            _LOG.warning("redis_not_reached", reason=type(error).__name__)
        self.is_up = self.is_current = False

    def restore(self, synced_at: float | None) -> None:
        """Take over the Unix time of the last synchronisation, which a former process has stored.

        A time in the future proves that the clock was set, so the age is unknown.
        """
        age = None if synced_at is None else self._wall_clock() - synced_at
        if age is not None and age >= 0:
            self._synced_at = self._monotonic() - age

    def age(self) -> float | None:
        """Return the seconds since the last synchronisation; None when there was none."""
        return None if self._synced_at is None else self._monotonic() - self._synced_at


def _position_of_first(entries: Any) -> Position:  # noqa: ANN401 - redis-py has no type for entries
    return _parse_position(entries[0][0]) if entries else START


def _parse_position(entry_id: bytes) -> Position:
    milliseconds, _, sequence = entry_id.partition(b"-")
    return int(milliseconds), int(sequence)
