"""Appends records to the event streams of Redis: many in one round trip, on a connection of its own."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from common.backoff import Backoff
from common.redis_keys import EVENT_FIELD, event_stream_of
from edge_api.events.stream_connection import StreamConnection
from edge_api.events.submission import Submission

_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 2.0
# What hiredis says of the types of this function is not so.
_pack = cast("Callable[[tuple[str | bytes, ...]], bytes]", hiredis.pack_command)
_MULTI = _pack(("MULTI",))
_EXEC = _pack(("EXEC",))

#: Makes a connection of redis-py that is not connected yet, to wherever the streams are now.
MakeLink = Callable[[], AbstractConnection]


class EventStreams:
    """Redis runs with `appendfsync always`: its reply to a write comes after the fsync."""

    def __init__(self, make_link: MakeLink) -> None:
        self._make_link = make_link
        self._connection: StreamConnection | None = None
        self._connecting = asyncio.Lock()
        self._backoff = Backoff(first=_FIRST_PAUSE_SECONDS, limit=_LONGEST_PAUSE_SECONDS)
        self._next_attempt_at = 0.0

    async def append(self, submissions: Sequence[Submission], time_limit_seconds: float) -> list[Exception | None]:
        """Append all records and say of each submission whether it is durable (None) or why that is not known.

        Never raises but when it is cancelled. After the time limit the connection is given up, and with it all that
        is under way.
        """
        try:
            async with asyncio.timeout(time_limit_seconds):
                connection = await self._connected()
                commands, replies_each = _commands(submissions)
                replies = await connection.send(b"".join(commands), sum(replies_each))
        except (RedisError, OSError) as error:
            return [error] * len(submissions)
        if len(replies) == len(submissions):
            return [reply if isinstance(reply, Exception) else None for reply in replies]
        answers = iter(replies)
        return [_fate(islice(answers, count)) for count in replies_each]

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _connected(self) -> StreamConnection:
        """Give the connection, made anew where needed: at most one attempt at a time, and not at once after another."""
        if self._connection is not None and self._connection.is_open:
            return self._connection
        async with self._connecting:
            if self._connection is not None and self._connection.is_open:
                return self._connection
            now = asyncio.get_running_loop().time()
            if now < self._next_attempt_at:
                raise RedisConnectionError("Redis was not reached a moment ago")
            # Noted before it is tried: the time limit may cut the attempt off.
            self._next_attempt_at = now + self._backoff.next()
            self._connection = await StreamConnection.open(self._make_link())
            self._next_attempt_at = 0.0
            self._backoff.reset()
            return self._connection


def _commands(submissions: Sequence[Submission]) -> tuple[list[bytes], list[int]]:
    """Pack the records, and say how many replies each submission gets.

    Several records of one request go into a transaction: all of them or none.
    """
    commands: list[bytes] = []
    replies_each: list[int] = []
    project_id, stream = None, ""
    for submission in submissions:
        # Most of what comes together is of one project.
        if submission.project_id != project_id:
            project_id = submission.project_id
            stream = event_stream_of(project_id)
        bodies = submission.bodies
        if len(bodies) == 1:
            commands.append(_pack(("XADD", stream, "*", EVENT_FIELD, bodies[0])))
            replies_each.append(1)
        else:
            commands.append(_MULTI)
            commands.extend([_pack(("XADD", stream, "*", EVENT_FIELD, body)) for body in bodies])
            commands.append(_EXEC)
            replies_each.append(len(bodies) + 2)
    return commands, replies_each


def _fate(replies: Iterable[object]) -> Exception | None:
    """Read the replies of one submission: it is durable when Redis refused none of its commands."""
    refusal: Exception | None = None
    for reply in replies:
        for one in reply if isinstance(reply, list) else (reply,):
            if isinstance(one, Exception) and refusal is None:
                refusal = one
    return refusal
