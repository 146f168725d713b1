"""Slow clients of management occupy connections of the gateway, and no thread of the service."""

import contextlib
import socket
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from tests.integration.management_api.test_server import TinyServer
from tests.integration.management_api.tiny_server import LARGE
from tests.support.servers.gateway import RunningGateway

CROWD = 100
BEGINNINGS = {
    "silent": b"",
    "headers": b"GET /api/projects HTTP/1.1\r\nHost: a\r\nX-A: ",
    "body": b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    "chunks": b"POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n",
}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGateway]:
    """Return a gateway in front of a server with two threads."""
    folder = tmp_path_factory.mktemp("slow")
    with (
        TinyServer(folder / "server.log") as server,
        RunningGateway(
            folder / "gateway", "127.0.0.1:1", f"127.0.0.1:{server.port}", address_requests=CROWD + 10
        ) as gateway,
    ):
        yield gateway


def get(gateway: RunningGateway, path: str) -> bytes:
    with contextlib.closing(HTTPConnection("127.0.0.1", gateway.port, timeout=10)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        assert response.status == 200
        return response.read()


def connect(gateway: RunningGateway, sent: bytes) -> socket.socket:
    """Open a connection with a small receive buffer, and send something."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", gateway.port))
    connection.sendall(sent)
    return connection


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS.keys())
def test_crowd_that_sends_slowly_delays_no_other_client(gateway: RunningGateway, beginning: bytes) -> None:
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(connect(gateway, beginning)) for _ in range(CROWD)]
        for _ in range(5):
            for slow in crowd:
                slow.sendall(b"x")
            assert get(gateway, "/") == b"ok"


def test_crowd_that_reads_no_responses_delays_no_other_client(gateway: RunningGateway) -> None:
    with contextlib.ExitStack() as stack:
        # More than the buffers of the sockets and of the gateway's memory.
        for _ in range(10):
            stack.enter_context(connect(gateway, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n"))
        for _ in range(5):
            assert get(gateway, "/") == b"ok"
        assert len(get(gateway, "/large")) == LARGE


def test_request_that_arrives_byte_by_byte_is_answered(gateway: RunningGateway) -> None:
    with connect(gateway, b"") as slow:
        for byte in b"POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello":
            slow.sendall(bytes([byte]))
        assert b"".join(iter(lambda: slow.recv(65536), b"")).endswith(b"\r\n\r\n5")
