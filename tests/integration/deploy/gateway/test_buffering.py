"""The gateway waits for slow clients in place of management: it buffers requests and responses."""

import socket
from pathlib import Path

import httpx

from tests.support.servers.gateway import RunningGateway

_BODY = b"x" * 40_000
_HEAD = b"POST /api/flows HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
#: More than the kernel keeps of a connection.
_LARGE = b"y" * 16 * 1024 * 1024
_EMPTY = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


def _received(service: socket.socket) -> tuple[socket.socket, bytes]:
    """Accept a connection, and return it with the whole request that is on it already."""
    connection, _ = service.accept()
    connection.settimeout(30)
    request = b""
    while b"\r\n\r\n" not in request or (request.startswith(b"POST") and not request.endswith(_BODY)):
        received = connection.recv(65536)
        assert received, request[:200]
        request += received
    return connection, request


def test_slow_client_occupies_no_connection_of_management(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        service.settimeout(30)
        address = f"127.0.0.1:{service.getsockname()[1]}"
        with (
            RunningGateway(tmp_path, address, address) as gateway,
            socket.create_connection((httpx.URL(gateway.url).host, httpx.URL(gateway.url).port or 80)) as slow,
            socket.create_connection((httpx.URL(gateway.url).host, httpx.URL(gateway.url).port or 80)) as unread,
        ):
            slow.sendall(_HEAD % len(_BODY) + _BODY[:20_000])
            unread.sendall(b"GET /api/flows HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n")
            connection, request = _received(service)
            # The client that began later is served first, and takes nothing of its response.
            assert request.startswith(b"GET ")
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(_LARGE))
                connection.sendall(_LARGE)
            slow.sendall(_BODY[20_000:])
            connection, request = _received(service)
            with connection:
                connection.sendall(_EMPTY)
            slow.settimeout(30)
            assert slow.recv(65536).startswith(b"HTTP/1.1 204 ")
