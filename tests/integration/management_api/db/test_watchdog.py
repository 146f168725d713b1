"""A PostgreSQL that hangs does not hang its clients; one that only takes long keeps them."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from falcon.testing import Result
from pydantic import SecretStr
from sqlalchemy import func, select, text

from common.errors import UnavailableError
from common.settings.shared import DatabaseSettings
from management_api.db import watchdog
from management_api.db.engine import Database, allow_long_statements
from management_api.db.psycopg_connection import driver_connection
from tests.support.clients.management import Management, management_service
from tests.support.databases.outages import frozen_connections
from tests.support.databases.private_postgresql import own_postgresql
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

STATEMENT_MS = 500
MARGIN_SECONDS = 1.0
#: The statement's timeout, the margin, the interval between two checks, and a slow machine.
BOUND_SECONDS = 10.0
PROCESS = select(func.pg_backend_pid())


@pytest.fixture(autouse=True)
def _short_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "MARGIN_SECONDS", MARGIN_SECONDS)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    settings = DatabaseSettings(
        database_url=SecretStr(database_url), database_pool_size=1, database_statement_timeout_ms=STATEMENT_MS
    )
    database = Database(settings)
    yield database
    database.close()


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    with management_service(database_url, master_key, tmp_path, database_statement_timeout_ms=STATEMENT_MS) as service:
        yield service


def read_prepared(database: Database) -> None:
    with database.reading() as reading:
        reading.scalar(PROCESS)


def read_objects(database: Database) -> None:
    with database.reading() as session:
        session.execute(text("SELECT 1"))


def change(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("SELECT 1"))


def read_at_one_moment(database: Database) -> None:
    with database.repeatable_read() as session:
        session.execute(text("SELECT 1"))


@pytest.mark.parametrize("use", [read_prepared, read_objects, change, read_at_one_moment])
def test_hung_connection_of_the_pool_fails_in_time_and_is_replaced(
    database: Database, database_url: str, use: Callable[[Database], None]
) -> None:
    use(database)
    with frozen_connections(database_url):
        began = time.monotonic()
        with pytest.raises(UnavailableError):
            use(database)
        assert time.monotonic() - began < BOUND_SECONDS
        use(database)


def test_commit_that_hangs_is_unavailable(database: Database, database_url: str) -> None:
    def commit_while_frozen() -> None:
        with database.transaction() as session:
            session.execute(text("SELECT 1"))
            frozen.__enter__()

    frozen = frozen_connections(database_url)
    try:
        with pytest.raises(UnavailableError):
            commit_while_frozen()
    finally:
        frozen.__exit__(None, None, None)
    change(database)


def test_copy_that_hangs_is_unavailable(database: Database, database_url: str) -> None:
    def copy_while_frozen() -> None:
        with database.transaction() as session:
            driver = driver_connection(session)
            driver.execute("CREATE TEMPORARY TABLE numbers (number int) ON COMMIT DROP")
            with driver.cursor().copy("COPY numbers FROM STDIN") as copy, frozen_connections(database_url):
                copy.write_row([1])
                copy.__exit__(None, None, None)

    with pytest.raises(UnavailableError):
        copy_while_frozen()
    change(database)


def test_requests_to_a_hung_postgresql_are_answered_in_time(management: Management, database_url: str) -> None:
    user = management.user("ada")
    project = user.create_project()
    asks: list[Callable[[], Result]] = [
        lambda: user.get("/api/projects"),
        lambda: user.get(f"/api/projects/{project['id']}"),
        lambda: user.put(f"/api/projects/{project['id']}", {"name": "Renamed"}),
        lambda: user.post("/api/projects", {"name": "Another"}),
    ]
    with ThreadPoolExecutor(8) as threads:
        connections = [management.database.engine.connect() for _ in asks * 2]
        for connection in connections:
            connection.close()
        with frozen_connections(database_url):
            began = time.monotonic()
            results = list(threads.map(lambda ask: ask(), asks * 2))
            assert time.monotonic() - began < BOUND_SECONDS
        # A connection that hangs is replaced by one to a server process that runs.
        assert {result.status_code for result in results} <= {200, 201, 503}
        eventually(lambda: {ask().status_code for ask in asks} <= {200, 201})


def test_a_wholly_stopped_server_is_unavailable_and_found_again(tmp_path: Path) -> None:
    with own_postgresql(tmp_path) as server:
        database = Database(
            DatabaseSettings(database_url=SecretStr(server.url), database_statement_timeout_ms=STATEMENT_MS)
        )
        change(database)
        processes = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
        try:
            for process in processes:
                process.suspend()
            for _ in range(2):
                # The second one meets a server that takes no new connection either.
                with pytest.raises(UnavailableError):
                    change(database)
        finally:
            for process in processes:
                process.resume()
        change(database)
        database.close()


def test_many_short_statements_are_not_cut(database: Database) -> None:
    bound = STATEMENT_MS / 1000 + MARGIN_SECONDS
    deadline = time.monotonic() + 2 * bound
    with database.transaction() as session:
        while time.monotonic() < deadline:
            session.execute(text("SELECT pg_sleep(0.3)"))


def test_statement_that_was_allowed_to_take_long_is_not_cut(database: Database) -> None:
    with database.transaction() as session:
        allow_long_statements(session, minutes=1)
        driver_connection(session).execute("SELECT pg_sleep(3)")


def test_allowance_ends_with_its_transaction(database: Database, database_url: str) -> None:
    with database.transaction() as session:
        allow_long_statements(session, minutes=1)
    with frozen_connections(database_url):
        began = time.monotonic()
        with pytest.raises(UnavailableError):
            change(database)
        assert time.monotonic() - began < BOUND_SECONDS


def test_thread_ends_with_the_last_connection(database: Database) -> None:
    before = threading.active_count()
    change(database)
    database.close()
    eventually(lambda: threading.active_count() <= before)
