"""A connection to Redis for commands that were packed together: no task, no stream and no time-out for each reply."""

import asyncio
from collections import deque
from typing import Self, cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError

_LOST = "the connection to Redis was lost"


class _Awaited:
    """The replies to commands that were sent together."""

    __slots__ = ("future", "missing", "replies")

    def __init__(self, count: int) -> None:
        self.missing = count
        self.replies: list[object] = []
        self.future: asyncio.Future[list[object]] = asyncio.get_running_loop().create_future()


class StreamConnection(asyncio.Protocol):
    """Takes over a connection that redis-py has made: address, TLS, credentials and database are its business.

    A refusal is a reply like any other, an exception among the replies.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        # asyncio's object closes the transport when nobody holds it any more.
        self._writer = writer
        self._transport = cast("asyncio.Transport", writer.transport)
        self._reader = hiredis.Reader()
        self._awaited: deque[_Awaited] = deque()

    @classmethod
    async def open(cls, link: AbstractConnection) -> Self:
        """Connect. Raises RedisError and OSError."""
        await link.connect()  # type: ignore[no-untyped-call]  # redis-py
        # redis-py has no public way to hand over what it has opened.
        writer, link._reader, link._writer = link._writer, None, None  # noqa: SLF001 - as said above
        if writer is None:
            raise RedisConnectionError(_LOST)
        own = cls(writer)
        writer.transport.set_protocol(own)
        return own

    @property
    def is_open(self) -> bool:
        """Whether anything can be sent."""
        return not self._transport.is_closing()

    def send(self, packed: bytes, replies: int) -> asyncio.Future[list[object]]:
        """Send commands and promise so many replies, or the connection's error when not all of them come.

        Raises RedisError when nothing can be sent. Who stops waiting closes the connection.
        """
        if not self.is_open:
            raise RedisConnectionError(_LOST)
        awaited = _Awaited(replies)
        try:
            self._transport.write(packed)
        except RuntimeError as error:
            # So uvloop says that the connection was cut a moment ago.
            raise RedisConnectionError(_LOST) from error
        self._awaited.append(awaited)
        return awaited.future

    def close(self) -> None:
        """End the connection; whoever waits for replies is told."""
        self._transport.abort()
        self._fail(RedisConnectionError(_LOST))

    # --- asyncio ---

    def data_received(self, data: bytes) -> None:
        """Hand replies to those who wait for them, in the order in which they asked."""
        reader, waiting = self._reader, self._awaited
        try:
            reader.feed(data)
            next_reply = reader.gets
            while (reply := next_reply()) is not False:
                if isinstance(reply, hiredis.PushNotification):
                    continue
                awaited = waiting[0]
                awaited.replies.append(reply)
                awaited.missing -= 1
                if not awaited.missing:
                    waiting.popleft()
                    if not awaited.future.done():
                        awaited.future.set_result(awaited.replies)
        except (hiredis.ProtocolError, IndexError):
            # What comes is not Redis, or more than was asked for: nothing after it can be told apart.
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell those who wait."""
        self._fail(exc or RedisConnectionError(_LOST))

    def _fail(self, error: Exception) -> None:
        while self._awaited:
            future = self._awaited.popleft().future
            if not future.done():
                future.set_exception(error)
