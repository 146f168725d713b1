"""A database of release 0.2.0 with data gets the schema of this release, and nothing in it is lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import select, text

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.migrate import SchemaFit, migrate
from management_api.db.models.flow_history import FlowVersion
from management_api.db.models.flows import Flow
from management_api.event_consumer.store import BatchStore
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.db.schema_description import described
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.chores import run_chores
from tests.support.data.rows_of_0_2_0 import flows_with_other_rows

pytestmark = pytest.mark.slow

DUMP = Path(__file__).parent / "release_0_2_0.sql"
PROJECT = "proj_1"
#: 2026-11-20T12:00:00Z, when the newest event of the dump was received.
RECEIVED_MS = 1_795_176_000_000
#: Two tables of the preview 0.1.0, which release 0.2.0 no longer used, and the oldest release that the schema serves.
GONE = {"recent_event_ids_even", "recent_event_ids_odd"}
CHANGED = {"schema_compatibility", "alembic_version"}

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def settings(empty_database_url: str) -> DatabaseSettings:
    """Return the settings of a database that release 0.2.0 has filled."""
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(DUMP.read_bytes())
    return DatabaseSettings(database_url=SecretStr(empty_database_url))


@pytest.fixture
def database(settings: DatabaseSettings) -> Iterator[Database]:
    database = Database(settings)
    yield database
    database.close()


def contents(database: Database) -> Rows:
    query = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
    with database.transaction() as session:
        return {
            table: list(session.scalars(text(f"SELECT to_jsonb(t) FROM {table} AS t")))  # noqa: S608 - the names of tables
            for table in session.scalars(text(query)).all()
        }


def only(rows: list[dict[str, Any]], columns: set[str]) -> list[str]:
    """Return the rows with some of their columns, sorted."""
    return sorted(repr({name: row[name] for name in sorted(columns)}) for row in rows)


def test_upgraded_database_has_the_schema_of_a_new_one(
    settings: DatabaseSettings, database: Database, database_url: str
) -> None:
    assert migrate(settings) is SchemaFit.OWN
    new = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    with database.transaction() as upgraded, new.transaction() as empty:
        assert described(upgraded.connection()) == described(empty.connection())
    new.close()


def test_rows_of_release_0_2_0_survive_the_upgrade(settings: DatabaseSettings, database: Database) -> None:
    before = contents(database)
    migrate(settings)
    after = contents(database)
    assert before.keys() - after.keys() == GONE
    for table in before.keys() - GONE - CHANGED:
        columns = before[table][0].keys() & after[table][0].keys() if before[table] else set()
        assert only(after[table], columns) == only(before[table], columns), table
    assert all(before[table] for table in ("events", "flows", "screens", "experiments", "activity_cells", "event_ids"))


def test_flows_of_release_0_2_0_get_their_first_version(settings: DatabaseSettings, database: Database) -> None:
    migrate(settings)
    with database.transaction() as session:
        assert (
            session.execute(select(FlowVersion.number, Flow.live_version).join_from(Flow, FlowVersion)).all()
            == [(1, 1)] * 2
        )
        assert flows_with_other_rows(session) == []


def test_statistics_of_release_0_2_0_agree_with_its_events(settings: DatabaseSettings, database: Database) -> None:
    migrate(settings)
    # A round completes the erasure that a process of release 0.2.0 has left.
    run_chores(database, keep_days=100_000)
    assert rebuild_project(database, PROJECT, repair=False) == []
    with database.transaction() as session:
        assert session.scalars(text("SELECT DISTINCT device_id FROM events ORDER BY 1")).all() == [
            "phone_0", "phone_1", "phone_2", "phone_3", "phone_4",
        ]  # fmt: skip


def test_events_that_release_0_2_0_has_stored_are_repeated(settings: DatabaseSettings, database: Database) -> None:
    migrate(settings)
    events = [
        an_event(PROJECT, event_id=event_id, received_at_ms=RECEIVED_MS) for event_id in ("evt_1", "evt_39", "new")
    ]
    with database.transaction() as session:
        before = set(session.scalars(text("SELECT event_id FROM events")))
    BatchStore(database).store(entries_of(events))
    with database.transaction() as session:
        assert set(session.scalars(text("SELECT event_id FROM events"))) - before == {"new"}
