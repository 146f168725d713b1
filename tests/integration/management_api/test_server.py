"""gunicorn of the management service: it rejects requests above its limits, continues, and stops in order."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Self

import psutil
import pytest

from deploy.local.loopback_ports import LOOPBACK, free_port
from management_api.worker import MAX_WAITING
from tests.integration.management_api.tiny_server import LARGE
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

#: A thread that waits for a slow client would take longer than this.
TIME_LIMIT = 4.0
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class TinyServer:
    """A running tiny server of two threads."""

    def __init__(self, log_file: Path, *, connections: int = 1000, files: int = 2048, stop: int = 20) -> None:
        self.port = free_port()
        self.log_file = log_file
        arguments = [str(number) for number in (self.port, connections, files, stop)]
        with log_file.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "tests.integration.management_api.tiny_server", *arguments],
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[3])},
                stdout=log,
                stderr=log,
            )
        try:
            eventually(self.is_up, within=30)
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        if self.process.poll() is None:
            for worker in psutil.Process(self.process.pid).children():
                worker.kill()
            self.process.kill()
        self.process.wait()

    @property
    def worker(self) -> int:
        [worker] = psutil.Process(self.process.pid).children()
        return worker.pid

    def is_up(self) -> bool:
        with contextlib.suppress(OSError):
            return self.get("/") == (200, b"ok")
        return False

    def get(self, path: str) -> tuple[int, bytes]:
        with contextlib.closing(HTTPConnection(LOOPBACK, self.port, timeout=20)) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()

    def connect(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection((LOOPBACK, self.port), timeout=20)
        connection.sendall(sent)
        return connection


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


@pytest.fixture
def server(log_file: Path) -> Iterator[TinyServer]:
    with TinyServer(log_file) as server:
        yield server


def read_to_end(connection: socket.socket) -> bytes:
    """Read until the server closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def read_up_to(connection: socket.socket, size: int) -> bytes:
    """Read until the server closes, or resets, or this many bytes have come."""
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while len(received) < size and (data := connection.recv(1024 * 1024)):
            received += data
    return received


def test_connection_past_the_limit_is_rejected_with_503(log_file: Path) -> None:
    with TinyServer(log_file, connections=20) as server:
        with contextlib.ExitStack() as stack:
            # Silent connections count until they are closed. There are more of them than the limit, because
            # the connection of `is_up` may end, and free a place, at any time.
            for _ in range(30):
                last = stack.enter_context(server.connect())
            head, _, body = read_to_end(last).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert {b"Retry-After: 1", b"Connection: close", b"X-Content-Type-Options: nosniff"} <= set(head.split(b"\r\n"))
        assert b'"code":"UNAVAILABLE"' in body
        eventually(server.is_up)


def test_limit_of_connections_follows_the_limit_of_open_files(log_file: Path) -> None:
    with TinyServer(log_file, files=128) as server:
        worker = server.worker
        with contextlib.ExitStack() as stack:
            crowd = [stack.enter_context(server.connect(GET)) for _ in range(150)]
            status_lines = [connection.recv(65536)[:12] for connection in crowd]
        assert set(status_lines) == {b"HTTP/1.1 200", b"HTTP/1.1 503"}
        eventually(server.is_up)
        assert server.worker == worker
        assert "connections_not_accepted" not in log_file.read_text()


def test_worker_without_a_free_descriptor_goes_on_when_there_is_one(log_file: Path) -> None:
    with TinyServer(log_file, files=128) as server:
        worker = server.worker
        with server.connect(b"GET /hold HTTP/1.1\r\nHost: a\r\n\r\n") as kept:
            assert kept.recv(65536).startswith(b"HTTP/1.1 200 ")
            with server.connect(GET) as waiting:
                eventually(lambda: "connections_not_accepted" in log_file.read_text())
                kept.sendall(b"GET /release HTTP/1.1\r\nHost: a\r\n\r\n")
                assert waiting.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert server.is_up()
        assert server.worker == worker


def test_pipelined_requests_are_answered_in_order(server: TinyServer) -> None:
    first = b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    second = b"POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
    # The worker waits for the body of a request only with a credential.
    last = (
        b"POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer a\r\nContent-Length: 1\r\n\r\n"
    )
    with server.connect(first + second + last) as client:
        client.sendall(b"a")
        responses = read_to_end(client)
    assert [response[:1] for response in responses.split(b"\r\n\r\n")[1:]] == [b"3", b"2", b"1"]


