"""The data of the benchmark: a user with projects and flows, created over HTTP, and statistics inserted by SQL."""

import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import jwt
import psycopg
from pyroaring import BitMap

from loadtests.benchmarks.management.programs import AUDIENCE, ISSUER, Programs

PROJECTS = 60
FLOWS = 60
SCREENS = 3
DEVICES = 200
#: The name of all objects that a measurement creates, by which they are deleted again.
CREATED_NAME = "Made by the benchmark"

_SHARE_PROJECTS = """
    WITH bare AS (
        INSERT INTO users (id, issuer, subject) VALUES ('user_bare', 'bare', 'bare') RETURNING id
    ), key AS (
        INSERT INTO api_keys (user_id, digest, sealed, last_used_at) SELECT id, %s, '', now() FROM bare
    )
    INSERT INTO members (project_id, user_id, role) SELECT project_id, 'user_bare', role FROM members
"""
_DEVICES = """
    WITH added AS (
        INSERT INTO devices (project_id, device_id, number)
        SELECT p.id, 'device-' || d, d - 1 FROM projects p, generate_series(1, %(devices)s) d
    )
    INSERT INTO project_totals (project_id, devices, next_number)
    SELECT id, %(devices)s, %(devices)s FROM projects
"""
#: Cells of all devices: their bitmap has the numbers below DEVICES.
_ACTIVITY = """
    INSERT INTO activity_cells (project_id, breakdown, day, event_type, flow_id, events, devices, is_merged)
    SELECT f.project_id, cell.breakdown, cell.day, cell.event_type, f.id, %(devices)s, %(bitmap)s, true
    FROM flows f, (VALUES
        ('ever', NULL::date, 'flow_started'), ('ever', NULL, 'flow_completed'),
        ('exposure', current_date, NULL)
    ) AS cell (breakdown, day, event_type)
"""


@dataclass(frozen=True, slots=True)
class SeedData:
    """The credentials and ids of the requests. Both credentials have the same projects."""

    api_key: str
    bare_key: str
    project_ids: list[str]
    project_id: str
    flow_ids: list[str]
    #: One flow of each project, because changes of one project wait for each other.
    own_flow_ids: list[str]


def create_seed_data(programs: Programs) -> SeedData:
    """Create the data, through the management service where it has an endpoint."""
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "benchmark", "iat": now, "exp": now + 86_400}
    token = jwt.encode(claims, programs.token_secret, algorithm="HS256")
    port = programs.management.port
    api_key: str = call(port, token, "GET", "/api/user/api-key")["data"]["api_key"]
    project_ids = [_create(port, api_key, "/api/projects", _project(number)) for number in range(PROJECTS)]
    project_id = project_ids[0]
    flow_ids = [_create(port, api_key, "/api/flows", _flow(project_id, number)) for number in range(FLOWS)]
    own_flow_ids = [_create(port, api_key, "/api/flows", _flow(project, 0)) for project in project_ids]
    bare_key = secrets.token_hex(20)
    with psycopg.connect(programs.database_url, autocommit=True) as connection:
        connection.execute(_SHARE_PROJECTS, [hashlib.sha256(bare_key.encode()).digest()])
        values = {"devices": DEVICES, "bitmap": BitMap(range(DEVICES)).serialize()}
        for statement in (_DEVICES, _ACTIVITY):
            connection.execute(statement, values)
    # On a separate connection, so that no open snapshot keeps it from marking pages all-visible.
    with psycopg.connect(programs.database_url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return SeedData(api_key, bare_key, project_ids, project_id, flow_ids, own_flow_ids)


def delete_created(database_url: str) -> None:
    """Delete the objects that a measurement has created, so that all measurements start with the same data."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DELETE FROM flows WHERE name = %s", [CREATED_NAME])
        connection.execute("DELETE FROM projects WHERE name = %s", [CREATED_NAME])
        connection.execute("DELETE FROM publications WHERE project_id NOT IN (SELECT id FROM projects)")
        connection.execute("TRUNCATE audit_entries")
        connection.execute("VACUUM ANALYZE projects, members, secret_keys, flows, publications")


def call(port: int, credential: str, method: str, path: str, body: object = None) -> dict[str, Any]:
    """Send one request and return the JSON of the response."""
    request = Request(
        f"http://127.0.0.1:{port}{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {credential}", "Content-Type": "application/json"},
    )
    with urlopen(request, timeout=30) as response:  # noqa: S310 - http on the loopback
        document: dict[str, Any] = json.load(response)
    return document


def _create(port: int, credential: str, path: str, body: object) -> str:
    object_id: str = call(port, credential, "POST", path, body)["data"]["id"]
    return object_id


def _project(number: int) -> dict[str, Any]:
    return {"name": f"Project {number}", "description": "One of those that the benchmark lists"}


def _flow(project_id: str, number: int) -> dict[str, Any]:
    screens = [
        {"type": "welcome", "name": f"Screen {screen}", "content": {"title": "Hello"}} for screen in range(SCREENS)
    ]
    condition = {"attribute": "platform", "operator": "eq", "value": "ios"}
    return {
        "projectId": project_id,
        "name": f"Flow {number}",
        "status": ("active", "draft")[number % 2],
        "targeting": {"percentage": 50, "conditions": [condition]},
        "screens": screens,
    }
