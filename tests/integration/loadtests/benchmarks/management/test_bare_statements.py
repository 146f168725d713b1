"""The benchmark's yardstick runs the statements of the management service, in as many trips to the server.

Else its ratios would compare something else than what the one and the other make of the same statements.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import falcon
import psycopg
import pytest
from falcon.testing import TestClient

from loadtests.benchmarks.management.baseline_service import pool_of, served_from
from loadtests.benchmarks.management.cases import Case, cases
from loadtests.benchmarks.management.seed_data import Furniture
from tests.management import Management, data_of, management_service
from tests.statement_capture import Statement, captured_statements, noting_cursor
from tests.wire_trips import Trips, traced, trips_of

_BARE_KEY = "the credential of the bare service"
#: psycopg prepares a statement on the server when it comes for the sixth time.
_UNTIL_PREPARED = 6
#: What a statement does with which tables, in order; how it writes columns, aliases and casts is its own.
_DEED = re.compile(
    r"\b(?:(?<!DISTINCT )(?:FROM|JOIN|INTO) \w+|UPDATE (?!OF)\w+|FOR NO KEY UPDATE|ORDER BY|LIMIT|pg_notify\()"
)


@dataclass(frozen=True)
class Service:
    """One side of the comparison, on its only connection to the database."""

    app: falcon.App[falcon.Request, falcon.Response]
    credential: str
    connection: psycopg.Connection[Any]
    capturing: Callable[[], AbstractContextManager[list[Statement]]]

    def send(self, case: Case, furniture: Furniture) -> None:
        """Send all requests of a case: of two changes to one thing, each does change something."""
        for method, path, body in case.templates(furniture):
            headers = {"Authorization": f"Bearer {self.credential}"}
            result = TestClient(self.app).simulate_request(method, path, json=body, headers=headers)
            assert result.status_code in {200, 201}, result.text

    def deeds(self, case: Case, furniture: Furniture) -> list[list[str]]:
        """Give what the statements of the case do, in order."""
        with self.capturing() as statements:
            self.send(case, furniture)
        return [_DEED.findall(" ".join(each.sql.split())) for each in statements if each.sql != "BEGIN"]

    def trips(self, case: Case, furniture: Furniture, file: Path) -> Trips:
        """Give how often the case asks the server once its statements are prepared; `file` takes the trace."""
        for _ in range(_UNTIL_PREPARED):
            self.send(case, furniture)
        with traced(self.connection, file) as trace:
            self.send(case, furniture)
        return trips_of(trace)


@dataclass(frozen=True)
class Both:
    """Both sides of the comparison on one database."""

    management: Service
    bare: Service
    furniture: Furniture


@pytest.fixture
def both(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Both]:
    """Give both sides, each with one connection."""
    with ExitStack() as stack:
        service = stack.enter_context(management_service(database_url, master_key, tmp_path, database_pool_size=1))
        furniture = _furnish(service, database_url)
        with service.database.reading() as reading:
            ours = reading.cursors.connection
        management = Service(service.app, furniture.api_key, ours, lambda: captured_statements(service.database.engine))
        pool = stack.enter_context(pool_of(database_url, 1))
        with pool.connection() as connection:
            bare = Service(served_from(pool), furniture.bare_key, connection, lambda: _captured(connection))
        yield Both(management, bare, furniture)


def test_the_bare_service_does_what_the_service_does_to_the_same_tables(both: Both) -> None:
    ours, theirs = (
        {case.name: side.deeds(case, both.furniture) for case in cases()} for side in (both.management, both.bare)
    )
    assert theirs == ours


def test_both_ask_the_server_equally_often_and_by_prepared_statements_alone(both: Both, tmp_path: Path) -> None:
    ours, theirs = (
        {case.name: side.trips(case, both.furniture, tmp_path / "wire") for case in cases()}
        for side in (both.management, both.bare)
    )
    assert theirs == ours
    # What is traced does hold what is compared: the credential, the project, its figures.
    assert ours["get a project"] == Trips(number=3, parsed=0)
    assert {trips.parsed for trips in ours.values()} == {0}


def _furnish(service: Management, database_url: str) -> Furniture:
    """Make one project with a flow, and let both credentials see it; the keys are marked as used just now."""
    alice = service.user()
    api_key, project_id = alice.api_key(), alice.create_project()["id"]
    flow_id = data_of(alice.post("/api/flows", {"projectId": project_id, "name": "Welcome"}), 201)["id"]
    with psycopg.connect(database_url) as connection:
        connection.execute("INSERT INTO users (id, issuer, subject) VALUES ('user_bare', 'bare', 'bare')")
        connection.execute(
            "INSERT INTO api_keys (user_id, digest, sealed) VALUES ('user_bare', %s, '')",
            [hashlib.sha256(_BARE_KEY.encode()).digest()],
        )
        connection.execute(
            "INSERT INTO members (project_id, user_id, role) SELECT id, 'user_bare', 'owner' FROM projects"
        )
        connection.execute("UPDATE api_keys SET last_used_at = now()")
    return Furniture(api_key, _BARE_KEY, [project_id], project_id, [flow_id], [flow_id])


@contextmanager
def _captured(connection: psycopg.Connection[Any]) -> Iterator[list[Statement]]:
    statements: list[Statement] = []
    connection.cursor_factory = noting_cursor(statements)
    try:
        yield statements
    finally:
        connection.cursor_factory = psycopg.Cursor
