"""A load generator on raw sockets: one thread, keep-alive connections, about 30 microseconds a request.

With a rate it is an open loop: requests are due at fixed moments, and a response time starts when the request is due,
so that a server that stalls does not slow the load down. Without a rate each connection sends the next request at once.
"""

import select
import socket
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length:"
_CHUNK = 262_144
#: Without a response for this time the server is broken, not slow.
_STALL_SECONDS = 20.0


class LoadError(RuntimeError):
    """The server responded with an error or not at all, so the measurement is void."""


@dataclass(frozen=True, slots=True)
class Load:
    """The load to send; `rate` is in requests a second."""

    seconds: float
    connections: int
    rate: float | None = None


@dataclass(slots=True)
class Measured:
    """The response times in seconds."""

    seconds: float
    times: list[float]

    @property
    def rate(self) -> float:
        """Responses a second."""
        return len(self.times) / self.seconds

    @property
    def responses(self) -> int:
        """The number of responses."""
        return len(self.times)


@dataclass(slots=True)
class _Connection:
    socket: socket.socket
    due: float = 0.0
    received: bytearray = field(default_factory=bytearray)
    wanted: int = 0


class HttpLoad:
    """Sends requests to one server; `next_request` returns the bytes of the next one."""

    def __init__(self, port: int, next_request: Callable[[], bytes]) -> None:
        self._port = port
        self._next_request = next_request

    def run(self, load: Load) -> Measured:
        """Load the server for this time. Raises LoadError."""
        connections: dict[int, _Connection] = {}
        poll = select.epoll()
        try:
            for _ in range(load.connections):
                connection = _Connection(socket.create_connection(("127.0.0.1", self._port), timeout=_STALL_SECONDS))
                connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connections[connection.socket.fileno()] = connection
                poll.register(connection.socket, select.EPOLLIN)
            return self._drive(load, connections, poll)
        finally:
            poll.close()
            for connection in connections.values():
                connection.socket.close()

    def _drive(self, load: Load, connections: dict[int, _Connection], poll: select.epoll) -> Measured:
        idle = deque(connections.values())
        times: list[float] = []
        start = time.perf_counter()
        end = start + load.seconds
        interval = 1 / load.rate if load.rate else 0.0
        due = start
        while True:
            now = time.perf_counter()
            while idle and now < end and (not interval or due <= now):
                self._send(idle.popleft(), due if interval else now)
                due += interval
            if len(idle) == len(connections) and now >= end:
                return Measured(now - start, times)
            timeout = max(0.0, min(due, end) - now) if interval and idle and now < end else _STALL_SECONDS
            ready = poll.poll(timeout)
            if not ready and timeout == _STALL_SECONDS:
                raise LoadError("the server does not respond")
            for descriptor, _ in ready:
                connection = connections[descriptor]
                if self._receive(connection):
                    times.append(time.perf_counter() - connection.due)
                    idle.append(connection)

    def _send(self, connection: _Connection, due: float) -> None:
        connection.due = due
        connection.received.clear()
        connection.wanted = 0
        connection.socket.sendall(self._next_request())

    def _receive(self, connection: _Connection) -> bool:
        """Receive data, and return whether the response is complete."""
        data = connection.socket.recv(_CHUNK)
        if not data:
            raise LoadError("the server closed a connection")
        received = connection.received
        received += data
        if not connection.wanted:
            head_end = received.find(_HEAD_END)
            if head_end < 0:
                return False
            connection.wanted = head_end + len(_HEAD_END) + _content_length(bytes(received[:head_end]))
        return len(received) >= connection.wanted


def _content_length(head: bytes) -> int:
    if head[9:12] == b"304":
        return 0
    if head[9:11] != b"20":
        raise LoadError(f"the server responded {head.splitlines()[0].decode()}")
    head = head.lower()
    at = head.index(_LENGTH) + len(_LENGTH)
    return int(head[at : (head + b"\r\n").index(b"\r\n", at)])
