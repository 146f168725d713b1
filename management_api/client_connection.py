"""A connection of management's worker: its socket never waits for the client, its request arrives in parts."""

import socket
from collections import deque
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from gunicorn.config import Config
from gunicorn.http.parser import RequestParser
from gunicorn.workers.gthread import TConn

from management_api.incoming_request import IncomingRequest

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: Of one read from a client.
RECEIVE_BYTES = 64 * 1024

#: The id of a user, or the digest of a credential that was not valid yet.
Owner = str | bytes


class ClientSocket(socket.socket):
    """The socket of a connection for gunicorn's parser and responses. No method waits for the client.

    A thread or the worker's loop uses it, never both at once.
    """

    def __init__(self, client: socket.socket) -> None:
        """Take over the descriptor of an accepted socket."""
        super().__init__(client.family, client.type, client.proto, client.detach())
        super().setblocking(False)  # noqa: FBT003 - the standard library's
        self._unsent: deque[memoryview] = deque()
        self.unsent_bytes = 0
        #: The body of an upload, which the parser reads from the disk.
        self.upload: BinaryIO | None = None
        #: The user that the application has found, by `gunicorn.socket` of the environment.
        self.user_id: str | None = None

    def setblocking(self, _flag: bool, /) -> None:  # noqa: FBT001 - the standard library's
        """Stay non-blocking: gunicorn switches between its loop and its threads."""

    def settimeout(self, _seconds: float | None, /) -> None:
        """Stay non-blocking."""

    def recv(self, size: int, _flags: int = 0, /) -> bytes:
        """Return the next bytes of an upload, else the end of the input: the parser has got all other bytes before."""
        return b"" if self.upload is None else self.upload.read(size)

    def send(self, data: "ReadableBuffer", _flags: int = 0, /) -> int:
        """Drop gunicorn's `100 Continue`, which the loop has sent."""
        return memoryview(data).nbytes

    def sendall(self, data: "ReadableBuffer", _flags: int = 0, /) -> None:
        """Send what the client takes at once, and keep the rest. Raises OSError."""
        rest = memoryview(data)
        if not self._unsent:
            rest = rest[self._send_now(rest) :]
        if rest:
            self._unsent.append(rest)
            self.unsent_bytes += len(rest)

    def flush(self) -> None:
        """Send what the client takes of the rest. Raises OSError."""
        while self._unsent:
            part = self._unsent.popleft()
            sent = self._send_now(part)
            self.unsent_bytes -= sent
            if sent < len(part):
                self._unsent.appendleft(part[sent:])
                return

    def receive(self) -> bytes | None:
        """Return received bytes, an empty text at the end of the input, None when there is nothing yet."""
        try:
            return super().recv(RECEIVE_BYTES)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            return b""

    def close(self) -> None:
        """Close the connection, and forget what was not sent."""
        self._unsent.clear()
        self.unsent_bytes = 0
        self.end_upload()
        super().close()

    def end_upload(self) -> None:
        """Delete the received file of an upload."""
        if self.upload is not None:
            self.upload.close()
            self.upload = None

    def _send_now(self, data: memoryview) -> int:
        try:
            return super().send(data)
        except (BlockingIOError, InterruptedError):
            return 0


class Connection(TConn):
    """A connection and the request that is received on it."""

    sock: ClientSocket
    parser: RequestParser | None

    def __init__(self, config: Config, client: socket.socket, address: Any, server: Any) -> None:  # noqa: ANN401 - addresses have several forms
        super().__init__(config, ClientSocket(client), address, server)
        # gunicorn's thread must not wait for bytes: they are received when it begins.
        self.data_ready = True
        self.request = IncomingRequest()
        self.is_cut = False
        self.deadline = 0.0
        #: Whose share of the threads the request takes.
        self.owner: Owner = b""
        #: Bytes of an unread body that were thrown away.
        self.drained = 0

    def init(self) -> None:
        """Pass the received bytes to the parser."""
        super().init()
        cast("RequestParser", self.parser).unreader.unread(bytes(self.request.data))
        self.request.data.clear()
        if self.request.upload is not None:
            self.request.upload.seek(0)
            self.sock.upload = self.request.upload

    def take_rest(self) -> bytes:
        """Return the bytes behind the last request, and expect another one."""
        self.request, self.is_cut = IncomingRequest(), False
        rest: bytes = self.parser.unreader.take_buffered() if self.parser is not None else b""
        return rest
