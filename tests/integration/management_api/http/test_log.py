"""The log has one JSON line for each request, with any caller and any result, and never a secret."""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt
import psycopg
import pytest
from pydantic import SecretStr

from management_api.settings import ManagementSettings
from tests.contract.route_examples import Ids, rows
from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.databases.outages import database_outage

pytestmark = pytest.mark.slow

SHARED_SECRET = "a-shared-secret-of-more-than-32-bytes"
FORGERIES = [
    b'GET /api/x%0d%0a{"event":"forged"} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    b"GET /api/projects HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: a b\x1b[31m\r\n\r\n",
    b'FORGED"\n{"event":"forged"} / HTTP/1.1\r\nHost: a\r\n\r\n',
    b"GET /api/projects/\xff\xfe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
]


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(tmp_path)


@pytest.fixture
def service(database_url: str, master_key: str, issuer: TokenIssuer, tmp_path: Path) -> Iterator[ServiceProcess]:
    environment = service_environment(
        database_url,
        master_key,
        tmp_path,
        identity_jwks_file=str(issuer.jwks_file),
        identity_shared_secret=SHARED_SECRET,
        log_level="debug",
        # A request without credentials must not wait for long.
        database_pool_timeout_ms="500",
    )
    process = ServiceProcess(environment, tmp_path / "service.log")
    try:
        process.wait_until_ready()
        yield process
    finally:
        process.stop()


class Conversation:
    """Sends requests and keeps their ids."""

    def __init__(self, service: ServiceProcess) -> None:
        self._service = service
        self.statuses: dict[str, int] = {}

    def send(
        self, method: str, path: str, document: object = None, query: object = None, **headers: str
    ) -> tuple[int, Any]:
        request_id = f"request-{len(self.statuses)}"
        body = None if document is None else iter([json.dumps(document).encode()])
        asked = f"{path}?{urlencode(query)}" if isinstance(query, dict) and query else path
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        status, response = self._service.call(
            method, asked, body, {"Content-Type": "application/json", "X-Request-Id": request_id, **named}
        )
        self.statuses[request_id] = status
        return status, response


def secrets_of(text: str) -> set[str]:
    return set(re.findall(r"obk_(?:sk|api)_[0-9A-Za-z]+", text))


def test_no_route_logs_a_secret_at_any_status(
    service: ServiceProcess, issuer: TokenIssuer, master_key: str, database_url: str
) -> None:
    talk = Conversation(service)
    by_file = issuer.token("alice")
    by_secret = jwt.encode(issuer.claims("bob"), SHARED_SECRET, algorithm="HS256")
    alice = {"Authorization": f"Bearer {by_file}"}
    _, project = talk.send("POST", "/api/projects", {"name": "Sample"}, **alice)
    _, keys = talk.send("GET", f"/api/projects/{project['data']['id']}/api-keys", **alice)
    _, own = talk.send("GET", "/api/user/api-key", Authorization=f"Bearer {by_secret}")
    secrets = {
        by_file, by_secret, SHARED_SECRET, master_key, *secrets_of(json.dumps([keys, own])),
        by_file.rpartition(".")[2], base64.b64decode(master_key).hex(), urlsplit(database_url).password or "",
    }  # fmt: skip
    assert len(secrets) == 9
    one_key = own["data"]["api_key"]
    secret_key = keys["data"]["secret_keys"][0]["secret_key"]
    callers = [
        alice,
        {"Authorization": f"Bearer {one_key}"},
        {"Authorization": f"Bearer {one_key}x"},
        {"Authorization": f"Bearer {by_file}x"},
        {"Authorization": f"Basic {by_secret}"},
        {"X_Project_Id": project["data"]["id"], "X_Secret_Key": secret_key},
    ]
    ids = Ids(project_id=project["data"]["id"])
    for row in rows():
        path = f"/api{ids.path_of(row)}"
        for caller in callers:
            talk.send(row.method, path, ids.put_into(row.example.body), ids.put_into(row.example.query), **caller)
        talk.send(row.method, f"{path}/{one_key}", {"token": by_file, "name": secret_key}, {"key": one_key}, **alice)
    with psycopg.connect(database_url, autocommit=True) as connection:
        # Every table under another name: each row fails inside its statements.
        for table in ("projects", "flows", "screens", "themes", "api_keys"):
            connection.execute(f"ALTER TABLE {table} RENAME TO no_{table}")
    for row in rows():
        talk.send(row.method, f"/api{ids.path_of(row)}", ids.put_into(row.example.body), **callers[1])
    with database_outage(database_url):
        talk.send("GET", "/api/projects", **alice)
    service.stop()

    lines = service.log_lines()
    logged = {line["request_id"]: line for line in lines if line["event"] == "request"}
    assert talk.statuses.items() <= {name: line["status"] for name, line in logged.items()}.items()
    assert {200, 201, 401, 403, 404, 500, 503} <= set(talk.statuses.values())
    assert len(logged) == sum(line["event"] == "request" for line in lines)
    log = service.log_file.read_text()
    assert {secret for secret in secrets | secrets_of(log) if secret in log} == set()


