"""Clients that take their time cost the others nothing (docs/operations.md, Slow clients)."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from deploy.local.loopback_ports import LOOPBACK, free_port
from management_api.resources.exchange import MAX_BODY_BYTES
from tests.integration.management_api.tiny_server import LARGE
from tests.polling import eventually

CROWD = 200
SLOW_BEGINNINGS = {
    "says nothing": b"",
    "dribbles its head": b"GET / HTTP/1.1\r\nHost: a\r\nX-A: ",
    "dribbles its body": b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    "dribbles its chunks": b"POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n",
}


class TinyServer:
    """A running tiny server of two threads."""

    def __init__(
        self, log_file: Path, *, connections: int = 1000, seconds: float = 30, megabytes: int = 64, stop: int = 20
    ) -> None:
        self.port = free_port()
        arguments = [str(self.port), str(connections), str(seconds), str(megabytes), str(stop)]
        with log_file.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "tests.integration.management_api.tiny_server", *arguments],
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[3])},
                stdout=log,
                stderr=log,
            )
        eventually(self.is_up, within=30)

    def is_up(self) -> bool:
        with contextlib.suppress(OSError):
            return self.get("/") == b"ok"
        return False

    def get(self, path: str) -> bytes:
        """Give the body of an answer."""
        with contextlib.closing(HTTPConnection(LOOPBACK, self.port, timeout=10)) as connection:
            connection.request("GET", path)
            return connection.getresponse().read()

    def connect(self, sent: bytes = b"", buffer_bytes: int | None = None) -> socket.socket:
        """Open a connection and send something."""
        connection = socket.socket()
        if buffer_bytes is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        connection.settimeout(10)
        try:
            connection.connect((LOOPBACK, self.port))
        except OSError:
            connection.close()
            raise
        connection.sendall(sent)
        return connection

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=40)


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


@pytest.fixture
def server(log_file: Path) -> Iterator[TinyServer]:
    server = TinyServer(log_file)
    yield server
    server.stop()


def flow_body(connection: socket.socket) -> bytes:
    """Read until the server closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("beginning", SLOW_BEGINNINGS.values(), ids=SLOW_BEGINNINGS.keys())
def test_a_crowd_of_slow_clients_does_not_hold_up_the_others(server: TinyServer, beginning: bytes) -> None:
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(server.connect(beginning)) for _ in range(CROWD)]
        for _ in range(5):
            for slow in crowd:
                slow.sendall(b"x")
            assert server.get("/") == b"ok"


