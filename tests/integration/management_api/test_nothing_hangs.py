"""A request ends soon also while PostgreSQL hangs or fails: with 503 and Retry-After."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import Result
from pydantic import SecretStr
from sqlalchemy import text

from common.errors import UnavailableError
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from tests.support.clients.management import Management, management_service
from tests.support.databases.locked_project import locked_project
from tests.support.databases.outages import database_outage
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

#: More than each bound below, less than the timeouts of clients.
SOON = 10.0


BOUNDS: dict[str, Any] = {
    "database_pool_timeout_ms": 500,
    "database_statement_timeout_ms": 2000,
    "database_lock_timeout_ms": 500,
}


@pytest.fixture
def hasty(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Return a service with one connection, whose bounds are short."""
    with management_service(
        database_url, master_key, tmp_path, **BOUNDS, database_pool_size=1, management_threads=1
    ) as service:
        yield service


@pytest.fixture
def hasty_pool(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Return a service with some connections, whose bounds are short."""
    with management_service(
        database_url, master_key, tmp_path, **BOUNDS, database_pool_size=4, management_threads=4
    ) as service:
        yield service


def assert_unavailable(response: Result) -> None:
    assert (response.status_code, response.json["code"], response.json["status"]) == (503, "UNAVAILABLE", 503)
    assert response.headers["retry-after"] == "1"
    assert response.json["error"] == "The database is not available, please try again"


def test_an_exhausted_pool_refuses_soon_and_recovers(hasty: Management) -> None:
    alice = hasty.user()
    alice.api_key()
    began = time.monotonic()
    with hasty.database.transaction() as session:
        session.execute(text("SELECT 1"))
        assert_unavailable(alice.get("/api/projects"))
    assert time.monotonic() - began < SOON
    assert alice.get("/api/projects").status_code == 200


def test_a_locked_project_refuses_changes_soon_and_reads_not_at_all(hasty: Management, database_url: str) -> None:
    alice = hasty.user()
    project_id = alice.create_project()["id"]
    with locked_project(database_url, project_id):
        began = time.monotonic()
        assert_unavailable(alice.put(f"/api/projects/{project_id}", {"name": "Waiting"}))
        assert time.monotonic() - began < SOON
        assert alice.get(f"/api/projects/{project_id}").status_code == 200
    assert alice.put(f"/api/projects/{project_id}", {"name": "Waiting"}).status_code == 200


def test_twins_that_wait_for_a_lock_are_refused_soon(hasty_pool: Management, database_url: str) -> None:
    alice = hasty_pool.user()
    project_id = alice.create_project()["id"]

    def create(_number: int = 0) -> Result:
        return alice.post("/api/flows", {"projectId": project_id, "name": "Twin"}, headers={"Idempotency-Key": "twins"})

    with locked_project(database_url, project_id), ThreadPoolExecutor(3) as pool:
        began = time.monotonic()
        for response in pool.map(create, range(3)):
            assert_unavailable(response)
        assert time.monotonic() - began < SOON
    assert create().status_code == 201


def test_requests_during_an_outage_are_503_soon(hasty: Management, database_url: str) -> None:
    alice = hasty.user()
    project_id = alice.create_project()["id"]
    with database_outage(database_url):
        began = time.monotonic()
        for response in (
            alice.get("/api/projects"),
            alice.put(f"/api/projects/{project_id}", {"name": "Away"}),
            alice.post("/api/projects", {"name": "Away"}, headers={"Idempotency-Key": "away"}),
            alice.delete(f"/api/projects/{project_id}"),
            hasty.anonymous().get("/health/ready"),
        ):
            assert_unavailable(response)
        assert hasty.anonymous().get("/health/live").status_code == 200
        assert time.monotonic() - began < SOON
    eventually(lambda: alice.get(f"/api/projects/{project_id}").status_code == 200)


def test_a_deadlock_is_an_outage_for_one_of_the_two(management: Management) -> None:
    alice = management.user()
    projects = [alice.create_project()["id"] for _number in range(2)]
    lock = text("SELECT 1 FROM projects WHERE id = :id FOR UPDATE")
    both_have_one = threading.Barrier(2)

    def cross(first: str, second: str) -> bool:
        try:
            with management.database.transaction() as session:
                session.execute(lock, {"id": first})
                both_have_one.wait(timeout=10)
                session.execute(lock, {"id": second})
        except UnavailableError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(cross, *projects), pool.submit(cross, *reversed(projects))]
        assert sorted(done.result() for done in both) == [False, True]


def test_connection_to_a_hanging_server_is_closed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        settings = DatabaseSettings(database_url=SecretStr(f"postgresql://nobody@127.0.0.1:{port}/none"))
        database = Database(settings)
        began = time.monotonic()
        with pytest.raises(UnavailableError), database.transaction() as session:
            session.execute(text("SELECT 1"))
        assert time.monotonic() - began < SOON
        database.close()


def test_a_defect_is_not_called_an_outage(management: Management) -> None:
    with pytest.raises(Exception, match="nonsense") as raised, management.database.transaction() as session:
        session.execute(text("SELECT nonsense"))
    assert not isinstance(raised.value, UnavailableError)
