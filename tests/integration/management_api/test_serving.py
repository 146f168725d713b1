"""The management service as a process: gunicorn, its refusals, its stop."""

import base64
import json
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from common.errors import SettingsError
from common.settings.sources import read_settings
from deploy.local.loopback_ports import LOOPBACK
from management_api.main import serve
from management_api.settings import ManagementSettings
from tests.integration.management_api.running_service import ServiceProcess, running_service, service_environment
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.databases.recycled_databases import RecycledDatabases

pytestmark = pytest.mark.slow

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


@pytest.fixture(scope="module")
def lasting(
    recycled_databases: RecycledDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ServiceProcess, str]]:
    """Return a service that tests share, and the token of a user."""
    folder = tmp_path_factory.mktemp("service")
    with recycled_databases.database() as url:
        environment = environment_in(folder, url, base64.b64encode(secrets.token_bytes(32)).decode())
        with running_service(environment, folder) as process:
            yield process, environment["TEST_TOKEN"]


def test_service_stops_gracefully_and_leaves_no_file_or_process(environment: dict[str, str], tmp_path: Path) -> None:
    with running_service(environment, tmp_path) as service:
        assert service.stop() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jwks.json", "service.log"]


def test_a_chunked_body_is_read(lasting: tuple[ServiceProcess, str]) -> None:
    service, token = lasting
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    status, response = service.call("POST", "/api/projects", iter([b'{"name": ', b'"Chunked"}']), headers)
    assert (status, response["data"]["name"]) == (201, "Chunked")


def test_malformed_http_gets_the_error_of_the_contract(lasting: tuple[ServiceProcess, str]) -> None:
    service, _ = lasting
    remaining = []
    for sent in NOT_HTTP:
        head, _, body = service.send_raw(sent).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 "), sent[:100]
        document = json.loads(body)
        assert (document["success"], document["code"], document["status"]) == (False, "INVALID_PARAMETER", 400)
        headers = dict(line.lower().split(": ") for line in head.decode().splitlines()[1:])
        assert headers["x-request-id"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-ratelimit-limit"] == "60"
        assert headers["connection"] == "close"
        remaining.append(int(headers["x-ratelimit-remaining"]))
    # Each of them is counted.
    assert remaining == list(range(remaining[0], remaining[0] - len(NOT_HTTP), -1))


def test_a_token_that_is_too_long_is_still_a_wrong_token(lasting: tuple[ServiceProcess, str]) -> None:
    service, _ = lasting
    status, response = service.call("GET", "/api/user", headers={"Authorization": f"Bearer a.b.{'c' * 9000}"})
    assert (status, response["error"]) == (401, "Invalid token")


def test_a_broken_chunk_is_the_clients_fault(lasting: tuple[ServiceProcess, str]) -> None:
    service, token = lasting
    head = (
        "POST /api/projects HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    )
    assert service.send_raw(head.encode() + b"zz\r\n").startswith(b"HTTP/1.1 400 ")


def test_taken_port_stops_the_start_with_one_clear_line(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        for name, value in {**environment, "MANAGEMENT_PORT": str(port)}.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SettingsError) as raised:
            serve(read_settings(ManagementSettings))
    assert str(raised.value) == f"MANAGEMENT_PORT: cannot listen on {LOOPBACK}:{port}: Address already in use"