def test_log_line_of_a_request_names_its_user(service: ServiceProcess, issuer: TokenIssuer) -> None:
    talk = Conversation(service)
    alice = {"Authorization": f"Bearer {issuer.token('alice')}"}
    _, project = talk.send("POST", "/api/projects", {"name": "Sample"}, **alice)
    project_id = project["data"]["id"]
    talk.send("GET", f"/api/projects/{project_id}", **alice)
    _, flow = talk.send("POST", "/api/flows", {"projectId": project_id, "name": "First"}, **alice)
    _, theme = talk.send("POST", "/api/themes", {"projectId": project_id, "name": "Dark"}, **alice)
    talk.send("GET", "/api/flows", None, {"project_id": project_id}, **alice)
    talk.send("GET", f"/api/flows/{flow['data']['id']}", **alice)
    talk.send("PUT", f"/api/flows/{flow['data']['id']}", {"name": "Second"}, **alice)
    talk.send("GET", f"/api/themes/{theme['data']['id']}", **alice)
    talk.send("GET", "/api/nowhere")
    service.send_raw(b"nonsense\r\n\r\n")
    service.stop()
    requests = [line for line in service.log_lines() if line["event"] == "request" and line["route"] != "/health/ready"]
    assert [(line["route"], line["status"], line["project"]) for line in requests] == [
        ("/api/projects", 201, None),
        ("/api/projects/{project_id}", 200, project_id),
        ("/api/flows", 201, project_id),
        ("/api/themes", 201, project_id),
        ("/api/flows", 200, project_id),
        ("/api/flows/{flow_id}", 200, project_id),
        ("/api/flows/{flow_id}", 200, project_id),
        ("/api/themes/{theme_id}", 200, project_id),
        (None, 404, None),
        (None, 400, None),
    ]
    assert requests[0]["user"] == requests[1]["user"]
    assert requests[1]["user"].startswith("user_")
    assert requests[1]["duration_ms"] > 0


def test_log_is_json_of_the_process_and_no_request_can_inject_a_line(service: ServiceProcess) -> None:
    for sent in FORGERIES:
        assert service.send_raw(sent)
    service.stop()
    lines = service.log_lines()
    assert {line["process"] for line in lines} == {"management"}
    assert any("Listening at" in line["event"] for line in lines)
    assert all({"level", "timestamp"} <= line.keys() for line in lines)
    assert all(line["event"] != "forged" for line in lines)
    assert b"\x1b" not in service.log_file.read_bytes()


def test_settings_show_no_secret(master_key: str) -> None:
    settings = ManagementSettings(
        database_url=SecretStr("postgresql://user:database-password@nowhere/none"),
        redis_url=SecretStr("redis://:redis-password@nowhere"),
        master_key=SecretStr(master_key),
        assignment_keys=SecretStr(ASSIGNMENT_KEYS),
        identity_issuer="https://identity.test",
        identity_audience="onboarding",
        identity_shared_secret=SecretStr(SHARED_SECRET),
    )
    for shown in (repr(settings), str(settings), str(settings.model_dump()), settings.model_dump_json()):
        for secret in ("database-password", "redis-password", master_key, ASSIGNMENT_KEYS, SHARED_SECRET):
            assert secret not in shown
