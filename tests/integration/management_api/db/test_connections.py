"""Connections that the server closed are never handed out, and what runs past SQLAlchemy fails like all the rest."""

from collections.abc import Iterator
from typing import Literal

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import func, select

from common.errors import UnavailableError
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database

ZONE = select(func.current_setting("TimeZone"))
PROCESS = select(func.pg_backend_pid())
SLEEP = select(func.pg_sleep(30))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    settings = DatabaseSettings(
        database_url=SecretStr(database_url), database_pool_size=1, database_statement_timeout_ms=100
    )
    database = Database(settings)
    yield database
    database.close()


def process_of(database: Database) -> int:
    with database.reading() as session:
        process: int = session.execute(PROCESS).scalar_one()
    return process


def read_from_what_the_server_closes(database: Database, database_url: str) -> None:
    with database.reading() as session, psycopg.connect(database_url, autocommit=True) as other:
        process = session.scalar(PROCESS)
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
        session.scalar(PROCESS)


def test_an_idle_connection_is_used_again(database: Database) -> None:
    assert process_of(database) == process_of(database)


def test_a_connection_that_the_server_closed_is_replaced_without_an_error(
    database: Database, database_url: str
) -> None:
    closed = process_of(database)
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [closed])
    assert process_of(database) != closed


def test_connection_broken_during_use_is_an_outage_and_is_replaced(database: Database, database_url: str) -> None:
    broken = process_of(database)
    with pytest.raises(UnavailableError):
        read_from_what_the_server_closes(database, database_url)
    assert process_of(database) != broken


def test_a_statement_that_takes_too_long_is_an_outage_and_spoils_nothing(database: Database) -> None:
    with pytest.raises(UnavailableError), database.reading() as session:
        session.execute(SLEEP)
    assert process_of(database)


@pytest.mark.parametrize("pooler", ["none", "transaction"])
def test_session_time_zone_is_utc_despite_the_environment(
    database_url: str, monkeypatch: pytest.MonkeyPatch, pooler: Literal["none", "transaction"]
) -> None:
    monkeypatch.setenv("PGTZ", "Pacific/Kiritimati")
    settings = DatabaseSettings(database_url=SecretStr(database_url), database_pooler=pooler)
    database = Database(settings)
    try:
        with database.reading() as reading, database.transaction() as session:
            assert (reading.scalar(ZONE), session.scalar(ZONE)) == ("UTC", "UTC")
    finally:
        database.close()
