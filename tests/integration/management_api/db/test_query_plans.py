"""No request scans a table that grows with users or events, and a list takes the same number of queries for each page.

A change is also held to it by what PostgreSQL counts before its commit, which sees foreign keys and triggers too.
`make bench-queries` runs this on the size that it is meant for, and prints how long each statement takes.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, event

from tests.contract.route_examples import Ids, Row, rows, seed
from tests.integration.management_api.db.crowded_database import crowd
from tests.support.clients.management import Management, User, management_service
from tests.support.databases.fresh_databases import FreshDatabases
from tests.support.databases.statement_capture import Statement, captured_statements

pytestmark = pytest.mark.slow

PROJECTS = int(os.environ.get("PLANS_PROJECTS", "60"))
EVENTS_OF_EACH = int(os.environ.get("PLANS_EVENTS_OF_EACH", "400"))

#: PostgreSQL avoids a scan of a table from this number of pages on.
LARGE_PAGES = 20

GET_ROWS = [row for row in rows() if row.method == "GET"]
WRITE_ROWS = [row for row in rows() if row.method != "GET"]
LIST_ROWS = [row for row in GET_ROWS if row.is_list]
MOST_STATEMENTS = 6
_SCANNED = "SELECT relname FROM pg_stat_xact_user_tables WHERE seq_scan > 0"
_EXPLAINABLE = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")


@pytest.fixture(scope="module")
def crowded(
    postgresql_url: str, run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Management, User, Ids, str]]:
    """Return a service with a crowd, a user of it, the ids of that user's project, and the database."""
    folder = tmp_path_factory.mktemp("identity")
    with (
        FreshDatabases(postgresql_url, run_folder).migrated() as url,
        management_service(url, "A" * 43 + "=", folder) as management,
    ):
        user = management.user("owner")
        ids = seed(management, user)
        crowd(url, projects=PROJECTS, events=EVENTS_OF_EACH)
        yield management, user, ids, url


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def _large_tables(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND relpages > %s", [LARGE_PAGES])
        return {name for (name,) in found}


def _plan_of(url: str, statement: Statement) -> dict[str, Any]:
    with psycopg.connect(url) as connection:
        explained = connection.execute(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement.sql}".encode(), statement.values
        ).fetchone()
        connection.rollback()
    assert explained is not None
    plan: dict[str, Any] = explained[0][0]
    return plan


def _tables_scanned(plan: dict[str, Any]) -> set[str]:
    return {node["Relation Name"] for node in _nodes(plan["Plan"]) if node["Node Type"] == "Seq Scan"}


def _plan_of_write(url: str, statement: Statement) -> dict[str, Any]:
    """Return the plan of a statement without its execution."""
    with psycopg.connect(url) as connection:
        explained = connection.execute(f"EXPLAIN (FORMAT JSON) {statement.sql}".encode(), statement.values).fetchone()
    assert explained is not None
    plan: dict[str, Any] = explained[0][0]
    return plan


@contextmanager
def _scans_before_commit(management: Management) -> Iterator[set[str]]:
    """Return the tables that transactions have scanned from end to end, by foreign keys and triggers too."""
    scanned: set[str] = set()

    def ask(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert driver is not None
        scanned.update(name for (name,) in driver.execute(_SCANNED).fetchall())

    event.listen(management.database.engine, "commit", ask)
    try:
        yield scanned
    finally:
        event.remove(management.database.engine, "commit", ask)


def _statements_of(management: Management, user: User, request: dict[str, Any]) -> list[Statement]:
    with captured_statements(management.database.engine) as statements:
        response = user.request(**request)
    assert response.status_code == 200, response.text
    return statements


@pytest.mark.parametrize("row", GET_ROWS, ids=str)
def test_no_growing_table_is_scanned(crowded: tuple[Management, User, Ids, str], row: Row) -> None:
    management, user, ids, url = crowded
    large = _large_tables(url)
    assert {"users", "flows", "screens", "events_default", "exposures", "devices", "activity_cells"} <= large
    statements = _statements_of(management, user, ids.request_of(row))
    for statement in statements:
        if not statement.sql.lstrip().startswith(("SELECT", "WITH")):
            continue
        plan = _plan_of(url, statement)
        scanned = _tables_scanned(plan)
        print(f"{plan['Execution Time']:9.2f} ms  {row}  {' '.join(statement.sql.split())[:100]}")  # noqa: T201 - for `make bench-queries`
        assert scanned & large == set(), statement.sql


@pytest.mark.parametrize("row", WRITE_ROWS, ids=str)
def test_writes_scan_no_growing_table(crowded: tuple[Management, User, Ids, str], row: Row) -> None:
    management, user, _, url = crowded
    large = _large_tables(url)
    # A project of its own: changes are made for good, and some of them once only.
    request = seed(management, user).request_of(row)
    if row.method == "POST":
        request["headers"] = {"Idempotency-Key": str(row)}
    started = time.perf_counter()
    with captured_statements(management.database.engine) as statements, _scans_before_commit(management) as scanned:
        response = user.request(**request)
    taken = (time.perf_counter() - started) * 1000
    assert response.status_code in {200, 201}, response.text
    print(f"{taken:9.2f} ms  {row}  {len(statements)} statements")  # noqa: T201 - for `make bench-queries`
    assert scanned & large == set()
    for statement in statements:
        if statement.sql.lstrip().startswith(_EXPLAINABLE):
            assert _tables_scanned(_plan_of_write(url, statement)) & large == set(), statement.sql


@pytest.mark.parametrize("row", LIST_ROWS, ids=str)
def test_number_of_queries_is_independent_of_the_length_of_a_list(
    crowded: tuple[Management, User, Ids, str], row: Row
) -> None:
    management, user, ids, _ = crowded
    request = ids.request_of(row)
    taken = []
    for limit in ("1", "100"):
        statements = _statements_of(management, user, {**request, "params": {**request["params"], "limit": limit}})
        taken.append(len(statements))
    assert taken[0] == taken[1] <= MOST_STATEMENTS
