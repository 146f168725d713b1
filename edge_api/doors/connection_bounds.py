"""How much a connection may take, and how long: held by one sweep over all, where each would need timers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, Self

from edge_api.background_tasks import BackgroundTasks
from edge_api.settings import EdgeSettings

HEAD_BYTES = 16 * 1024
#: A client that was refused may still be sending; what it sends is thrown away for so long, or it would never read why.
_LINGER_SECONDS = 2.0
#: A client that reads nothing of its answers for so long is gone.
_STALL_SECONDS = 30.0
#: A connection that was idle for so long when the worker stops is closed; on a busier one the next answer is the last.
_DRAIN_SECONDS = 0.5
_SWEEPS_PER_BOUND = 8
_LONGEST_SWEEP_SECONDS = 0.25
#: A crowd that came together is late together; requests are answered in between.
_EXPIRED_AT_ONCE = 20


class Phase(IntEnum):
    """What a connection waits for."""

    FIRST_REQUEST = 0
    NEXT_REQUEST = 1
    HEAD = 2
    BODY = 3
    ANSWER = 4
    END = 5


class Connection(Protocol):
    """What is swept. `since` is when its phase began, `stalled_since` when its client stopped reading, if it has."""

    phase: Phase
    since: float
    stalled_since: float | None

    def expire(self) -> None:
        """End the connection, whose time is up."""
        ...


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """The bounds that are settings. Seconds are absolute, however busily the client drips."""

    head_seconds: float
    body_seconds: float
    idle_seconds: float
    connections: int

    @classmethod
    def of(cls, settings: EdgeSettings) -> Self:
        """Read them from the settings."""
        return cls(
            settings.edge_header_timeout_seconds,
            settings.edge_body_timeout_seconds,
            settings.edge_keep_alive_seconds,
            settings.edge_connections,
        )


class ConnectionSweep:
    """Knows all connections of a worker; `now` is the time of the last sweep, near enough for bounds of seconds."""

    def __init__(self, bounds: ConnectionBounds) -> None:
        self.bounds = bounds
        self.now = 0.0
        self.is_draining = False
        self._connections: set[Connection] = set()
        self._limits: dict[Phase, float] = {
            Phase.FIRST_REQUEST: bounds.head_seconds,
            Phase.NEXT_REQUEST: bounds.idle_seconds,
            Phase.HEAD: bounds.head_seconds,
            Phase.BODY: bounds.body_seconds,
            Phase.END: _LINGER_SECONDS,
        }

    def add(self, connection: Connection) -> None:
        """Watch a connection from now on."""
        self._connections.add(connection)

    def __len__(self) -> int:
        return len(self._connections)

    def discard(self, connection: Connection) -> None:
        """Forget a connection that is lost."""
        self._connections.discard(connection)

    def drain(self) -> None:
        """Let connections end, because the worker does."""
        self.is_draining = True
        for phase in (Phase.FIRST_REQUEST, Phase.NEXT_REQUEST):
            self._limits[phase] = min(_DRAIN_SECONDS, self._limits[phase])

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sweep while the block runs."""
        self.now = asyncio.get_running_loop().time()
        tasks = BackgroundTasks()
        tasks.start("connection_sweep", self._run)
        try:
            yield
        finally:
            await tasks.stop()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause = min(min(self._limits.values()) / _SWEEPS_PER_BOUND, _LONGEST_SWEEP_SECONDS)
        while True:
            self.now = loop.time()
            await self._sweep(self.now)
            await asyncio.sleep(pause)

    async def _sweep(self, now: float) -> None:
        late = [connection for connection in self._connections if self._is_late(connection, now)]
        for place, connection in enumerate(late, start=1):
            # It may have gone on, or away, while others had their turn.
            if connection in self._connections and self._is_late(connection, now):
                connection.expire()
            if place % _EXPIRED_AT_ONCE == 0:
                await asyncio.sleep(0)

    def _is_late(self, connection: Connection, now: float) -> bool:
        stalled_since = connection.stalled_since
        return now - connection.since > self._limits.get(connection.phase, now) or (
            stalled_since is not None and now - stalled_since > _STALL_SECONDS
        )
