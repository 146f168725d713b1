"""One keep-alive connection to the edge, and how long each answer took on it."""

import re
import socket
import time
from dataclasses import dataclass

from loadtests.scale.made_projects import MadeProject

_HEAD_END = b"\r\n\r\n"
_CHUNK = 262_144
_PATIENCE_SECONDS = 20.0
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_REVISION = re.compile(rb"(?i)\r\nx-config-version: *(\d+)")
_OK = b"200"


@dataclass(frozen=True, slots=True)
class Answer:
    """The revision of the project that the answer is made of, and the seconds from the question to its last byte."""

    revision: int
    seconds: float


class EdgeConnection:
    """Asks and waits, one request at a time."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.own_port: int = self._socket.getsockname()[1]

    def ask(self, request: bytes) -> Answer:
        """Send a request and read its answer. Raises RuntimeError for any status but 200."""
        asked_at = time.perf_counter()
        self._socket.sendall(request)
        received = b""
        while (end := received.find(_HEAD_END)) < 0:
            received += self._more()
        head = received[:end]
        length, revision = _LENGTH.search(head), _REVISION.search(head)
        if head[9:12] != _OK or length is None or revision is None:
            raise RuntimeError(f"the edge answered {head.splitlines()[0].decode()}")
        missing = int(length[1]) - (len(received) - end - len(_HEAD_END))
        while missing > 0:
            missing -= len(self._more())
        return Answer(int(revision[1]), time.perf_counter() - asked_at)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _more(self) -> bytes:
        received = self._socket.recv(_CHUNK)
        if not received:
            raise RuntimeError("the edge closed a connection")
        return received


def resolve_request(project: MadeProject, device: int = 0) -> bytes:
    """Write down the resolve of a device in a project."""
    body = f'{{"deviceId":"device-{device:06}","platform":"ios","appVersion":"4.2.0"}}'
    head = (
        "POST /api/onboarding/resolve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"X-Project-Id: {project.project_id}\r\nX-Secret-Key: {project.secret_key}\r\nContent-Length: {len(body)}\r\n"
    )
    return f"{head}\r\n{body}".encode()
