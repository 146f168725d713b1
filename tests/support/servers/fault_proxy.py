"""A TCP proxy between a client and a real server, with faults that a test chooses.

It runs in a thread of its own and listens on one port. A fault applies to existing and new connections; a method
returns when it has taken effect.
"""

import asyncio
import random
import socket
import threading
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from deploy.local.loopback_ports import LOOPBACK
from tests.support.servers.fault_connection import Fault, ProxiedConnection

_TURNS_OF_THE_LOOP = 5
_BACKLOG = 512
_SECONDS = 10.0


class FaultProxy:
    """A context manager. `seed` initializes its random numbers."""

    def __init__(self, target_url: str, seed: int = 0) -> None:
        self._target = urlsplit(target_url)
        self._rng = random.Random(seed)
        self._fault = Fault()
        self._connections: set[ProxiedConnection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="faulty proxy")
        self._server: asyncio.Server | None = None
        # Bound and never listening, so that no other process gets the port while connections are refused.
        self._reserved = _bound_socket(0)
        self.port = int(self._reserved.getsockname()[1])
        self.accepted = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._listen)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._run(self._end)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._reserved.close()

    @property
    def url(self) -> str:
        """The URL of the target through the proxy."""
        user, at, _ = self._target.netloc.rpartition("@")
        return self._target._replace(netloc=f"{user}{at}{LOOPBACK}:{self.port}").geturl()

    def cut(self) -> None:
        """Cut all existing connections; new ones work."""
        self._run(self._cut_all)

    def refuse(self) -> None:
        """Cut all connections and refuse new ones, as a machine without the server does."""
        self._run(self._refuse)

    def black_hole(self) -> None:
        """Forward nothing and end nothing: connections are accepted, and no reply arrives."""
        self._apply(Fault(is_black_hole=True))

    def delay(self, seconds: float) -> None:
        """Delay every chunk, in either direction."""
        self._apply(Fault(delay_seconds=seconds))

    def swallow_replies(self) -> None:
        """Forward requests and drop their replies, so that the client waits until its timeout."""
        self._apply(Fault(loses_replies=True))

    def cut_at_replies(self) -> None:
        """Forward requests and cut the connection instead of the reply, so that the client has no result."""
        self._apply(Fault(loses_replies=True, cuts_at_reply=True))

    def cut_at_random(self, probability: float) -> None:
        """Cut a connection somewhere inside every chunk of bytes with this probability, in either direction."""
        self._apply(Fault(cut_probability=probability))

    def cut_after(self, size: int) -> None:
        """Cut each connection after this number of further bytes, of both directions together."""
        self._apply(Fault(cut_after=size))

    def heal(self) -> None:
        """End the fault; connections that have lost replies are cut, the others continue."""
        self._apply(Fault())

    def _apply(self, fault: Fault) -> None:
        async def change() -> None:
            self._fault = fault
            for connection in list(self._connections):
                connection.fault_changed()
            if self._server is None:
                await self._listen()

        self._run(change)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, sock=_bound_socket(self.port), backlog=_BACKLOG)

    async def _refuse(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        await self._cut_all()

    async def _cut_all(self) -> None:
        for connection in list(self._connections):
            connection.cut()

    async def _end(self) -> None:
        await self._refuse()
        # A connection that was just accepted becomes a task a few turns of the loop later.
        for _ in range(_TURNS_OF_THE_LOOP):
            await asyncio.sleep(0)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # A closed transport releases its socket a few turns later.
        for _ in range(_TURNS_OF_THE_LOOP):
            await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.accepted += 1
        try:
            await self._forward(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            target = await asyncio.open_connection(self._target.hostname, self._target.port)
        except OSError:
            # The client sees the end of its connection; a proxy cannot do more without its target.
            return
        connection = ProxiedConnection((reader, writer), target, lambda: self._fault, self._rng)
        self._connections.add(connection)
        try:
            await connection.forward()
        finally:
            self._connections.discard(connection)

    def _run(self, action: Callable[[], Awaitable[None]]) -> None:
        async def awaited() -> None:
            await action()

        asyncio.run_coroutine_threadsafe(awaited(), self._loop).result(_SECONDS)


def _bound_socket(port: int) -> socket.socket:
    """Bind a socket; two may be bound to one port as long as only one of them listens."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((LOOPBACK, port))
    return bound
