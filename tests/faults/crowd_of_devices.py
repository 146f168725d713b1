"""Many devices that resolve over a few connections at once: quicker than a client library, which here is the brake."""

import json
import re
import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from deploy.local.loopback_ports import LOOPBACK

_CONNECTIONS = 16
_PATIENCE_SECONDS = 30.0
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_CHUNK = 65_536


class Given(NamedTuple):
    """What a device was given: a flow, and as part of an experiment a variant and its token."""

    flow_id: str
    source: str
    variant: str | None
    token: str | None


class CrowdOfDevices:
    """The installations of one project's app."""

    def __init__(self, port: int, project_id: str, secret_key: str) -> None:
        self._port = port
        self._head = (
            f"POST /api/onboarding/resolve HTTP/1.1\r\nHost: {LOOPBACK}\r\nContent-Type: application/json\r\n"
            f"X-Project-Id: {project_id}\r\nX-Secret-Key: {secret_key}\r\nContent-Length: "
        )

    def resolve(self, devices: Sequence[str], tokens: Mapping[str, str | None] | None = None) -> dict[str, Given]:
        """Resolve every device, with its token if it has one; any answer but 200 is an AssertionError."""
        given: dict[str, Given] = {}
        with ExitStack() as stack:
            connections = [
                stack.enter_context(socket.create_connection((LOOPBACK, self._port), _PATIENCE_SECONDS))
                for _ in range(_CONNECTIONS)
            ]
            for start in range(0, len(devices), _CONNECTIONS):
                asking = list(zip(connections, devices[start : start + _CONNECTIONS], strict=False))
                for connection, device in asking:
                    connection.sendall(self._request(device, (tokens or {}).get(device)))
                given.update((device, _read(connection)) for connection, device in asking)
        return given

    def _request(self, device: str, token: str | None) -> bytes:
        body = json.dumps({"deviceId": device, "assignmentToken": token})
        return f"{self._head}{len(body)}\r\n\r\n{body}".encode()


def _read(connection: socket.socket) -> Given:
    received = b""
    while (end := received.find(_HEAD_END)) < 0:
        received += _more(connection)
    head = received[:end]
    length = _LENGTH.search(head)
    assert length is not None, head
    body = received[end + len(_HEAD_END) :]
    while len(body) < int(length[1]):
        body += _more(connection)
    assert b" 200 " in head[:13], body
    document = json.loads(body)
    assignment = document["assignment"]
    return Given(document["flowId"], assignment["source"], assignment["variant"], assignment["token"])


def _more(connection: socket.socket) -> bytes:
    received = connection.recv(_CHUNK)
    assert received, "the edge closed a connection"
    return received
