"""The stream of published revisions, read from a position of our own."""

from dataclasses import dataclass, field
from typing import Any

from redis.asyncio import Redis

from common.wire.redis_keys import CHANGE_STREAM

#: A stream position as Redis orders them: milliseconds and sequence number.
Position = tuple[int, int]

START: Position = (0, 0)
_ENTRIES_PER_READ = 1000


@dataclass(slots=True)
class Changes:
    """What a stretch of the stream says: the newest revision of each project, and those that were deleted."""

    revisions: dict[str, int] = field(default_factory=dict)
    deleted: dict[str, int] = field(default_factory=dict)
    unreadable: int = 0
    #: When the entries were added, by Redis's clock, in Unix milliseconds.
    published_ms: list[int] = field(default_factory=list)

    def note(self, entry: dict[bytes, bytes]) -> None:
        """Take in one entry."""
        try:
            project_id, revision = entry[b"project"].decode(), int(entry[b"revision"])
        except (KeyError, ValueError):
            self.unreadable += 1
            return
        newest = self.deleted if entry.get(b"deleted") == b"1" else self.revisions
        newest[project_id] = max(revision, newest.get(project_id, revision))


class ChangeStream:
    """Every method raises redis-py's RedisError when Redis cannot answer."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def newest(self) -> Position:
        """Give the position of the newest entry."""
        return _only_position(await self._client.xrevrange(CHANGE_STREAM, count=1))

    async def oldest(self) -> Position:
        """Give the position of the oldest entry that has not been trimmed away."""
        return _only_position(await self._client.xrange(CHANGE_STREAM, count=1))

    async def read_after(self, position: Position, *, wait_ms: int) -> tuple[Position, Changes] | None:
        """Wait for entries after a position; None when none came in time."""
        after = f"{position[0]}-{position[1]}"
        reply: Any = await self._client.xread({CHANGE_STREAM: after}, count=_ENTRIES_PER_READ, block=wait_ms)
        if not reply:
            return None
        ((_, entries),) = reply
        changes = Changes()
        for entry_id, entry in entries:
            changes.note(entry)
            changes.published_ms.append(_position(entry_id)[0])
        return _position(entries[-1][0]), changes


def _only_position(entries: Any) -> Position:  # noqa: ANN401 - redis-py gives no type for it
    return _position(entries[0][0]) if entries else START


def _position(entry_id: bytes) -> Position:
    milliseconds, _, sequence = entry_id.partition(b"-")
    return int(milliseconds), int(sequence)
