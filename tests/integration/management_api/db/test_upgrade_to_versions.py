"""Every flow of release 0.2.0 gets version 1, while its processes go on writing. `SOAK_FLOWS` is their number."""

import itertools
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from pydantic import SecretStr
from sqlalchemy import func, select, text

from common.settings.shared import DatabaseSettings
from management_api.db import migrations
from management_api.db.engine import Database, allow_long_statements, make_engine
from management_api.db.migrate import migrate
from management_api.db.models.flow_history import FlowVersion
from management_api.db.models.flows import Flow
from tests.support.data.rows_of_0_2_0 import flows_with_other_rows
from tests.support.polling import eventually
from tests.support.soak import report, soak_setting

FLOWS = soak_setting("FLOWS", 5000, 100_000)
#: A writer may wait so long for a lock.
MAX_WAIT_SECONDS = 1.0
FILL = """
    INSERT INTO projects (id, name, platforms, public_key_sealed)
    SELECT 'proj_' || n, 'Project', '{ios}', '' FROM generate_series(0, %(flows)s::int / 50 - 1) n;
    INSERT INTO flows (id, project_id, name, rollout_buckets)
    SELECT 'flow_' || n, 'proj_' || n / 50, 'Flow ' || n, n %% 10001 FROM generate_series(0, %(flows)s - 1) n;
    INSERT INTO screens (id, flow_id, project_id, type, "order", content)
    SELECT 'screen_' || n, 'flow_' || n / 5, 'proj_' || n / 250, 'welcome', n %% 5,
        jsonb_build_object('title', 'Screen ' || n, 'text', repeat('x', 500))
    FROM generate_series(0, %(flows)s * 5 - 1) n;
"""

WRITES = (
    b"UPDATE flows SET status = 'active' WHERE id = %(flow)s",
    b"UPDATE screens SET updated_at = clock_timestamp() WHERE flow_id = %(flow)s",
    # Its id is anywhere among the others.
    b"INSERT INTO flows (id, project_id, name) VALUES (%(new)s, 'proj_0', 'New')",
    b"DELETE FROM flows WHERE id = %(new)s",
)


@pytest.fixture
def settings(empty_database_url: str) -> DatabaseSettings:
    """Return the settings of a database with the schema of release 0.2.0, and its flows."""
    settings = DatabaseSettings(database_url=SecretStr(empty_database_url))
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    engine = make_engine(settings)
    with engine.connect() as connection:
        config.attributes.update(connection=connection, on_revision=lambda _revision: None)
        command.upgrade(config, "0021")
        connection.commit()
    engine.dispose()
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        for statement in FILL.split(";\n"):
            if statement.strip():
                psycopg.ClientCursor(connection).execute(statement.encode(), {"flows": FLOWS})
        connection.execute("ANALYZE")
    return settings


class Writer:
    """Changes, adds and deletes flows and screens, one transaction each, and measures the longest."""

    def __init__(self, database_url: str) -> None:
        self.slowest = 0.0
        self.writes = 0
        self._url = database_url
        self._stop = threading.Event()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(self._write)
            try:
                eventually(lambda: self.writes)
                yield
            finally:
                self._stop.set()
            work.result()

    def _write(self) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            for number in itertools.count():
                if self._stop.is_set():
                    return
                names = {"flow": f"flow_{number * 7919 % FLOWS}", "new": f"flow_{number * 104_729 % FLOWS}x"}
                for statement in WRITES:
                    begun = time.monotonic()
                    connection.execute(statement, names)
                    self.slowest = max(self.slowest, time.monotonic() - begun)
                self.writes += 1


def count(database: Database) -> int:
    """Return the number of flows with a live version, all of which have the rows that release 0.2.0 reads."""
    with database.transaction() as session:
        allow_long_statements(session, minutes=5)
        is_live = (FlowVersion.flow_id == Flow.id) & (FlowVersion.number == Flow.live_version)
        found = select(func.count()).select_from(Flow).join(FlowVersion, is_live).where(Flow.document_bytes > 0)
        live = session.scalars(found).one()
        # The transaction is idle while 100,000 documents are compared.
        session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        assert flows_with_other_rows(session) == []
        return live


@pytest.mark.slow
@pytest.mark.timeout(240 + FLOWS / 100)
def test_flows_get_their_first_version_while_others_write(settings: DatabaseSettings) -> None:
    writer = Writer(settings.database_url.get_secret_value())
    ended = {"": time.monotonic()}
    with writer.at_work():
        migrate(settings, lambda revision: ended.update({revision: time.monotonic()}))
    database = Database(settings)
    try:
        assert count(database) == FLOWS
    finally:
        database.close()
    report(
        "versions of old flows",
        {
            "flows": FLOWS,
            "seconds of the versions": round(ended["0023"] - ended["0022a"], 1),
            "seconds of ids and bytes": round(ended["0038"] - ended["0035"], 1),
            "seconds of live versions": round(ended["0052"] - ended["0042"], 1),
            "writes meanwhile": writer.writes * len(WRITES),
            "longest write in seconds": round(writer.slowest, 3),
        },
    )
    assert writer.slowest < MAX_WAIT_SECONDS
