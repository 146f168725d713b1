"""Appends records to the event streams of Redis: many in one round trip, on a connection of its own."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

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
_MULTI = hiredis.pack_command(("MULTI",))
_EXEC = hiredis.pack_command(("EXEC",))

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
                packed = b"".join([part for submission in submissions for part in _commands(submission)])
                replies = await connection.send(packed, sum(_reply_count(one) for one in submissions))
        except (RedisError, OSError) as error:
            return [error] * len(submissions)
        answers = iter(replies)
        return [_fate(answers, _reply_count(submission)) for submission in submissions]

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


def _commands(submission: Submission) -> Iterator[bytes]:
    """Wrap the records of one request into a transaction when they are several: all of them or none."""
    stream = event_stream_of(submission.project_id)
    bodies = submission.bodies
    if len(bodies) == 1:
        yield _xadd(stream, bodies[0])
        return
    yield _MULTI
    for body in bodies:
        yield _xadd(stream, body)
    yield _EXEC


def _xadd(stream: str, body: bytes) -> bytes:
    return hiredis.pack_command(("XADD", stream, "*", EVENT_FIELD, body))  # type: ignore[arg-type, no-any-return]  # its types are wrong


def _reply_count(submission: Submission) -> int:
    records = len(submission.bodies)
    return 1 if records == 1 else records + 2


def _fate(replies: Iterator[object], count: int) -> Exception | None:
    """Read the replies of one submission: it is durable when Redis refused none of its commands."""
    refusal: Exception | None = None
    for _ in range(count):
        reply = next(replies)
        for one in reply if isinstance(reply, list) else (reply,):
            if isinstance(one, Exception) and refusal is None:
                refusal = one
    return refusal
