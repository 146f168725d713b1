"""Redis belongs to one database: a publisher of another one leaves its snapshots unchanged."""

from pathlib import Path

import pytest
import redis
from pydantic import SecretStr
from sqlalchemy import text

from common.wire.redis_keys import INSTALLATION
from management_api.db.engine import Database
from management_api.db.models.installation import installation_id
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from publisher.snapshot_store import ForeignRedisError, SnapshotStore
from tests.integration.publisher.published import announcements, revisions, stored_body, stored_snapshot
from tests.integration.publisher.test_running_publisher import add_waiting_project, running
from tests.support.data.snapshots import a_snapshot
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer


@pytest.fixture
def foreign_redis(redis_client: redis.Redis) -> redis.Redis:
    """Return a Redis with a snapshot of another database."""
    redis_client.set(INSTALLATION, "0" * 32)
    SnapshotStore(redis_client).write([a_snapshot(project_id="proj_foreign", revision=7)])
    return redis_client


def own_id(database: Database) -> str:
    """Return the id of the test's database."""
    with database.reading() as session:
        return installation_id(session)


def test_publisher_leaves_the_redis_of_another_database_unchanged(
    settings: PublisherSettings, database: Database, foreign_redis: redis.Redis
) -> None:
    before = announcements(foreign_redis)
    project_id = add_waiting_project(database)
    with running(settings) as publisher:
        eventually(lambda: not publisher.metrics.is_healthy)
        assert (publisher.metrics.outages, announcements(foreign_redis)) == (0, before)
        assert (revisions(database, project_id), stored_body(foreign_redis, project_id)) == ((1, 0), None)
        # As after the settings of the other installation were corrected.
        foreign_redis.flushall()
        eventually(lambda: publisher.metrics.is_healthy)
        eventually(lambda: revisions(database, project_id) == (1, 1))
    assert foreign_redis.get(INSTALLATION) == own_id(database).encode()


def test_rebuild_takes_the_redis_of_another_database_only_when_told_to(
    settings: PublisherSettings, database: Database, foreign_redis: redis.Redis, assets_folder: Path
) -> None:
    project_id = add_waiting_project(database)
    with pytest.raises(ForeignRedisError):
        rebuild_all(settings, lambda _done, _total: None, assets_folder)
    assert not stored_snapshot(foreign_redis, "proj_foreign").deleted
    assert revisions(database, project_id) == (1, 0)
    assert rebuild_all(settings, lambda _done, _total: None, assets_folder, adopt_redis=True) == 1
    assert stored_snapshot(foreign_redis, "proj_foreign").deleted
    assert foreign_redis.get(INSTALLATION) == own_id(database).encode()


def test_redis_without_an_id_is_taken_as_after_an_upgrade(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    add_waiting_project(database)
    assert rebuild_all(settings, lambda _done, _total: None, assets_folder) == 1
    redis_client.delete(INSTALLATION)
    with running(settings):
        eventually(lambda: redis_client.get(INSTALLATION) == own_id(database).encode())


def test_publisher_with_the_users_of_the_release_before_publishes_without_ids(
    settings: PublisherSettings, database: Database, private_redis_server: RunningServer, assets_folder: Path
) -> None:
    add_waiting_project(database)
    with redis.Redis.from_url(private_redis_server.url) as client:
        selectors = ["~onboarding:snapshot*", "~onboarding:changes", "~onboarding:page-asset*"]
        client.execute_command("ACL", "SETUSER", "default", "resetkeys", *selectors)
        own = settings.model_copy(update={"redis_url": SecretStr(private_redis_server.url)})
        assert rebuild_all(own, lambda _done, _total: None, assets_folder) == 1


def test_migrated_database_has_one_id(database: Database) -> None:
    with database.transaction() as session:
        [found] = session.scalars(text("SELECT id FROM installation")).all()
    assert len(bytes.fromhex(found)) == 16
