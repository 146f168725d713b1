"""One keep-alive connection to the edge, with the time of each response."""

import re
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle

from loadtests.benchmarks.scale.synthetic_projects import SyntheticProject
from loadtests.measurement.client_headers import client_headers

_HEAD_END = b"\r\n\r\n"
_CHUNK = 262_144
_CLIENTS = 10_000
_TIMEOUT_SECONDS = 20.0
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_REVISION = re.compile(rb"(?i)\r\nx-config-version: *(\d+)")
_OK = b"200"


@dataclass(frozen=True, slots=True)
class Response:
    """The project's revision that the response is made of, and the seconds from the request to its last byte."""

    revision: int
    seconds: float


class EdgeConnection:
    """Sends one request at a time."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.own_port: int = self._socket.getsockname()[1]

    def send(self, request: bytes) -> Response:
        """Send a request and read its response. Raises RuntimeError for any status but 200."""
        sent_at = time.perf_counter()
        self._socket.sendall(request)
        received = b""
        while (end := received.find(_HEAD_END)) < 0:
            received += self._receive()
        head = received[:end]
        length, revision = _LENGTH.search(head), _REVISION.search(head)
        if head[9:12] != _OK or length is None or revision is None:
            raise RuntimeError(f"the edge responded {head.splitlines()[0].decode()}")
        missing = int(length[1]) - (len(received) - end - len(_HEAD_END))
        while missing > 0:
            missing -= len(self._receive())
        return Response(int(revision[1]), time.perf_counter() - sent_at)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _receive(self) -> bytes:
        received = self._socket.recv(_CHUNK)
        if not received:
            raise RuntimeError("the edge closed a connection")
        return received


def resolve_requests(projects: Iterable[SyntheticProject], devices: int = 1) -> Iterator[bytes]:
    """Yield the encoded resolves of `devices` devices in each project; the headers of many clients take turns."""
    clients = cycle(client_headers(_CLIENTS))
    for project in projects:
        for device in range(devices):
            yield _resolve_request(project, device, next(clients))


def _resolve_request(project: SyntheticProject, device: int, client: str) -> bytes:
    body = f'{{"deviceId":"device-{device:06}","platform":"ios","appVersion":"4.2.0"}}'
    head = (
        f"POST /api/onboarding/resolve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{client}\r\n"
        f"X-Project-Id: {project.project_id}\r\nX-Secret-Key: {project.secret_key}\r\nContent-Length: {len(body)}\r\n"
    )
    return f"{head}\r\n{body}".encode()
