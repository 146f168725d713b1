"""Connections that the server closed are never handed out, and what runs past SQLAlchemy fails like all the rest."""

from collections.abc import Iterator
from typing import Literal

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import bindparam, func, select

from common.errors import UnavailableError
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.prepared import Prepared

ZONE = Prepared(select(func.current_setting("TimeZone")))
PROCESS = Prepared(select(func.pg_backend_pid()))
SLEEP = Prepared(select(func.pg_sleep(bindparam("seconds"))))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Give a database with one connection and little patience."""
    settings = DatabaseSettings(
        database_url=SecretStr(database_url), database_pool_size=1, database_statement_timeout_ms=100
    )
    database = Database(settings)
    yield database
    database.close()


def process_of(database: Database) -> int:
    """Give the server's process behind the one connection."""
    with database.reading() as session:
        [(process,)] = PROCESS.rows(session)
    return int(process)


def read_from_what_the_server_closes(database: Database, database_url: str) -> None:
    with database.reading() as session, psycopg.connect(database_url, autocommit=True) as other:
        process = PROCESS.rows(session)[0][0]
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
        PROCESS.rows(session)


def test_an_idle_connection_is_used_again(database: Database) -> None:
    assert process_of(database) == process_of(database)


def test_a_connection_that_the_server_closed_is_replaced_without_an_error(
    database: Database, database_url: str
) -> None:
    closed = process_of(database)
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [closed])
    assert process_of(database) != closed


def test_a_connection_that_breaks_while_it_is_lent_is_an_outage_and_replaced(
    database: Database, database_url: str
) -> None:
    broken = process_of(database)
    with pytest.raises(UnavailableError):
        read_from_what_the_server_closes(database, database_url)
    assert process_of(database) != broken


def test_a_prepared_statement_that_takes_too_long_is_an_outage_and_spoils_nothing(database: Database) -> None:
    with pytest.raises(UnavailableError), database.reading() as session:
        SLEEP.rows(session, {"seconds": 30})
    assert process_of(database)


@pytest.mark.parametrize("pooler", ["none", "transaction"])
def test_days_are_told_in_utc_whatever_the_environment_says(
    database_url: str, monkeypatch: pytest.MonkeyPatch, pooler: Literal["none", "transaction"]
) -> None:
    monkeypatch.setenv("PGTZ", "Pacific/Kiritimati")
    settings = DatabaseSettings(database_url=SecretStr(database_url), database_pooler=pooler)
    database = Database(settings)
    try:
        with database.reading() as reading, database.transaction() as session:
            assert (ZONE.rows(reading), ZONE.rows(session)) == ([("UTC",)], [("UTC",)])
    finally:
        database.close()
