"""The databases of the tests are reset; a database that cannot be reset is dropped."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support.databases.fresh_databases import FreshDatabases
from tests.support.databases.recycled_databases import RecycledDatabases

ADD_A_USER = "INSERT INTO users (id, issuer, subject) VALUES ('user_1', 'https://identity.test', 'alice')"


@pytest.fixture
def databases(postgresql_url: str, run_folder: Path) -> Iterator[RecycledDatabases]:
    """Return a pool of this test's own."""
    pool = RecycledDatabases(FreshDatabases(postgresql_url, run_folder))
    yield pool
    pool.close()


def execute(databases: RecycledDatabases, *statements: str) -> tuple[str, list[object]]:
    """Execute statements in a database of the pool; return its URL and the rows of the last statement."""
    with databases.database() as url, psycopg.connect(url, autocommit=True) as connection:
        for statement in statements[:-1]:
            connection.execute(statement.encode())
        return url, list(connection.execute(statements[-1].encode()))


def test_rows_sequences_and_seeded_rows_are_restored(databases: RecycledDatabases) -> None:
    look = """
        SELECT (SELECT count(*) FROM users), (SELECT jsonb_agg(to_jsonb(t)) FROM event_storage AS t),
               (SELECT sum(coalesce(pg_sequence_last_value(seqrelid), 0)) FROM pg_sequence)
    """
    url, before = execute(databases, look)
    change = ("SELECT nextval(seqrelid::regclass) FROM pg_sequence", "DELETE FROM event_storage", ADD_A_USER)
    assert execute(databases, *change, "SELECT count(*) FROM users") == (url, [(1,)])
    assert execute(databases, look) == (url, before)


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE left_over (id int)",
        "ALTER TABLE users ADD COLUMN left_over int",
        "DROP INDEX ix_members_user_id",
        f"{ADD_A_USER}; ANALYZE users",
    ],
)
def test_database_with_a_changed_schema_is_dropped(databases: RecycledDatabases, change: str) -> None:
    changed, _ = execute(databases, change, "SELECT 1")
    other, _ = execute(databases, "SELECT 1")
    assert other != changed


def test_open_connection_does_not_delay_the_next_test(databases: RecycledDatabases) -> None:
    with databases.database() as url:
        left = psycopg.connect(url)
        left.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
    assert execute(databases, "SELECT count(*) FROM users") == (url, [(0,)])
    left.close()
