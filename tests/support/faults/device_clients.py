"""Many devices that resolve over a few connections, without a client library, which would take most of the time."""

import json
import re
import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from deploy.local.loopback_ports import LOOPBACK

_CONNECTIONS = 16
_TIMEOUT_SECONDS = 30.0
_HEADERS_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_CHUNK = 65_536


class Resolution(NamedTuple):
    """The flow of a device and, in an experiment, its variant and token."""

    flow_id: str
    source: str
    variant: str | None
    token: str | None


class DeviceClients:
    """The installations of one project's app."""

    def __init__(self, port: int, project_id: str, secret_key: str) -> None:
        self._port = port
        self._headers = (
            f"POST /api/onboarding/resolve HTTP/1.1\r\nHost: {LOOPBACK}\r\nContent-Type: application/json\r\n"
            f"X-Project-Id: {project_id}\r\nX-Secret-Key: {secret_key}\r\nContent-Length: "
        )

    def resolve(self, devices: Sequence[str], tokens: Mapping[str, str | None] | None = None) -> dict[str, Resolution]:
        """Resolve every device, with its token if it has one. Raise AssertionError for any status but 200."""
        resolutions: dict[str, Resolution] = {}
        with ExitStack() as stack:
            connections = [
                stack.enter_context(socket.create_connection((LOOPBACK, self._port), _TIMEOUT_SECONDS))
                for _ in range(_CONNECTIONS)
            ]
            for start in range(0, len(devices), _CONNECTIONS):
                requests = list(zip(connections, devices[start : start + _CONNECTIONS], strict=False))
                for connection, device in requests:
                    connection.sendall(self._request(device, (tokens or {}).get(device)))
                resolutions.update((device, _read(connection)) for connection, device in requests)
        return resolutions

    def _request(self, device: str, token: str | None) -> bytes:
        body = json.dumps({"deviceId": device, "assignmentToken": token})
        return f"{self._headers}{len(body)}\r\n\r\n{body}".encode()


def _read(connection: socket.socket) -> Resolution:
    received = b""
    while (end := received.find(_HEADERS_END)) < 0:
        received += _more(connection)
    headers = received[:end]
    length = _LENGTH.search(headers)
    assert length is not None, headers
    body = received[end + len(_HEADERS_END) :]
    while len(body) < int(length[1]):
        body += _more(connection)
    assert b" 200 " in headers[:13], body
    document = json.loads(body)
    assignment = document["assignment"]
    return Resolution(document["flowId"], assignment["source"], assignment["variant"], assignment["token"])


def _more(connection: socket.socket) -> bytes:
    received = connection.recv(_CHUNK)
    assert received, "the edge closed a connection"
    return received
