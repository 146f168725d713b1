"""Clients who take their time, many at once: one thread keeps them all slow, and counts those that were closed."""

import contextlib
import select
import socket
import threading
from types import TracebackType
from typing import Self

from deploy.local.loopback_ports import LOOPBACK

#: Each connection drips four times a second, and not all of them at one moment.
_PAUSE_SECONDS = 0.01
_TURNS = 25
_CHUNK_BYTES = 4096


class SlowClients:
    """So many connections that say `beginning`, and then a byte now and then if `drip` says which.

    Those who do not `read` leave what they are sent where it is. Use it as a context manager.
    """

    def __init__(self, port: int, count: int, beginning: bytes, drip: bytes = b"", *, read: bool = True) -> None:
        self.count = count
        self.closed = 0
        self.answers: set[bytes] = set()
        self._port = port
        self._beginning = beginning
        self._drip = drip
        self._reads = read
        self._open: dict[int, socket.socket] = {}
        self._poll = select.epoll()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._be_slow, name="slow clients")

    def __enter__(self) -> Self:
        for _ in range(self.count):
            self._connect()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
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
        # Without reading, a connection's end shows as a hang-up.
        self._poll.register(connection, select.EPOLLIN if self._reads else select.EPOLLHUP)

    def _be_slow(self) -> None:
        turn = 0
        while not self._over.wait(_PAUSE_SECONDS):
            turn += 1
            for descriptor, _ in self._poll.poll(0):
                self._hear(descriptor)
            if self._drip:
                for connection in list(self._open.values())[turn % _TURNS :: _TURNS]:
                    with contextlib.suppress(OSError):
                        connection.send(self._drip)

    def _hear(self, descriptor: int) -> None:
        connection = self._open[descriptor]
        try:
            heard = connection.recv(_CHUNK_BYTES) if self._reads else b""
        except OSError:
            heard = b""
        if heard:
            self.answers.add(heard[:12])
            return
        self._poll.unregister(descriptor)
        del self._open[descriptor]
        connection.close()
        self.closed += 1
