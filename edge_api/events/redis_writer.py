"""Append events to the streams of Redis, many in one round trip, on connections of its own (decision 37)."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, Self, cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from common.process import Backoff
from common.redis.connect import ConnectionFactory
from common.redis.url import Node
from common.wire.redis_keys import AGE_FIELD, EVENT_FIELD, event_streams
from edge_api.events.group_commit import PendingWrite

_FIRST_PAUSE_SECONDS = 0.05
_MAX_PAUSE_SECONDS = 2.0
#: While replicas are missing, a connection is kept so long before the master is looked up again.
_UNREPLICATED_SECONDS = 60.0
#: More redirects of one write would be servers that contradict each other.
_MAX_REDIRECTS = 3
_LOST = "the connection to Redis was lost"

# The annotations of hiredis allow text only.
_pack = cast("Callable[[tuple[str | bytes, ...]], bytes]", hiredis.pack_command)
_MULTI = _pack(("MULTI",))
_EXEC = _pack(("EXEC",))
_ASKING = _pack(("ASKING",))
#: By stream, the start of the command that appends a record, up to the length of the record. Only the record differs,
#: and packing the complete command takes three times as long.
_APPEND_PREFIXES = {
    stream: _pack(("XADD", stream, "*", EVENT_FIELD, b"")).removesuffix(b"0\r\n\r\n") for stream in event_streams()
}


class ReplicasMissingError(RedisError):
    """Redis has the records, but too few replicas have them: a failover could lose them."""


class _ExpectedReplies:
    """The replies to commands that were sent together."""

    __slots__ = ("future", "missing", "replies")

    def __init__(self, count: int) -> None:
        self.missing = count
        self.replies: list[object] = []
        self.future: asyncio.Future[list[object]] = asyncio.get_running_loop().create_future()


class StreamConnection(asyncio.Protocol):
    """A connection that redis-py has opened, with its address, TLS, credentials and database.

    An error that Redis replies is an exception among the replies; it does not end the connection.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        # Kept, because asyncio closes the transport with this object.
        self._writer = writer
        self._transport = cast("asyncio.Transport", writer.transport)
        self._reader = hiredis.Reader()
        self._expected: deque[_ExpectedReplies] = deque()

    @classmethod
    def from_connection(cls, connection: AbstractConnection) -> Self:
        """Detach the transport of a connection of redis-py. Raises RedisError."""
        # redis-py has no public way to hand over an open transport.
        writer, connection._reader, connection._writer = connection._writer, None, None  # noqa: SLF001 - as said above
        if writer is None:
            raise RedisConnectionError(_LOST)
        own = cls(writer)
        writer.transport.set_protocol(own)
        return own

    @property
    def is_open(self) -> bool:
        """Whether commands can be sent."""
        return not self._transport.is_closing()

    def send(self, packed: bytes, replies: int) -> asyncio.Future[list[object]]:
        """Send commands; the future has so many replies, or the error of the connection.

        Raises RedisError when nothing was sent. A caller that stops waiting must close the connection.
        """
        if not self.is_open:
            raise RedisConnectionError(_LOST)
        expected = _ExpectedReplies(replies)
        try:
            self._transport.write(packed)
        except RuntimeError as error:
            # uvloop raises this where the connection was cut a moment ago.
            raise RedisConnectionError(_LOST) from error
        self._expected.append(expected)
        return expected.future

    def close(self) -> None:
        """End the connection; the futures of missing replies get its error."""
        self._transport.abort()
        self._fail(RedisConnectionError(_LOST))

    def data_received(self, data: bytes) -> None:
        """Assign replies to the commands in the order in which they were sent."""
        reader, queue = self._reader, self._expected
        try:
            reader.feed(data)
            next_reply = reader.gets
            while (reply := next_reply()) is not False:
                if isinstance(reply, hiredis.PushNotification):
                    continue
                expected = queue[0]
                expected.replies.append(reply)
                expected.missing -= 1
                if not expected.missing:
                    queue.popleft()
                    if not expected.future.done():
                        expected.future.set_result(expected.replies)
        except (hiredis.ProtocolError, IndexError):
            # Not Redis's protocol, or a reply too many: later replies could not be assigned.
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the missing replies."""
        self._fail(exc or RedisConnectionError(_LOST))

    def _fail(self, error: Exception) -> None:
        while self._expected:
            future = self._expected.popleft().future
            if not future.done():
                future.set_exception(error)


class InFlightWrite(NamedTuple):
    """Writes that were sent: the connection, the replies to come, and how many replies belong to each write.

    `appended` are writes that the connection had appended before, and that wait for replicas only.
    """

    connection: StreamConnection
    replies: asyncio.Future[list[object]]
    writes: Sequence[PendingWrite]
    replies_each: list[int]
    appended: Sequence[PendingWrite] = ()


class StreamWriter:
    """One connection to the server of a stream, replaced when it breaks or when the stream has moved.

    Redis runs with `appendfsync always`: its reply to a write comes after the fsync.
    """

    def __init__(self, connections: ConnectionFactory, stream: str, *, replicas: int) -> None:
        self._connections = connections
        self._stream = stream
        self._replicas = replicas
        self._connection: StreamConnection | None = None
        self._connecting = asyncio.Lock()
        self._backoff = Backoff(first=_FIRST_PAUSE_SECONDS, limit=_MAX_PAUSE_SECONDS)
        self._next_attempt_at = 0.0
        #: The server that the last redirect named, and whether the stream is only just being moved there.
        self._target: Node | None = None
        self._is_asking = False
        #: Since when replicas are missing.
        self._unreplicated_since: float | None = None

    def append(self, writes: Sequence[PendingWrite], timeout_seconds: float) -> Awaitable[None]:
        """Send the writes now if a connection is open; await the result for their errors."""
        in_flight = None
        if self._connection is not None:
            # After this error nothing was sent. It is sent once there is a new connection.
            with contextlib.suppress(RedisConnectionError):
                in_flight = self._send(self._connection, writes, timeout_seconds)
        return self._complete(writes, timeout_seconds, in_flight)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _complete(
        self, writes: Sequence[PendingWrite], timeout_seconds: float, in_flight: InFlightWrite | None
    ) -> None:
        try:
            async with asyncio.timeout(timeout_seconds):
                if in_flight is None:
                    in_flight = self._send(await self._connected(), writes, timeout_seconds)
                await self._receive(in_flight)
                failed = [write for write in writes if write.error is not None]
                if failed:
                    await self._follow_redirects(failed, timeout_seconds)
        except (RedisError, OSError) as error:
            for write in writes:
                # A write that was confirmed before another one was redirected stays confirmed.
                if write.error is not None:
                    write.error = error

    async def _follow_redirects(self, failed: Sequence[PendingWrite], timeout_seconds: float) -> None:
        for _ in range(_MAX_REDIRECTS):
            redirected = [write for write in failed if is_redirect(write.error)]
            if not redirected:
                break
            self.close()
            self._target, self._is_asking = redirect_target(redirected[0].error)
            await self._receive(self._send(await self._connected(), redirected, timeout_seconds))
        if self._is_unreplicated_for_long() or any(is_failover_error(write.error) for write in failed):
            # There may be another master by now: the next connection looks it up.
            self.close()

    def _is_unreplicated_for_long(self) -> bool:
        since = self._unreplicated_since
        return since is not None and asyncio.get_running_loop().time() - since > _UNREPLICATED_SECONDS

    def _send(
        self, connection: StreamConnection, writes: Sequence[PendingWrite], timeout_seconds: float
    ) -> InFlightWrite:
        appended: Sequence[PendingWrite] = ()
        if self._unreplicated_since is not None:
            # Appending them again would store them twice each time.
            appended = [write for write in writes if write.appended_on is connection]
            writes = [write for write in writes if write.appended_on is not connection]
        commands, replies_each = pack_writes(writes, is_asking=self._is_asking)
        expected = sum(replies_each)
        if self._replicas:
            commands.append(pack_wait(self._replicas, round(timeout_seconds * 500)))
            expected += 1
        return InFlightWrite(connection, connection.send(b"".join(commands), expected), writes, replies_each, appended)

    async def _receive(self, in_flight: InFlightWrite) -> None:
        connection, awaited, writes, replies_each, appended = in_flight
        try:
            replies = await awaited
        except asyncio.CancelledError:
            # Replies that come later would be taken for those of the next writes.
            connection.close()
            raise
        has_replicas = True
        if self._replicas:
            copies = replies.pop()
            has_replicas = isinstance(copies, int) and copies >= self._replicas
        set_errors(writes, replies, replies_each)
        for write in appended:
            write.error = None
        if has_replicas:
            self._unreplicated_since = None
            return
        self._unreplicated_since = self._unreplicated_since or asyncio.get_running_loop().time()
        missing = ReplicasMissingError("too few replicas have it")
        for write in (*writes, *appended):
            if write.error is None:
                write.error, write.appended_on = missing, connection

    async def _connected(self) -> StreamConnection:
        """Return the connection, replaced where needed: by one attempt at a time, with pauses after failures."""
        if self._connection is not None and self._connection.is_open:
            return self._connection
        async with self._connecting:
            if self._connection is not None and self._connection.is_open:
                return self._connection
            now = asyncio.get_running_loop().time()
            if now < self._next_attempt_at:
                raise RedisConnectionError("Redis was not reached a moment ago")
            # Set before the attempt, which the time-out may cut off.
            self._next_attempt_at = now + self._backoff.next_delay()
            target, self._target = self._target, None
            self._is_asking = self._is_asking and target is not None
            self._connection = StreamConnection.from_connection(await self._connections.open(self._stream, target))
            self._unreplicated_since = None
            self._next_attempt_at = 0.0
            self._backoff.reset()
            return self._connection


class RedisWriter:
    """The first sink of the group commit: one connection for all streams, or one for each stream of a Cluster."""

    def __init__(self, connections: ConnectionFactory, *, timeout_seconds: float, replicas: int = 0) -> None:
        """`replicas` that must have fsynced a record, beside the master, before it counts as durable."""
        streams = event_streams()
        self._connections = connections
        self._timeout_seconds = timeout_seconds
        own_streams = streams if connections.is_sharded else streams[:1]
        self._writers = {stream: StreamWriter(connections, stream, replicas=replicas) for stream in own_streams}
        self._only_writer = None if connections.is_sharded else self._writers[streams[0]]

    def append(self, writes: Sequence[PendingWrite]) -> Awaitable[None]:
        """Append in the time that a request may wait, and set the error of each write. Raises nothing."""
        return self.append_within(writes, self._timeout_seconds)

    def append_within(self, writes: Sequence[PendingWrite], timeout_seconds: float) -> Awaitable[None]:
        """Append in this time, and set the error of each write. Raises nothing.

        The writes are sent before this returns if a connection is open. After the time-out the connection is closed.
        """
        if self._only_writer is not None:
            return self._only_writer.append(writes, timeout_seconds)
        return self._append_to_each(writes, timeout_seconds)

    async def aclose(self) -> None:
        """Close all connections."""
        for writer in self._writers.values():
            writer.close()
        await self._connections.aclose()

    async def _append_to_each(self, writes: Sequence[PendingWrite], timeout_seconds: float) -> None:
        shares: dict[str, list[PendingWrite]] = {}
        for write in writes:
            shares.setdefault(write.stream, []).append(write)
        await asyncio.gather(
            *(self._writers[stream].append(share, timeout_seconds) for stream, share in shares.items())
        )


def pack_writes(writes: Sequence[PendingWrite], *, is_asking: bool) -> tuple[list[bytes], list[int]]:
    """Pack the commands that append the writes; return them with the number of replies to each write.

    Several records of one write go into a transaction. `is_asking` is for a node of a Cluster to which the slot is
    being moved: it requires `ASKING` before each command.
    """
    commands: list[bytes] = []
    replies_each: list[int] = []
    for write in writes:
        prefix = _APPEND_PREFIXES[write.stream]
        if is_asking:
            commands.append(_ASKING)
        bodies = write.bodies
        if write.spooled_at_ms is not None:
            commands += [_MULTI, *_pack_spooled(write, write.spooled_at_ms), _EXEC]
            replies_each.append(len(bodies) + 2 + is_asking)
        elif len(bodies) == 1:
            (body,) = bodies
            commands.append(b"%b%d\r\n%b\r\n" % (prefix, len(body), body))
            replies_each.append(1 + is_asking)
        else:
            commands.append(_MULTI)
            commands.extend([b"%b%d\r\n%b\r\n" % (prefix, len(body), body) for body in bodies])
            commands.append(_EXEC)
            replies_each.append(len(bodies) + 2 + is_asking)
    return commands, replies_each


def _pack_spooled(write: PendingWrite, spooled_at_ms: int) -> Iterator[bytes]:
    """Return the commands with the age of the records: Redis numbers the entries by the time of the replay."""
    age_ms = max(0, int(time.time() * 1000) - spooled_at_ms)
    for body in write.bodies:
        yield _pack(("XADD", write.stream, "*", EVENT_FIELD, body, AGE_FIELD, str(age_ms)))


def pack_wait(replicas: int, milliseconds: int) -> bytes:
    """Pack the command that waits until so many replicas have fsynced all writes of the connection."""
    return _pack(("WAIT", str(replicas), str(milliseconds)))


def set_errors(writes: Sequence[PendingWrite], replies: Sequence[object], replies_each: Sequence[int]) -> None:
    """Set the error of each write: None if Redis has it, else the first error among its replies."""
    if len(replies) == len(writes):
        for write, reply in zip(writes, replies, strict=True):
            write.error = reply if isinstance(reply, Exception) else None
        return
    remaining = iter(replies)
    for write, count in zip(writes, replies_each, strict=True):
        # All replies of a write are taken from the iterator, also those behind an error.
        errors = list(_errors(islice(remaining, count)))
        write.error = errors[0] if errors else None


def is_failover_error(error: Exception | None) -> bool:
    """Return whether a server cannot act as the master that other processes reach."""
    if error is None:
        return False
    return str(error).startswith(("NOREPLICAS", "CLUSTERDOWN", "MASTERDOWN"))


def is_redirect(error: Exception | None) -> bool:
    """Return whether a server rejected a write because another server has the stream; then it stored nothing."""
    return error is not None and str(error).startswith(("MOVED ", "ASK ", "READONLY"))


def redirect_target(error: Exception | None) -> tuple[Node | None, bool]:
    """Return the server that a redirect names, if any, and whether the stream is only just being moved there."""
    kind, *words = str(error).split(" ")
    if kind not in ("MOVED", "ASK"):
        return None, False
    host, _, port = words[1].rpartition(":")
    return ((host, int(port)) if host else None), kind == "ASK"


def _errors(replies: Iterator[object]) -> Iterator[Exception]:
    for reply in replies:
        for part in reply if isinstance(reply, list) else (reply,):
            if isinstance(part, Exception):
                yield part
