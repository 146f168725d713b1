"""The limits of connections: how many, how long each phase may last, and how many bytes of bodies wait in memory.

One task looks at all connections of a worker; timers would cost each request one.
"""

import asyncio
import heapq
import socket
import struct
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, Self

from common.errors import UnavailableError
from edge_api.background_tasks import BackgroundTasks
from edge_api.settings import EdgeSettings

MAX_HEADER_BYTES = 16 * 1024
#: A request that was rejected by its headers ends the connection if its body is longer; a shorter one is discarded.
MAX_DISCARDED_BYTES = 128 * 1024
#: The unfinished bodies of all connections of a worker; above it the oldest get 503.
_BODY_BUFFER_BYTES = 64 * 1024 * 1024
#: The error of a body for which the worker has no room.
TOO_MANY_BODIES = "Too many requests are being received"

#: A rejected client may still be sending. Its bytes are discarded for so long, or it could not read the response.
_LINGER_SECONDS = 2.0
#: A client that has read nothing of its responses for so long is disconnected.
_STALL_SECONDS = 30.0
#: While the worker stops, connections end with their next response, and idle connections after this time. A client that
#: pauses for less between two requests then never sends one on a connection that is being closed.
_DRAIN_SECONDS = 5.0
_CHECKS_PER_LIMIT = 8
_MAX_PAUSE_SECONDS = 0.25
#: So many connections are checked, and so many are timed out, before requests are served again.
_CHECKED_AT_ONCE = 500
_TIMED_OUT_AT_ONCE = 20
#: A full budget of bodies drops bodies until this part of it is free, because the search for them takes a millisecond
#: for 10,000 connections.
_FREED_PART = 1 / 16
#: SO_LINGER: close with a reset.
_RESET = struct.pack("ii", 1, 0)


class Phase:
    """The state of a connection that its time limit follows from. Members of an enumeration are slow to read."""

    FIRST_REQUEST = 0
    NEXT_REQUEST = 1
    HEADERS = 2
    BODY = 3
    RESPONSE = 4
    LINGERING = 5


