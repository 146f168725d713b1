"""The management service as a process: gunicorn, its refusals, its stop."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from deploy.local.loopback_ports import LOOPBACK, free_port
from tests.polling import eventually
from tests.token_issuer import AUDIENCE, ISSUER, TokenIssuer

PROGRAM = (
    "from common.settings import ManagementSettings, read_settings\n"
    "from common.log_setup import configure_logging\n"
    "from management_api.wsgi import serve\n"
    "settings = read_settings(ManagementSettings)\n"
    "configure_logging(settings, 'management')\n"
    "serve(settings)\n"
)


class Process:
    """A running service; `stop` gives its exit status."""

    def __init__(self, environment: dict[str, str], port: int, log_file: Path) -> None:
        self.port = port
        self.log_file = log_file
        with log_file.open("ab") as log:
            self._process = subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=log, stderr=log)  # noqa: S603 - our own program

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=30)

    def exit_status(self) -> int:
        return self._process.wait(timeout=30)

    def call(
        self, method: str, path: str, body: Iterable[bytes] | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Give the status and the JSON of an answer; a body that is an iterator is sent in chunks."""
        with contextlib.closing(HTTPConnection(LOOPBACK, self.port, timeout=20)) as connection:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def send_raw(self, sent: bytes) -> bytes:
        """Give all that comes back for raw bytes until the connection is closed."""
        with socket.create_connection((LOOPBACK, self.port), timeout=20) as connection:
            connection.sendall(sent)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.fixture
def environment(database_url: str, master_key: str, tmp_path: Path) -> dict[str, str]:
    issuer = TokenIssuer(tmp_path)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "MANAGEMENT_PORT": str(free_port()),
        "ONBOARDING_DATABASE_URL": database_url,
        "ONBOARDING_MASTER_KEY": master_key,
        "ONBOARDING_IDENTITY_ISSUER": ISSUER,
        "ONBOARDING_IDENTITY_AUDIENCE": AUDIENCE,
        "ONBOARDING_IDENTITY_JWKS_FILE": str(issuer.jwks_file),
        "TEST_TOKEN": issuer.token(),
    }


@pytest.fixture
def service(environment: dict[str, str], tmp_path: Path) -> Iterator[Process]:
    process = Process(environment, int(environment["MANAGEMENT_PORT"]), tmp_path / "service.log")
    try:
        eventually(lambda: _is_live(process), within=30)
        yield process
    finally:
        process.stop()


def _is_live(process: Process) -> bool:
    with contextlib.suppress(OSError):
        return process.call("GET", "/health/ready")[0] == 200
    return False


def test_it_stops_in_order_and_leaves_nothing_behind(service: Process, tmp_path: Path) -> None:
    assert service.stop() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jwks.json", "service.log"]


def test_the_log_has_one_json_line_for_a_request_and_no_token(service: Process, environment: dict[str, str]) -> None:
    token = environment["TEST_TOKEN"]
    service.call("GET", "/api/projects", headers={"Authorization": f"Bearer {token}", "X-Request-Id": "trace-me"})
    service.stop()
    log = service.log_file.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    [line] = [line for line in lines if line.get("request_id") == "trace-me"]
    assert (line["method"], line["route"], line["status"]) == ("GET", "/api/projects", 200)
    assert line["user"].startswith("user_")
    assert token not in log


def test_a_chunked_body_is_read(service: Process, environment: dict[str, str]) -> None:
    headers = {"Authorization": f"Bearer {environment['TEST_TOKEN']}", "Content-Type": "application/json"}
    status, answer = service.call("POST", "/api/projects", iter([b'{"name": ', b'"Chunked"}']), headers)
    assert (status, answer["data"]["name"]) == (201, "Chunked")


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(100)) + b"\r\n",
        b"POST /api/projects HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n",
        b"POST /api/projects HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    ],
)
def test_what_is_not_http_gets_the_contracts_body(service: Process, sent: bytes) -> None:
    head, _, body = service.send_raw(sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    document = json.loads(body)
    assert (document["success"], document["code"], document["status"]) == (False, "INVALID_PARAMETER", 400)


def test_a_broken_chunk_is_the_clients_fault(service: Process, environment: dict[str, str]) -> None:
    head = (
        "POST /api/projects HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        f"Authorization: Bearer {environment['TEST_TOKEN']}\r\n\r\n"
    )
    assert service.send_raw(head.encode() + b"zz\r\n").startswith(b"HTTP/1.1 400 ")


def test_a_taken_port_stops_the_start_with_one_clear_line(environment: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        process = Process({**environment, "MANAGEMENT_PORT": str(port)}, port, tmp_path / "log")
        assert process.exit_status() == 1
    last_line = (tmp_path / "log").read_text().splitlines()[-1]
    assert f"MANAGEMENT_PORT: cannot listen on {LOOPBACK}:{port}: Address already in use" in last_line


def test_an_unreadable_key_set_stops_the_start(environment: dict[str, str], tmp_path: Path) -> None:
    missing = {**environment, "ONBOARDING_IDENTITY_JWKS_FILE": str(tmp_path / "missing.json")}
    process = Process(missing, int(environment["MANAGEMENT_PORT"]), tmp_path / "log")
    assert process.exit_status() == 1
    assert "ONBOARDING_IDENTITY_JWKS_FILE: the key set cannot be read" in (tmp_path / "log").read_text()
