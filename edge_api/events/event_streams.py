"""Appends records to the event streams: many in one round trip, on a connection of its own."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import chain

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError, ResponseError

from common.redis_keys import EVENT_FIELD
from edge_api.events.submission import Entry, Submission

Command = tuple[str | bytes, ...]


class EventStreams:
    """Speaks to Redis in packed commands, because a pipeline object per batch costs more than the batch.

    Redis runs with `appendfsync always`: its reply to a write comes after the fsync.
    """

    def __init__(self, connections: ConnectionPool, time_limit_seconds: float) -> None:
        self._connections = connections
        self._time_limit_seconds = time_limit_seconds

    async def append(self, submissions: Sequence[Submission]) -> list[Exception | None]:
        """Append all records and say of each submission whether it is durable (None) or why that is not known.

        Never raises but when it is cancelled: what Redis has confirmed before a failure stays confirmed.
        """
        fates: list[Exception | None] = []
        try:
            async with asyncio.timeout(self._time_limit_seconds):
                connection = await self._connections.get_connection()  # type: ignore[no-untyped-call]  # redis-py
                try:
                    await self._exchange(connection, submissions, fates)
                finally:
                    await self._connections.release(connection)
        except (RedisError, OSError) as error:
            fates.extend([error] * (len(submissions) - len(fates)))
        return fates

    async def close(self) -> None:
        """Close the connection."""
        await self._connections.disconnect()

    async def _exchange(
        self, connection: AbstractConnection, submissions: Sequence[Submission], fates: list[Exception | None]
    ) -> None:
        commands = [list(_commands(submission.entries)) for submission in submissions]
        try:
            packed = connection.pack_commands(chain.from_iterable(commands))
            await connection.send_packed_command(packed, check_health=False)
            for own in commands:
                fates.append(await _fate(connection, len(own)))  # noqa: PERF401 - those read before a failure must stay
        except BaseException:
            # Replies that nobody has read would be taken for those of the next batch.
            await connection.disconnect(nowait=True)
            raise


def _commands(entries: Sequence[Entry]) -> Iterator[Command]:
    """Wrap the entries of one request into a transaction when they are several: all of them or none."""
    several = len(entries) > 1
    if several:
        yield ("MULTI",)
    for entry in entries:
        yield ("XADD", entry.stream, "*", EVENT_FIELD, entry.body)
    if several:
        yield ("EXEC",)


async def _fate(connection: AbstractConnection, replies: int) -> Exception | None:
    """Read the replies of one submission: it is durable when Redis refused none of its commands."""
    refusal: Exception | None = None
    for _ in range(replies):
        try:
            reply = await connection.read_response()
        except ResponseError as error:
            reply = error
        for one in reply if isinstance(reply, list) else [reply]:
            if isinstance(one, Exception) and refusal is None:
                refusal = one
    return refusal
