"""The management service as a process: gunicorn, its refusals, its stop."""

import base64
import json
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.loopback_ports import LOOPBACK
from tests.integration.management_api.running_service import ServiceProcess, running_service, service_environment
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.databases.recycled_databases import RecycledDatabases

NOT_HTTP = [
    b"nonsense\r\n\r\n",
    b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"x" * 70_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(100)) + b"\r\n",
    b"POST /api/projects HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n",
    b"POST /api/projects HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
]


def environment_in(folder: Path, database_url: str, master_key: str) -> dict[str, str]:
    issuer = TokenIssuer(folder)
    environment = service_environment(
        database_url, master_key, folder, identity_jwks_file=str(issuer.jwks_file), rate_limits_enabled="true"
    )
    return {**environment, "TEST_TOKEN": issuer.token()}


@pytest.fixture
def environment(database_url: str, master_key: str, tmp_path: Path) -> dict[str, str]:
    return environment_in(tmp_path, database_url, master_key)


@pytest.fixture
def service(environment: dict[str, str], tmp_path: Path) -> Iterator[ServiceProcess]:
    """Return a service of the test's own, which it may stop."""
    with running_service(environment, tmp_path) as process:
        yield process


@pytest.fixture(scope="module")
def lasting(
    recycled_databases: RecycledDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ServiceProcess, str]]:
    """Return a service that tests share, and the token of a user."""
    folder = tmp_path_factory.mktemp("service")
    with recycled_databases.lent() as url:
        environment = environment_in(folder, url, base64.b64encode(secrets.token_bytes(32)).decode())
        with running_service(environment, folder) as process:
            yield process, environment["TEST_TOKEN"]


def test_service_stops_gracefully_and_leaves_no_file_or_process(service: ServiceProcess, tmp_path: Path) -> None:
    assert service.stop() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jwks.json", "service.log"]


def test_the_log_has_one_json_line_for_a_request_and_no_token(
    service: ServiceProcess, environment: dict[str, str]
) -> None:
    token = environment["TEST_TOKEN"]
    service.call("GET", "/api/projects", headers={"Authorization": f"Bearer {token}", "X-Request-Id": "trace-me"})
    service.stop()
    [line] = [line for line in service.log_lines() if line.get("request_id") == "trace-me"]
    assert (line["method"], line["route"], line["status"]) == ("GET", "/api/projects", 200)
    assert line["user"].startswith("user_")
    assert token not in service.log_file.read_text()


def test_a_chunked_body_is_read(lasting: tuple[ServiceProcess, str]) -> None:
    service, token = lasting
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    status, answer = service.call("POST", "/api/projects", iter([b'{"name": ', b'"Chunked"}']), headers)
    assert (status, answer["data"]["name"]) == (201, "Chunked")


def test_malformed_http_gets_the_error_of_the_contract(service: ServiceProcess) -> None:
    for before, sent in enumerate(NOT_HTTP):
        head, _, body = service.send_raw(sent).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 "), sent[:100]
        document = json.loads(body)
        assert (document["success"], document["code"], document["status"]) == (False, "INVALID_PARAMETER", 400)
        headers = dict(line.lower().split(": ") for line in head.decode().splitlines()[1:])
        assert headers["x-request-id"]
        assert headers["x-content-type-options"] == "nosniff"
        # Readiness is not counted, each of these is.
        assert (headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]) == ("60", str(59 - before)), sent[:100]
        assert headers["connection"] == "close"


def test_a_token_that_is_too_long_is_still_a_wrong_token(lasting: tuple[ServiceProcess, str]) -> None:
    service, _ = lasting
    status, answer = service.call("GET", "/api/user", headers={"Authorization": f"Bearer a.b.{'c' * 9000}"})
    assert (status, answer["error"]) == (401, "Invalid token")


def test_a_broken_chunk_is_the_clients_fault(lasting: tuple[ServiceProcess, str]) -> None:
    service, token = lasting
    head = (
        "POST /api/projects HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    )
    assert service.send_raw(head.encode() + b"zz\r\n").startswith(b"HTTP/1.1 400 ")


def test_a_taken_port_stops_the_start_with_one_clear_line(environment: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        process = ServiceProcess({**environment, "MANAGEMENT_PORT": str(port)}, tmp_path / "log")
        assert process.exit_status() == 1
    last_line = (tmp_path / "log").read_text().splitlines()[-1]
    assert f"MANAGEMENT_PORT: cannot listen on {LOOPBACK}:{port}: Address already in use" in last_line


def test_an_unreadable_key_set_stops_the_start(environment: dict[str, str], tmp_path: Path) -> None:
    missing = {**environment, "ONBOARDING_IDENTITY_JWKS_FILE": str(tmp_path / "missing.json")}
    process = ServiceProcess(missing, tmp_path / "log")
    assert process.exit_status() == 1
    assert "ONBOARDING_IDENTITY_JWKS_FILE: the key set cannot be read" in (tmp_path / "log").read_text()
