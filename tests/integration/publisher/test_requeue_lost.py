"""What Redis has confirmed and lost again, as a failover does, is published again; nothing else is."""

import pytest
import redis
from pydantic import SecretStr

from common.wire.redis_keys import snapshot_key
from management_api.db.engine import Database
from publisher.settings import PublisherSettings
from tests.integration.publisher.published import announcements, revisions, stored_snapshot
from tests.integration.publisher.test_running_publisher import add_waiting_project, change, running
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer


@pytest.fixture
def own_settings(settings: PublisherSettings, private_redis_server: RunningServer) -> PublisherSettings:
    """Return settings for a Redis of the test; a restart begins a new replication history, as a failover does."""
    return settings.model_copy(update={"redis_url": SecretStr(private_redis_server.url)})


def test_revision_lost_by_redis_is_published_again_and_others_stay(
    own_settings: PublisherSettings, database: Database, private_redis_server: RunningServer
) -> None:
    lost, kept, gone = (add_waiting_project(database) for _ in range(3))
    with redis.Redis.from_url(private_redis_server.url) as client, running(own_settings):
        eventually(lambda: all(revisions(database, one) == (1, 1) for one in (lost, kept, gone)))
        before = client.hgetall(snapshot_key(lost))
        change(database, lost, "Renamed")
        eventually(lambda: revisions(database, lost) == (2, 2))
        client.hset(snapshot_key(lost), mapping=before)
        client.delete(snapshot_key(gone))
        announced = len(announcements(client))
        private_redis_server.kill()
        private_redis_server.start()
        eventually(lambda: stored_snapshot(client, lost).revision == 2)
        eventually(lambda: stored_snapshot(client, gone).revision == 1)
        eventually(lambda: revisions(database, lost) == (2, 2))
        assert {project_id for project_id, _, _ in announcements(client)[announced:]} == {lost, gone}


def test_starting_publisher_finds_revisions_lost_before(
    own_settings: PublisherSettings, database: Database, private_redis_server: RunningServer
) -> None:
    project_id = add_waiting_project(database)
    with redis.Redis.from_url(private_redis_server.url) as client:
        with running(own_settings):
            eventually(lambda: revisions(database, project_id) == (1, 1))
        client.delete(snapshot_key(project_id))
        with running(own_settings):
            eventually(lambda: stored_snapshot(client, project_id).revision == 1)
