"""A connection to the edge that sends bytes, for requests that no HTTP client would send."""

import json
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

#: Headers that differ between two responses to the same request.
_VARYING = re.compile(rb"(?m)^(?:date|x-request-id): [^\r]*\r\n")
_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A response; its status line and headers are without those that vary."""

    status: int
    headers: bytes
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


class RawConnection:
    """Sends bytes and reads complete responses."""

    def __init__(self, edge: httpx.Client, address: str = "127.0.0.1") -> None:
        target = (edge.base_url.host, edge.base_url.port or 80)
        self.socket = socket.create_connection(target, timeout=_SECONDS, source_address=(address, 0))
        self._received = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def peek(self) -> bytes:
        """Return the first byte that has arrived, and leave it unread."""
        return self.socket.recv(1, socket.MSG_PEEK)

    def response(self, *, to_head: bool = False) -> RawResponse:
        """Read and return a response; the response to HEAD has no body."""
        while b"\r\n\r\n" not in self._received:
            self._receive()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        declared = re.search(rb"(?i)^content-length: (\d+)", head, re.MULTILINE)
        length = 0 if declared is None or to_head else int(declared[1])
        while len(self._received) < length:
            self._receive()
        body, self._received = self._received[:length], self._received[length:]
        return RawResponse(int(head[9:12]), _VARYING.sub(b"", head + b"\r\n"), body)

    def rest(self) -> bytes:
        """Read until the server closes the connection and return the bytes behind the last response."""
        while chunk := self.socket.recv(65536):
            self._received += chunk
        return self._received

    def _receive(self) -> None:
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError(f"the server closed the connection after {self._received!r}")
        self._received += chunk


@contextmanager
def raw_connection(edge: httpx.Client, address: str = "127.0.0.1") -> Iterator[RawConnection]:
    """Connect to the same edge as an HTTP client, from an address of this machine."""
    connection = RawConnection(edge, address)
    try:
        yield connection
    finally:
        connection.socket.close()


def raw_request(
    method: str, path: str, headers: Mapping[str, str], body: bytes | None = None, version: str = "1.1"
) -> bytes:
    """Return the bytes of a request; a body gets a Content-Length."""
    lines = [f"{method} {path} HTTP/{version}", "Host: edge", *(f"{name}: {value}" for name, value in headers.items())]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")
