"""An HTTP service that records requests and sends the reply of a test, and a DNS server."""

import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

_STOP_SECONDS = 5.0


@dataclass(frozen=True)
class Received:
    """A request as it arrived; the names of headers are in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """A response; None instead of one closes the connection."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"{}"


class RecordingService:
    """Listens on a loopback address; a context manager."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, reply: Reply | None = Reply()) -> None:
        self.received: list[Received] = []
        self.reply = reply
        self._server = ThreadingHTTPServer((host, port), _handler(self._record))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def address(self) -> str:
        """The address, as host:port."""
        host, port = self._server.server_address[:2]
        return f"{host!s}:{port}"

    @property
    def port(self) -> int:
        """The port."""
        return int(self._server.server_address[1])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(_STOP_SECONDS)

    def _record(self, received: Received) -> Reply | None:
        self.received.append(received)
        return self.reply


class NameServer:
    """A DNS server that resolves every name to the same addresses; a context manager."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = addresses
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run)

    @property
    def address(self) -> str:
        """The address, as host:port."""
        host, port = self._socket.getsockname()
        return f"{host}:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # An empty datagram ends the thread; a closed socket would not.
        self._socket.sendto(b"", self._socket.getsockname())
        self._thread.join(_STOP_SECONDS)
        self._socket.close()

    def _run(self) -> None:
        while True:
            query, client = self._socket.recvfrom(512)
            if not query:
                return
            question = query[12 : query.index(b"\0", 12) + 5]
            is_type_a = question[-4:-2] == b"\0\1"
            addresses = [socket.inet_aton(address) for address in self._addresses] if is_type_a else []
            # A pointer to the name of the question, type A, class IN, a TTL of one second.
            records = b"".join(b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + address for address in addresses)
            header = query[:2] + b"\x81\x80\0\1" + len(addresses).to_bytes(2, "big") + bytes(4)
            self._socket.sendto(header + question + records, client)


def _handler(respond: Callable[[Received], Reply | None]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = respond(Received(self.command, self.path, headers, body))
            if reply is None:
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = _serve  # noqa: N815 - names of the standard library's

        def log_message(self, *_: object) -> None:
            """Write no log."""

    return Handler
