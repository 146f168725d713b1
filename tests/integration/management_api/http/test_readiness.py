"""Readiness is cheap, ends soon also while PostgreSQL hangs, and uses no connection of the pool."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from falcon.testing import Result
from sqlalchemy import event, text

from management_api.db import health as readiness
from tests.support.clients.management import Management
from tests.support.databases.outages import frozen_connections
from tests.support.polling import eventually


def ask(management: Management) -> Result:
    return management.anonymous().get("/health/ready")


def is_ready(management: Management) -> bool:
    return ask(management).status_code == 200


def test_frozen_postgresql_is_reported_down_and_up_again(management: Management, database_url: str) -> None:
    assert is_ready(management)
    with frozen_connections(database_url):
        eventually(lambda: not is_ready(management))
        # One query hangs: waits in turns of 20 requests would last 20 times as long.
        began = time.monotonic()
        with ThreadPoolExecutor(20) as pool:
            responses = list(pool.map(lambda _number: ask(management), range(400)))
        assert time.monotonic() - began < 10 * readiness.WAIT_SECONDS
        assert {response.json["code"] for response in responses} == {"UNAVAILABLE"}
        assert management.anonymous().get("/health/live").status_code == 200
    eventually(lambda: is_ready(management))


def test_readiness_needs_no_connection_of_the_pool(management: Management, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "FRESH_SECONDS", -1.0)
    connections = [management.database.engine.connect() for _ in range(16)]
    try:
        assert is_ready(management)
    finally:
        for connection in connections:
            connection.close()


def test_concurrent_readiness_requests_share_one_query(management: Management, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "FRESH_SECONDS", 60.0)
    statements: list[str] = []
    event.listen(
        management.database.probe_engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_rest: statements.append(statement),
    )
    with ThreadPoolExecutor(20) as pool:
        assert {response.status_code for response in pool.map(lambda _number: ask(management), range(50))} == {200}
    assert len(statements) == 1


def test_a_changed_schema_is_noticed(management: Management) -> None:
    assert is_ready(management)
    with management.database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    eventually(lambda: not is_ready(management))
    assert ask(management).json["error"] == readiness.SCHEMA_DIFFERS


def test_a_database_that_was_never_migrated_is_not_ready(management: Management) -> None:
    with management.database.transaction() as session:
        session.execute(text("DROP TABLE alembic_version"))
    assert ask(management).json["error"] == readiness.SCHEMA_DIFFERS
