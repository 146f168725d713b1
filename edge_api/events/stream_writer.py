"""One connection to wherever an event stream is, made anew when it breaks or when the stream has moved."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from common.process import Backoff
from common.redis.async_links import ConnectionFactory
from common.redis.url import Node
from edge_api.events.pending_write import PendingWrite
from edge_api.events.stream_commands import (
    ReplicasMissingError,
    is_of_no_master,
    is_sent_on,
    pack_submissions,
    pack_wait,
    read_fates,
    sent_on_to,
)
from edge_api.events.stream_connection import StreamConnection

_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 2.0
#: A submission is sent on so often; more would be servers that do not agree.
_MOST_TRIPS = 3


class InFlightWrite(NamedTuple):
    """Records on their way to Redis: by which connection, the replies to come, and how many each submission gets."""

    connection: StreamConnection
    replies: asyncio.Future[list[object]]
    replies_each: list[int]


class StreamWriter:
    """Redis runs with `appendfsync always`: its reply to a write comes after the fsync."""

    def __init__(self, links: ConnectionFactory, stream: str, *, replicas: int) -> None:
        self._links = links
        self._stream = stream
        self._replicas = replicas
        self._connection: StreamConnection | None = None
        self._connecting = asyncio.Lock()
        self._backoff = Backoff(first=_FIRST_PAUSE_SECONDS, limit=_LONGEST_PAUSE_SECONDS)
        self._next_attempt_at = 0.0
        #: The server that the last refusal named, for the next connection; and whether the stream is on its way there.
        self._sent_to: Node | None = None
        self._is_asking = False

    def send(self, submissions: Sequence[PendingWrite], time_limit_seconds: float) -> InFlightWrite | None:
        """Send all records for :meth:`append` to go on with; None: nothing was sent, as there is no connection now."""
        try:
            return self._send(self._connection, submissions, time_limit_seconds) if self._connection else None
        except RedisConnectionError:
            return None

    async def append(
        self, submissions: Sequence[PendingWrite], time_limit_seconds: float, sent: InFlightWrite | None = None
    ) -> list[Exception | None]:
        """Append all records and say of each submission whether it is durable (None) or why that is not known.

        `sent` is what :meth:`send` gave for them. Never raises but when it is cancelled. After the time limit the
        connection is given up, and with it all that is under way.
        """
        fates: list[Exception | None] | None = None
        try:
            async with asyncio.timeout(time_limit_seconds):
                if sent is None:
                    sent = self._send(await self._connected(), submissions, time_limit_seconds)
                fates = await self._fates(sent)
                for _ in range(_MOST_TRIPS):
                    # Nearly always nothing has failed.
                    again = [number for number, fate in enumerate(fates) if is_sent_on(fate)] if any(fates) else []
                    if not again:
                        break
                    self._follow(fates[again[0]])
                    rest = [submissions[number] for number in again]
                    later = await self._fates(self._send(await self._connected(), rest, time_limit_seconds))
                    for number, fate in zip(again, later, strict=True):
                        fates[number] = fate
                if any(fates) and any(map(is_of_no_master, fates)):
                    # Others may have another master by now, and whoever is asked next time knows.
                    self.close()
        except (RedisError, OSError) as error:
            # What was confirmed before a part was sent on stays confirmed.
            return [error] * len(submissions) if fates is None else fates
        return fates

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(
        self, connection: StreamConnection, submissions: Sequence[PendingWrite], time_limit_seconds: float
    ) -> InFlightWrite:
        commands, replies_each = pack_submissions(submissions, is_asking=self._is_asking)
        expected = sum(replies_each)
        if self._replicas:
            commands.append(pack_wait(self._replicas, round(time_limit_seconds * 500)))
            expected += 1
        return InFlightWrite(connection, connection.send(b"".join(commands), expected), replies_each)

    async def _fates(self, sent: InFlightWrite) -> list[Exception | None]:
        try:
            replies = await sent.replies
        except asyncio.CancelledError:
            # Replies that nobody waits for would be taken for others.
            sent.connection.close()
            raise
        if not self._replicas:
            return read_fates(replies, sent.replies_each)
        copies = replies.pop()
        fates = read_fates(replies, sent.replies_each)
        if isinstance(copies, int) and copies >= self._replicas:
            return fates
        missing = ReplicasMissingError("not enough replicas have it")
        return [missing if fate is None else fate for fate in fates]

    def _follow(self, refusal: Exception | None) -> None:
        """Have the next connection go where a refusal says, or ask anew where the stream is."""
        self.close()
        if refusal is not None:
            self._sent_to, self._is_asking = sent_on_to(refusal)

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
            self._next_attempt_at = now + self._backoff.next_delay()
            sent_to, self._sent_to = self._sent_to, None
            self._is_asking = self._is_asking and sent_to is not None
            self._connection = await StreamConnection.open(await self._links.link(self._stream, sent_to))
            self._next_attempt_at = 0.0
            self._backoff.reset()
            return self._connection