def test_unread_body_does_not_become_the_next_request(server: TinyServer) -> None:
    unread = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(GET) + GET
    with server.connect(unread + b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as client:
        assert read_to_end(client).count(b"HTTP/1.1 200 ") == 2


def test_expected_continue_is_sent_once(server: TinyServer) -> None:
    head = (
        b"POST /count HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer a\r\n"
        b"Expect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    )
    with server.connect(head) as client:
        assert client.recv(100).lower() == b"http/1.1 100 continue\r\n\r\n"
        client.sendall(b"body")
        response = read_to_end(client)
    assert response.startswith(b"HTTP/1.1 200 ")
    assert response.endswith(b"4")


HELD = b"POST /count HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Length: 100000\r\n\r\n"
SLOW = [b"", b"GET / HTT", b"POST / HTTP/1.1\r\nX-Slow: ", HELD, HELD + b"x" * 50_000]


@pytest.mark.parametrize("sent", SLOW, ids=["silent", "line", "head", "body", "half a body"])
def test_crowd_of_slow_senders_stops_no_other_request(server: TinyServer, sent: bytes) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(server.connect(sent))
        begun = time.monotonic()
        assert [server.get("/") for _ in range(10)] == [(200, b"ok")] * 10
        assert time.monotonic() - begun < TIME_LIMIT


def test_crowd_of_readers_that_stop_reading_stops_no_other_request(server: TinyServer) -> None:
    with contextlib.ExitStack() as stack:
        for number in range(12):
            credential = b"Authorization: Bearer %d\r\n" % number
            client = stack.enter_context(server.connect(b"GET /large HTTP/1.1\r\nHost: a\r\n" + credential + b"\r\n"))
        assert client.recv(12) == b"HTTP/1.1 200"
        assert [server.get("/") for _ in range(10)] == [(200, b"ok")] * 10


def test_unsent_responses_above_the_budget_cost_the_oldest_reader_its_connection(server: TinyServer) -> None:
    with contextlib.ExitStack() as stack:
        # Each has 8 MiB, of which the system holds a part.
        clients = [stack.enter_context(server.connect(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")) for _ in range(40)]
        last = clients[-1]
        assert last.recv(12) == b"HTTP/1.1 200"
        received = len(read_up_to(clients[0], LARGE))
        assert received < LARGE
        assert psutil.Process(server.worker).memory_info().rss < 300 * 1024 * 1024


def test_largest_body_arrives_complete(server: TinyServer) -> None:
    size = 1024 * 1024
    fields = b"Authorization: Bearer a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size
    with server.connect(b"POST /count HTTP/1.1\r\nHost: a\r\n" + fields + b"x" * size) as client:
        assert read_to_end(client).endswith(b"\r\n\r\n%d" % size)


def test_slow_reader_gets_the_whole_response(server: TinyServer) -> None:
    with server.connect(b"GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") as client:
        assert server.is_up()
        assert len(read_to_end(client).partition(b"\r\n\r\n")[2]) == LARGE


def test_credential_with_its_share_of_threads_leaves_the_others(server: TinyServer, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    waiting = b"GET /wait%b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nConnection: close\r\n\r\n"
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect(waiting % bytes(allowed))) for _ in range(10)]
        eventually(allowed.with_suffix(".begun").exists)
        assert server.get("/") == (200, b"ok")
        allowed.touch()
        assert {read_to_end(client)[-2:] for client in clients} == {b"ok"}


def test_credentials_of_one_user_have_one_share(server: TinyServer, tmp_path: Path) -> None:
    allowed, later = tmp_path / "allowed", tmp_path / "later"
    request = b"GET %b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %b\r\nConnection: close\r\n\r\n"
    for credential in (b"token", b"key"):
        with server.connect(request % (b"/user", credential)) as client:
            assert read_to_end(client).endswith(b"ok")
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(server.connect(request % (b"/wait%b" % bytes(allowed), b"token")))
        eventually(allowed.with_suffix(".begun").exists)
        second = stack.enter_context(server.connect(request % (b"/wait%b" % bytes(later), b"key")))
        assert server.get("/") == (200, b"ok")
        assert not later.with_suffix(".begun").exists()
        later.touch()
        allowed.touch()
        assert read_to_end(first).endswith(b"ok")
        assert read_to_end(second).endswith(b"ok")


def test_credential_with_too_many_waiting_requests_gets_503(server: TinyServer, tmp_path: Path) -> None:
    never = tmp_path / "never"
    with contextlib.ExitStack() as stack:
        request = b"GET /wait%b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n\r\n" % bytes(never)
        for _ in range(MAX_WAITING + 2):
            last = stack.enter_context(server.connect(request))
        assert read_to_end(last).startswith(b"HTTP/1.1 503 ")
        assert server.get("/") == (200, b"ok")


def test_health_is_answered_while_all_threads_are_busy(server: TinyServer, tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        for name in (b"a", b"b"):
            request = b"GET /wait%b%b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %b\r\n\r\n"
            stack.enter_context(server.connect(request % (bytes(tmp_path / "never"), name, name)))
            eventually((tmp_path / f"never{name.decode()}.begun").exists)
        assert server.get("/health/live") == (200, b"ok")
        assert server.get("/dashboard/") == (200, b"ok")


def test_body_of_a_stranger_is_refused_before_it_is_sent(server: TinyServer) -> None:
    with server.connect(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n") as client:
        response = client.recv(65536)
        assert response.startswith(b"HTTP/1.1 200 ")
        assert b"\r\nConnection: close\r\n" in response


def test_frozen_worker_is_replaced(server: TinyServer) -> None:
    frozen = server.worker
    os.kill(frozen, signal.SIGSTOP)
    eventually(server.is_up, within=40)
    assert server.worker != frozen


def test_stop_closes_the_port_and_answers_requests_under_way(server: TinyServer, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    with server.connect(b"GET /wait%b HTTP/1.1\r\nHost: a\r\n\r\n" % bytes(allowed)) as client:
        eventually(allowed.with_suffix(".begun").exists)
        server.process.send_signal(signal.SIGTERM)
        eventually(lambda: is_refused(server))
        allowed.touch()
        assert read_to_end(client).endswith(b"ok")
    assert server.process.wait(timeout=20) == 0


def test_reload_keeps_the_port_open(server: TinyServer) -> None:
    former = server.worker
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: former not in {child.pid for child in psutil.Process(server.process.pid).children()}, within=30)
    assert server.is_up()


def is_refused(server: TinyServer) -> bool:
    try:
        server.connect().close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:
        # It was in the queue of the port when the port was closed.
        return False
    return False


def test_request_without_an_end_holds_up_the_stop_for_a_bounded_time(log_file: Path, tmp_path: Path) -> None:
    never = tmp_path / "never"
    with (
        TinyServer(log_file, stop=1) as server,
        server.connect(b"GET /wait%b HTTP/1.1\r\nHost: a\r\n\r\n" % bytes(never)),
        server.connect(b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"),
    ):
        eventually(never.with_suffix(".begun").exists)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=15) == 0