class Connection(Protocol):
    """The part of a connection that limits need. `since` is when its phase began.

    `write_blocked_since` is the time since when its client reads nothing.
    """

    peer: str
    phase: int
    since: float
    write_blocked_since: float | None

    def time_out(self) -> None:
        """End the connection, whose time limit has passed."""
        ...

    def drop_body(self) -> None:
        """Release the unfinished body, answer 503 and end the connection."""
        ...


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits that are settings. The seconds of headers and body are absolute, however slowly a client sends."""

    header_seconds: float
    body_seconds: float
    idle_seconds: float
    connections: int

    @classmethod
    def from_settings(cls, settings: EdgeSettings) -> Self:
        """Read them from the settings."""
        return cls(
            settings.edge_header_timeout_seconds,
            settings.edge_body_timeout_seconds,
            settings.edge_keep_alive_seconds,
            settings.edge_connections,
        )


class BodyBudget:
    """The bytes of unfinished bodies that all connections of a worker hold together.

    A new body is not refused because of others. A full budget drops the oldest bodies of the peer that holds most
    bytes, so slow senders lose their bodies before clients that send at an ordinary speed.
    """

    def __init__(self, limit_bytes: int) -> None:
        self.used = 0
        self._limit_bytes = limit_bytes
        #: The bytes of each connection, the oldest body first.
        self._held: dict[Connection, int] = {}

    def hold(self, connection: Connection, size: int) -> None:
        """Hold so many bytes for a body. Raises UnavailableError when this body alone is larger than the budget."""
        self.used += size - self._held.get(connection, 0)
        self._held[connection] = size
        if self.used > self._limit_bytes:
            self._make_room(connection)

    def release(self, connection: Connection) -> None:
        """Hold nothing more for a connection."""
        self.used -= self._held.pop(connection, 0)

    def _make_room(self, growing: Connection) -> None:
        """Drop bodies of other connections than the growing one until a part of the budget is free."""
        bodies: defaultdict[str, deque[Connection]] = defaultdict(deque)
        sizes: Counter[str] = Counter()
        for connection, size in self._held.items():
            if connection is not growing:
                bodies[connection.peer].append(connection)
                sizes[connection.peer] += size
        largest = [(-size, peer) for peer, size in sizes.items()]
        heapq.heapify(largest)
        while largest and self.used > self._limit_bytes * (1 - _FREED_PART):
            negative_size, peer = heapq.heappop(largest)
            oldest = bodies[peer].popleft()
            if bodies[peer]:
                heapq.heappush(largest, (negative_size + self._held[oldest], peer))
            oldest.drop_body()
        if self.used > self._limit_bytes:
            raise UnavailableError(TOO_MANY_BODIES)


class ConnectionReaper:
    """The connections of a worker. `now` is the time of the last check, exact enough for limits of seconds."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.bodies = BodyBudget(_BODY_BUFFER_BYTES)
        self.now = 0.0
        self.is_draining = False
        self._drain_ends = 0.0
        self._connections: set[Connection] = set()
        self._seconds: dict[int, float] = {
            Phase.FIRST_REQUEST: limits.header_seconds,
            Phase.NEXT_REQUEST: limits.idle_seconds,
            Phase.HEADERS: limits.header_seconds,
            Phase.BODY: limits.body_seconds,
            Phase.LINGERING: _LINGER_SECONDS,
        }

    def try_add(self, connection: Connection) -> bool:
        """Watch a new connection; return False if the worker has as many as it may have."""
        if len(self._connections) >= self.limits.connections:
            return False
        self._connections.add(connection)
        return True

    def discard(self, connection: Connection) -> None:
        """Forget a connection that is lost, or was never added."""
        self._connections.discard(connection)

    def __len__(self) -> int:
        return len(self._connections)

    def drain(self) -> None:
        """Let connections end with their next response, because the worker stops."""
        if not self.is_draining:
            self.is_draining = True
            self._drain_ends = self.now + _DRAIN_SECONDS

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Check the connections while the block runs."""
        self.now = asyncio.get_running_loop().time()
        tasks = BackgroundTasks()
        tasks.start("connection_reaper", self._run)
        try:
            yield
        finally:
            await tasks.stop()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause = min(min(self._seconds.values()) / _CHECKS_PER_LIMIT, _MAX_PAUSE_SECONDS)
        while True:
            self.now = loop.time()
            if self.is_draining and self.now > self._drain_ends:
                self._seconds[Phase.FIRST_REQUEST] = self._seconds[Phase.NEXT_REQUEST] = 0
            await self._time_out_late(self.now)
            await asyncio.sleep(pause)

    async def _time_out_late(self, now: float) -> None:
        connections = list(self._connections)
        for start in range(0, len(connections), _CHECKED_AT_ONCE):
            checked = connections[start : start + _CHECKED_AT_ONCE]
            late = [connection for connection in checked if self._is_late(connection, now)]
            for number, connection in enumerate(late, start=1):
                # It may have advanced, or be gone, since the list was made.
                if connection in self._connections and self._is_late(connection, now):
                    connection.time_out()
                if number % _TIMED_OUT_AT_ONCE == 0:
                    await asyncio.sleep(0)
            await asyncio.sleep(0)

    def _is_late(self, connection: Connection, now: float) -> bool:
        blocked_since = connection.write_blocked_since
        return now - connection.since > self._seconds.get(connection.phase, now) or (
            blocked_since is not None and now - blocked_since > _STALL_SECONDS
        )


def abort_with_reset(transport: asyncio.Transport) -> None:
    """Close a connection and drop the data written to it.

    After an ordinary close the kernel keeps that data, megabytes for each connection, and offers it for many minutes.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    transport.abort()
