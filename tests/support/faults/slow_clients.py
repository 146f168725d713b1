"""Many slow clients at once: one thread drives them all, and counts closed connections."""

import contextlib
import select
import socket
import threading
from types import TracebackType
from typing import Self

from deploy.local.loopback_ports import LOOPBACK

#: Each connection drips four times a second, at different moments.
_PAUSE_SECONDS = 0.01
_TURNS = 25
_CHUNK_BYTES = 4096


class SlowClients:
    """A number of connections that send `beginning`, and then `drip` four times a second.

    Without `read` they leave the responses unread. A context manager.
    """

    def __init__(self, port: int, count: int, beginning: bytes, drip: bytes = b"", *, read: bool = True) -> None:
        self.count = count
        self.closed = 0
        self.status_lines: set[bytes] = set()
        self._port = port
        self._beginning = beginning
        self._drip = drip
        self._reads = read
        self._open: dict[int, socket.socket] = {}
        self._poll = select.epoll()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._drive, name="slow clients")

    def __enter__(self) -> Self:
        for _ in range(self.count):
            self._connect()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        for connection in self._open.values():
            connection.close()
        self._poll.close()

    def _connect(self) -> None:
        connection = socket.socket()
        if not self._reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _CHUNK_BYTES)
        connection.settimeout(20)
        connection.connect((LOOPBACK, self._port))
        connection.setblocking(False)  # noqa: FBT003 - the standard library's
        with contextlib.suppress(OSError):
            connection.send(self._beginning)
        self._open[connection.fileno()] = connection
        # Without reads, the end of a connection shows as a hang-up.
        self._poll.register(connection, select.EPOLLIN if self._reads else select.EPOLLHUP)

    def _drive(self) -> None:
        turn = 0
        while not self._stop.wait(_PAUSE_SECONDS):
            turn += 1
            for descriptor, _ in self._poll.poll(0):
                self._receive(descriptor)
            if self._drip:
                for connection in list(self._open.values())[turn % _TURNS :: _TURNS]:
                    with contextlib.suppress(OSError):
                        connection.send(self._drip)

    def _receive(self, descriptor: int) -> None:
        connection = self._open[descriptor]
        try:
            received = connection.recv(_CHUNK_BYTES) if self._reads else b""
        except OSError:
            received = b""
        if received:
            self.status_lines.add(received[:12])
            return
        self._poll.unregister(descriptor)
        del self._open[descriptor]
        connection.close()
        self.closed += 1
