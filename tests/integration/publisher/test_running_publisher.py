"""A publisher that runs: it wakes up, outlives outages, and shares the work with another one."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr
from sqlalchemy import update

from common.process import ShutdownSignal
from common.telemetry.tracing import NoSpans
from common.version import VERSION
from common.wire.redis_keys import SNAPSHOT_FORMAT, snapshot_key
from common.wire.snapshot import CONTENT_VERSION
from management_api.db import watchdog
from management_api.db.engine import Database
from management_api.db.migrate import migrate
from management_api.db.models.outbox import request_publication
from management_api.db.models.projects import Project
from publisher.assets import PageAssetPublisher
from publisher.main import Publisher
from publisher.settings import PublisherSettings
from publisher.snapshot_store import SnapshotStore, connect
from tests.integration.publisher.published import revisions, stored_snapshot
from tests.support.background import in_background
from tests.support.data.rows import add_project
from tests.support.databases.outages import frozen_connections
from tests.support.polling import eventually


@contextmanager
def running(
    settings: PublisherSettings,
    assets_folder: Path = Path("/nonexistent"),
    release: str = VERSION,
    *,
    poll_seconds: float = 0.2,
) -> Iterator[Publisher]:
    """Run a publisher of its own beside the block."""
    database = Database(settings)
    client = connect(settings.redis_url.get_secret_value())
    assets = PageAssetPublisher(client, assets_folder, release)
    store = SnapshotStore(client)
    # Claims of the dead lapse soon.
    publisher = Publisher(settings, database, store, assets, NoSpans(), claim_seconds=0.2, poll_seconds=poll_seconds)
    try:
        with in_background(ShutdownSignal(), publisher.run_until):
            yield publisher
    finally:
        client.close()
        database.close()


def change(database: Database, project_id: str, name: str) -> None:
    """Rename a project as the management service would."""
    with database.transaction() as session:
        session.execute(update(Project).where(Project.id == project_id).values(name=name))
        request_publication(session, project_id)


def add_waiting_project(database: Database) -> str:
    """Add a project that waits for its first publication."""
    with database.transaction() as session:
        return add_project(session).id


def published_name(client: redis.Redis, project_id: str) -> bytes:
    """Return the start of the configuration, where the name is."""
    return stored_snapshot(client, project_id).config.body.split(b'"settings"')[0]


def test_notification_wakes_the_publisher_before_the_poll(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis
) -> None:
    project_id = add_waiting_project(database)
    with running(settings, poll_seconds=60.0):
        eventually(lambda: revisions(database, project_id) == (1, 1))
        change(database, project_id, "Renamed")
        eventually(lambda: b"Renamed" in published_name(redis_client, project_id), within=20)


def test_snapshots_that_redis_has_lost_are_restored(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis
) -> None:
    project_id = add_waiting_project(database)
    with running(settings):
        eventually(lambda: revisions(database, project_id) == (1, 1))
        before = stored_snapshot(redis_client, project_id)
        redis_client.flushall()
        eventually(lambda: redis_client.exists(snapshot_key(project_id)))
        assert stored_snapshot(redis_client, project_id) == before


def test_snapshots_of_another_format_are_replaced_at_the_start(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis
) -> None:
    project_id = add_waiting_project(database)
    with running(settings):
        eventually(lambda: revisions(database, project_id) == (1, 1))
    redis_client.set(SNAPSHOT_FORMAT, "0")
    redis_client.hset(snapshot_key(project_id), "body", b"\x00 of an older release")
    with running(settings):
        eventually(lambda: redis_client.get(SNAPSHOT_FORMAT) == str(CONTENT_VERSION).encode())
        assert stored_snapshot(redis_client, project_id).revision == 1


def test_hung_connections_are_replaced(
    settings: PublisherSettings,
    database: Database,
    database_url: str,
    redis_client: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog, "MARGIN_SECONDS", 1.0)
    project_id = add_waiting_project(database)
    with running(settings.model_copy(update={"database_statement_timeout_ms": 1000})) as publisher:
        eventually(lambda: revisions(database, project_id) == (1, 1))
        with frozen_connections(database_url), closing(Database(settings)) as unfrozen:
            change(unfrozen, project_id, "During the hang")
            eventually(lambda: b"During the hang" in published_name(redis_client, project_id))
        eventually(lambda: publisher.metrics.is_healthy)


def test_process_waits_for_the_schema(settings: PublisherSettings, empty_database_url: str) -> None:
    not_migrated = settings.model_copy(update={"database_url": SecretStr(empty_database_url)})
    with running(not_migrated):
        database = Database(not_migrated)
        migrate(not_migrated)
        project_id = add_waiting_project(database)
        eventually(lambda: revisions(database, project_id) == (1, 1))
        database.close()
