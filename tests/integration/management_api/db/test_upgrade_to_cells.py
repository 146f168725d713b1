"""Events from before partitions and cells survive the upgrade, and are counted."""

from collections.abc import Iterator

import pytest
from alembic import command
from alembic.config import Config
from pydantic import SecretStr
from sqlalchemy import text

from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from management_api.db import migrations
from management_api.db.engine import Database, make_engine
from management_api.db.migrate import migrate
from management_api.event_consumer.store import BatchStore
from management_api.rollups.maintenance import Maintenance
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.stored_tables import count, expected_rollups, rollups_of
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of

PROJECT = "proj_old"
#: Of the days up to now, as release 0005 stored them.
OLD_ROWS = (
    "INSERT INTO projects (id, name, platforms, public_key_sealed) VALUES ('proj_old', 'Old', '{ios}', '')",
    """
    INSERT INTO events (project_id, event_id, event_type, device_id, flow_id, screen_id, occurred_at, received_at)
    SELECT 'proj_old', 'evt_' || n, (ARRAY['flow_started', 'screen_viewed', 'flow_completed'])[1 + n % 3],
        'device_' || n % 40, 'flow_' || n % 2, 'screen_' || n % 5, moment, moment
    FROM generate_series(1, 500) n,
        LATERAL (SELECT date_trunc('milliseconds', now()) - n * interval '1 hour' AS moment) AS past
    """,
    """
    INSERT INTO exposures (project_id, device_id, flow_id, exposed_at)
    SELECT project_id, device_id, flow_id, min(occurred_at) FROM events GROUP BY 1, 2, 3
    """,
    "INSERT INTO devices SELECT project_id, device_id, min(occurred_at) FROM events GROUP BY 1, 2",
)


@pytest.fixture
def database(empty_database_url: str) -> Iterator[Database]:
    """Return a database that was filled by the release before."""
    settings = DatabaseSettings(database_url=SecretStr(empty_database_url))
    database = Database(settings)
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    engine = make_engine(settings)
    with engine.connect() as connection:
        config.attributes.update(connection=connection, on_revision=lambda _revision: None)
        command.upgrade(config, "0005")
        for statement in OLD_ROWS:
            connection.execute(text(statement))
        connection.commit()
    engine.dispose()
    migrate(settings)
    yield database
    database.close()


def test_rows_of_the_release_before_are_kept_counted_and_known(database: Database) -> None:
    Maintenance(database, keep_days=400).round(is_large=True)
    with database.transaction() as session:
        assert [count(session, table) for table in ("events", "events_before_partitions", "exposures")] == [
            500,
            500,
            40,
        ]
        assert rollups_of(session) == expected_rollups(session)
    assert rebuild_project(database, PROJECT, repair=False) == []
    now_ms = int(utc_now().timestamp() * 1000)
    repeated = [an_event(PROJECT, event_id=f"evt_{number}", received_at_ms=now_ms) for number in (1, 100, 501)]
    BatchStore(database).store(entries_of(repeated))
    with database.transaction() as session:
        assert count(session, "events") == 501
        assert session.scalar(text("SELECT devices FROM project_totals")) == 41