def test_clients_that_do_not_take_their_answers_do_not_hold_up_the_others(server: TinyServer) -> None:
    with contextlib.ExitStack() as stack:
        # Of more than the sockets can hold, so that threads would have to wait.
        for _ in range(CROWD):
            stack.enter_context(server.connect(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n", buffer_bytes=4096))
        for _ in range(5):
            assert server.get("/") == b"ok"
        assert len(server.get("/large")) == LARGE


def test_what_is_held_for_clients_is_bounded(log_file: Path) -> None:
    server = TinyServer(log_file, megabytes=20)
    with contextlib.ExitStack() as stack:
        crowd = [
            stack.enter_context(server.connect(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n", buffer_bytes=4096))
            for _ in range(20)
        ]
        assert server.get("/") == b"ok"
        received = [length_received(slow) for slow in crowd]
    assert min(received) < LARGE
    server.stop()


def length_received(connection: socket.socket) -> int:
    """Count what comes until the connection is closed or has brought a whole large answer."""
    count = 0
    with contextlib.suppress(ConnectionError):
        while count < LARGE and (received := connection.recv(1024 * 1024)):
            count += len(received)
    return count


def test_a_slow_client_that_comes_to_an_end_is_answered(server: TinyServer) -> None:
    sent = b"POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
    with server.connect() as slow:
        for byte in sent:
            slow.sendall(bytes([byte]))
        assert flow_body(slow).endswith(b"\r\n\r\n5")


def test_a_request_has_a_time_to_arrive_in(log_file: Path) -> None:
    server = TinyServer(log_file, seconds=0.5)
    with server.connect(b"GET / HTTP/1.1\r\nHost: a\r\n") as slow, server.connect() as silent:
        assert flow_body(slow) == b""
        assert flow_body(silent) == b""
    assert server.get("/") == b"ok"
    server.stop()


def test_the_slowest_make_room_for_the_next(log_file: Path) -> None:
    server = TinyServer(log_file, connections=50)
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(server.connect(b"GET /")) for _ in range(80)]
        assert server.get("/") == b"ok"
        assert flow_body(crowd[0]) == b""
        crowd[-1].sendall(b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert flow_body(crowd[-1]).endswith(b"ok")
    server.stop()


def test_requests_in_a_row_are_answered_in_order(server: TinyServer) -> None:
    first = b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    second = b"POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
    last = b"POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\n"
    with server.connect(first + second + last) as client:
        client.sendall(b"a")
        answers = flow_body(client)
    assert [answer[:1] for answer in answers.split(b"\r\n\r\n")[1:]] == [b"3", b"2", b"1"]


@pytest.mark.parametrize("size", [100_000, MAX_BODY_BYTES + 1])
def test_a_body_that_nobody_reads_is_in_the_way_of_no_other_request(server: TinyServer, size: int) -> None:
    unread = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size
    with server.connect(unread + b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as client:
        answers = flow_body(client)
    assert answers.count(b"HTTP/1.1 200 ") == 2
    assert answers.lower().count(b"connection: close") == 1


def test_who_sends_far_too_much_is_told_that_the_connection_ends(server: TinyServer) -> None:
    size = 2 * MAX_BODY_BYTES
    with server.connect(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % size + b"x" * 1000) as client:
        answer = flow_body(client).lower()
    assert answer.startswith(b"http/1.1 200 ")
    assert b"\r\nconnection: close\r\n" in answer


def test_a_client_that_asks_first_is_told_to_go_on_once(server: TinyServer) -> None:
    head = b"POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    with server.connect(head) as client:
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"body")
        answer = flow_body(client)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"4")


def test_a_head_without_end_is_refused(server: TinyServer) -> None:
    with server.connect(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 12_000) as client:
        assert flow_body(client).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_goes_away_leaves_nothing_behind(server: TinyServer) -> None:
    for beginning in SLOW_BEGINNINGS.values():
        gone = server.connect(beginning)
        # Closed with a reset instead of a farewell.
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        gone.close()
    assert server.get("/") == b"ok"


def test_a_request_in_flight_is_answered_before_the_stop(server: TinyServer, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    with server.connect(b"GET /wait%b HTTP/1.1\r\nHost: a\r\n\r\n" % bytes(allowed)) as client:
        eventually(allowed.with_suffix(".begun").exists)
        server.process.send_signal(signal.SIGTERM)
        eventually(lambda: is_refused(server))
        allowed.touch()
        assert flow_body(client).endswith(b"ok")
    assert server.process.wait(timeout=20) == 0


def is_refused(server: TinyServer) -> bool:
    """Tell whether nobody listens any more."""
    try:
        server.connect().close()
    except ConnectionRefusedError:
        return True
    return False


def test_an_answer_that_never_comes_holds_the_stop_up_for_a_bounded_time(log_file: Path, tmp_path: Path) -> None:
    server, never = TinyServer(log_file, stop=1), tmp_path / "never"
    with server.connect(b"GET /wait%b HTTP/1.1\r\nHost: a\r\n\r\n" % bytes(never)):
        eventually(never.with_suffix(".begun").exists)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=15) == 0


def test_a_request_that_never_ends_does_not_hold_up_the_stop(server: TinyServer) -> None:
    with server.connect(SLOW_BEGINNINGS["dribbles its body"]), server.connect():
        assert server.get("/") == b"ok"
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=10) == 0
