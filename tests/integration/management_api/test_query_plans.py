"""No request scans a table that grows with users or events, and a list costs the same queries whatever it shows.

`make plans` runs this on the size that it is meant for, and prints how long each statement takes.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.contract.rows_of_interface import Ids, Row, furnish, rows
from tests.fresh_databases import FreshDatabases
from tests.integration.management_api.crowded_database import crowd
from tests.management import Management, User, management_service
from tests.statement_capture import Statement, captured_statements

PROJECTS = int(os.environ.get("PLANS_PROJECTS", "60"))
EVENTS_OF_EACH = int(os.environ.get("PLANS_EVENTS_OF_EACH", "400"))

#: A table of so many pages is one that PostgreSQL has reason not to scan.
LARGE_PAGES = 20

GET_ROWS = [row for row in rows() if row.method == "GET"]
LIST_ROWS = [row for row in GET_ROWS if row.is_list]
MOST_STATEMENTS = 6


@pytest.fixture(scope="module")
def crowded(
    postgresql_url: str, run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Management, User, Ids, str]]:
    """Give a service with a crowd, a user of it, the ids of that user's project, and the database."""
    folder = tmp_path_factory.mktemp("identity")
    with (
        FreshDatabases(postgresql_url, run_folder).migrated() as url,
        management_service(url, "A" * 43 + "=", folder) as management,
    ):
        user = management.user("owner")
        ids = furnish(management, user)
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


def _statements_of(management: Management, user: User, request: dict[str, Any]) -> tuple[list[Statement], Any]:
    with captured_statements(management.database.engine) as statements:
        answer = user.request(**request)
    assert answer.status_code == 200, answer.text
    return statements, answer.json


@pytest.mark.parametrize("row", GET_ROWS, ids=str)
def test_nothing_that_grows_is_scanned(crowded: tuple[Management, User, Ids, str], row: Row) -> None:
    management, user, ids, url = crowded
    large = _large_tables(url)
    assert {"users", "flows", "screens", "events", "exposures", "devices", "daily_activity", "flow_journeys"} <= large
    statements, _ = _statements_of(management, user, ids.request_of(row))
    for statement in statements:
        if not statement.sql.lstrip().startswith(("SELECT", "WITH")):
            continue
        plan = _plan_of(url, statement)
        scanned = {node["Relation Name"] for node in _nodes(plan["Plan"]) if node["Node Type"] == "Seq Scan"}
        print(f"{plan['Execution Time']:9.2f} ms  {row}  {' '.join(statement.sql.split())[:100]}")  # noqa: T201 - for `make plans`
        assert scanned & large == set(), statement.sql


@pytest.mark.parametrize("row", LIST_ROWS, ids=str)
def test_a_list_takes_the_same_queries_however_long_it_is(crowded: tuple[Management, User, Ids, str], row: Row) -> None:
    management, user, ids, _ = crowded
    request = ids.request_of(row)
    taken = []
    for limit in ("1", "100"):
        statements, _ = _statements_of(management, user, {**request, "params": {**request["params"], "limit": limit}})
        taken.append(len(statements))
    assert taken[0] == taken[1] <= MOST_STATEMENTS
