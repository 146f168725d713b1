"""While PostgreSQL works, so does whoever asked it, if there is anything to do; what PostgreSQL says stays the same."""

import threading
from collections.abc import Iterator
from itertools import count

import psycopg
import pytest
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.database.driver import driver_cursor
from management_api.database.transactions import Database
from management_api.database.work_while_waiting import working_while_waiting


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Give a database."""
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    yield database
    database.close()


def test_steps_are_taken_until_the_reply_is_there(database: Database) -> None:
    steps = count()
    with working_while_waiting(steps), database.transaction() as session, driver_cursor(session) as cursor:
        cursor.execute("SELECT pg_sleep(0.1), 7")
        assert cursor.fetchall() == [("", 7)]
    assert next(steps) > 10


def test_work_that_ends_before_the_reply_is_there_changes_nothing(database: Database) -> None:
    steps = iter(range(3))
    with working_while_waiting(steps), database.transaction() as session, driver_cursor(session) as cursor:
        cursor.execute("SELECT pg_sleep(0.1), 7")
        assert cursor.fetchall() == [("", 7)]
    assert not list(steps)


def test_work_is_done_while_rows_are_copied_and_while_all_is_committed(database: Database) -> None:
    steps = count()
    with working_while_waiting(steps):
        with database.transaction() as session, driver_cursor(session) as cursor:
            cursor.execute("CREATE TABLE copied (number bigint)")
            with cursor.copy("COPY copied FROM STDIN") as copy:
                for number in range(20_000):
                    copy.write_row((number,))
            cursor.execute("SELECT count(*), sum(number) FROM copied")
            assert cursor.fetchone() == (20_000, 199_990_000)
            before_the_commit = next(steps)
        assert 0 < before_the_commit < next(steps)


def test_nothing_is_done_for_what_is_asked_behind_the_block_or_by_another_thread(database: Database) -> None:
    steps = count()

    def ask() -> None:
        with database.transaction() as session, driver_cursor(session) as cursor:
            cursor.execute("SELECT pg_sleep(0.01)")

    with working_while_waiting(steps):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    ask()
    assert next(steps) == 0


def test_an_error_of_postgresql_stays_what_it_is(database: Database) -> None:
    with (
        pytest.raises(psycopg.errors.DivisionByZero),
        working_while_waiting(count()),
        database.transaction() as session,
        driver_cursor(session) as cursor,
    ):
        cursor.execute("SELECT 1 / 0 FROM pg_sleep(0.01)")
    with database.transaction() as session, driver_cursor(session) as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchall() == [(1,)]
