"""Behind a pooler in transaction mode: nothing outlives a transaction, so any connection to PostgreSQL will do."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from pydantic import SecretStr, ValidationError
from sqlalchemy import Engine, event, text

from common.errors import UnavailableError
from common.settings.shared import DatabaseSettings, DirectDatabaseSettings
from deploy.local.loopback_ports import LOOPBACK, free_port
from management_api.db.engine import Database
from management_api.db.models.projects import Role
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.stream_records import an_event, an_exposure, entries_of
from tests.support.chores import run_chores
from tests.support.clients.management import Management, data_of, management_service
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

#: `make programs` unpacks it, and its libraries, into the environment.
_VENV = Path(sys.prefix)
PGBOUNCER = shutil.which("pgbouncer", path=os.pathsep.join((str(_VENV / "bin"), os.environ["PATH"], "/usr/sbin")))

#: The session state of a connection: kind and name.
SESSION_STATE = b"""
    SELECT 'prepared statement', name FROM pg_prepared_statements
    UNION ALL SELECT 'advisory lock', objid::text FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
    UNION ALL SELECT 'channel', pg_listening_channels()
    UNION ALL SELECT 'cursor', name FROM pg_cursors
    UNION ALL SELECT 'temporary table', relname::text FROM pg_class WHERE relpersistence = 't' AND relkind = 'r'
    UNION ALL SELECT 'setting', name || '=' || setting FROM pg_settings
        WHERE source = 'session' AND name <> 'transaction_isolation'
"""


def use_everything(management: Management) -> None:
    """Use the main endpoints, often enough for psycopg to prepare the statements."""
    owner = management.user("owner")
    project = owner.create_project()
    project_id = project["id"]
    management.member("editor", project_id, Role.EDITOR)
    flow = {"projectId": project_id, "name": "Welcome", "status": "active", "screens": [{"type": "welcome"}]}
    for number in range(8):
        headers = {"Idempotency-Key": f"flow {number}"}
        flow_id = data_of(owner.post("/api/flows", flow, headers=headers), 201)["id"]
        assert owner.post("/api/flows", flow, headers=headers).status_code == 201
        assert owner.put(f"/api/flows/{flow_id}", {"name": f"Number {number}"}).status_code == 200
        for path in ("flows", "analytics", "analytics/events"):
            assert owner.get(f"/api/{path}", params={"projectId": project_id}).status_code == 200
        assert owner.get(f"/api/projects/{project_id}/stats").status_code == 200
    store = BatchStore(management.database)
    for _ in range(8):
        store.store(entries_of([an_event(project_id, device_id=f"phone-{n}") for n in range(20)]))
        store.store(entries_of([an_exposure(project_id, device_id=f"phone-{n}") for n in range(20)]))
        Aggregator(management.database).count_all()
        run_chores(management.database)
    assert rebuild_project(management.database, project_id, repair=True) == []
    assert owner.delete(f"/api/projects/{project_id}/devices/phone-1").status_code == 200
    assert owner.delete(f"/api/projects/{project_id}").status_code == 200


def test_nothing_is_left_in_a_session_when_its_transaction_has_ended(
    database_url: str, master_key: str, tmp_path: Path
) -> None:
    found: list[Any] = []
    with management_service(database_url, master_key, tmp_path, database_pooler="transaction") as management:
        backend_pids = watch_sessions(management.database.engine, found)
        use_everything(management)
    assert found == []
    assert len(backend_pids) > 100


def test_session_watch_finds_settings_locks_and_channels(database_url: str) -> None:
    found: list[Any] = []
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    watch_sessions(database.engine, found)
    with database.reading() as session:
        session.execute(text("SET lock_timeout = 77"))
        session.execute(text("SELECT pg_advisory_lock(77)"))
        session.execute(text("LISTEN something"))
    database.close()
    assert {("setting", "lock_timeout=77"), ("advisory lock", "77"), ("channel", "something")} <= set(found)


def watch_sessions(engine: Engine, found: list[Any]) -> list[int]:
    """Add the session state of each returned connection to `found`; return the list of backend process ids."""
    backend_pids: list[int] = []

    def record(connection: psycopg.Connection[Any] | None, _entry: object) -> None:
        if connection is not None and not connection.closed:
            backend_pids.append(connection.info.backend_pid)
            found.extend(connection.execute(SESSION_STATE, prepare=False))
            connection.rollback()

    event.listen(engine, "checkin", record)
    return backend_pids


def test_bounds_hold_for_reads_and_changes_alike(database_url: str) -> None:
    settings = DatabaseSettings(
        database_url=SecretStr(database_url), database_pooler="transaction", database_statement_timeout_ms=100
    )
    database = Database(settings)
    for opened in (database.transaction, database.repeatable_read, database.reading):
        with opened() as session:
            assert session.scalar(text("SHOW timezone")) == "UTC"
            assert session.scalar(text("SHOW lock_timeout")) == "5s"
        with pytest.raises(UnavailableError), opened() as session:
            session.execute(text("SELECT pg_sleep(20)"))
    database.close()


def test_processes_that_need_a_session_reject_a_pooler() -> None:
    given = {"database_url": "postgresql://nowhere/none", "database_pooler": "transaction"}
    with pytest.raises(ValidationError, match="needs PostgreSQL itself"):
        DirectDatabaseSettings.model_validate(given)
    assert ConsumerSettings.model_validate({**given, "redis_url": "redis://nowhere"}).database_pooler == "transaction"


@pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")
def test_everything_works_through_pgbouncer(database_url: str, master_key: str, tmp_path: Path) -> None:
    with (
        pgbouncer(database_url, tmp_path) as url,
        management_service(url, master_key, tmp_path, database_pooler="transaction") as management,
    ):
        use_everything(management)
        assert management.anonymous().get("/health/ready").status_code == 200


@contextmanager
def pgbouncer(database_url: str, folder: Path) -> Iterator[str]:
    """Run the pooler with fewer connections to PostgreSQL than clients; yield its URL."""
    server, port = urlsplit(database_url), free_port()
    database = server.path.removeprefix("/")
    configuration = folder / "pgbouncer.ini"
    configuration.write_text(
        f"[databases]\n{database} = host={server.hostname} port={server.port} user={server.username}"
        f" password={server.password}\n"
        f"[pgbouncer]\nlisten_addr = {LOOPBACK}\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"pool_mode = transaction\ndefault_pool_size = 5\nserver_round_robin = 1\n"
    )
    assert PGBOUNCER is not None
    command = [PGBOUNCER, *(["-u", "nobody"] if os.geteuid() == 0 else []), str(configuration)]
    with (folder / "pgbouncer.log").open("ab") as log:
        environment = {**os.environ, "LD_LIBRARY_PATH": str(_VENV / "lib")}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)  # noqa: S603 - as we have written it
    url = f"postgresql://anyone@{LOOPBACK}:{port}/{database}"
    try:
        eventually(lambda: _answers(url), within=20)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
