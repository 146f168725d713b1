"""The limits of connections: how many, how long each phase may last, and how many bytes of bodies wait in memory.

One task looks at all connections of a worker; timers would cost each request one.
"""

import asyncio
import socket
import struct
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
_MEBIBYTE = 1024 * 1024

#: A rejected client may still be sending. Its bytes are discarded for so long, or it could not read the response.
_LINGER_SECONDS = 2.0
#: A client that has read nothing of its responses for so long is disconnected.
_STALL_SECONDS = 30.0
#: While the worker stops, a connection that was idle for so long is closed; a busy one ends with its next response.
_DRAIN_SECONDS = 0.5
_CHECKS_PER_LIMIT = 8
_MAX_PAUSE_SECONDS = 0.25
#: So many connections are timed out before requests are served again.
_TIMED_OUT_AT_ONCE = 20
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
    """The part of a connection that the reaper needs: when its phase began, and since when its client reads nothing."""

    phase: int
    since: float
    write_blocked_since: float | None

    def time_out(self) -> None:
        """End the connection, whose time limit has passed."""
        ...


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits that are settings. The seconds of headers and body are absolute, however slowly a client sends."""

    header_seconds: float
    body_seconds: float
    idle_seconds: float
    connections: int
    body_buffer_bytes: int

    @classmethod
    def from_settings(cls, settings: EdgeSettings) -> Self:
        """Read them from the settings."""
        return cls(
            settings.edge_header_timeout_seconds,
            settings.edge_body_timeout_seconds,
            settings.edge_keep_alive_seconds,
            settings.edge_connections,
            settings.edge_body_buffer_max_mb * _MEBIBYTE,
        )


class BodyBudget:
    """The bytes of unfinished bodies that all connections of a worker hold together."""

    def __init__(self, limit_bytes: int) -> None:
        self.used = 0
        self._limit_bytes = limit_bytes

    def change(self, held: int, wanted: int) -> int:
        """Hold `wanted` bytes in place of `held`, and return them. Raises UnavailableError when there is no room."""
        if wanted > held and self.used + wanted - held > self._limit_bytes:
            raise UnavailableError("Too many requests are being received")
        self.used += wanted - held
        return wanted


class ConnectionReaper:
    """The connections of a worker. `now` is the time of the last check, exact enough for limits of seconds."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.bodies = BodyBudget(limits.body_buffer_bytes)
        self.now = 0.0
        self.is_draining = False
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
        """Let connections end, because the worker stops."""
        self.is_draining = True
        for phase in (Phase.FIRST_REQUEST, Phase.NEXT_REQUEST):
            self._seconds[phase] = min(_DRAIN_SECONDS, self._seconds[phase])

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
            await self._time_out_late(self.now)
            await asyncio.sleep(pause)

    async def _time_out_late(self, now: float) -> None:
        late = [connection for connection in self._connections if self._is_late(connection, now)]
        for number, connection in enumerate(late, start=1):
            # It may have advanced, or be gone, since the list was made.
            if connection in self._connections and self._is_late(connection, now):
                connection.time_out()
            if number % _TIMED_OUT_AT_ONCE == 0:
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
