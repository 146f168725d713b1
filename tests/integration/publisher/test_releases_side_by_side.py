"""Publishers of two releases at once: the older one leaves Redis to the newer, until it is told to take it back."""

from pathlib import Path
from typing import Any

import redis

from common.wire.redis_keys import SNAPSHOT_FORMAT
from common.wire.snapshot import CONTENT_VERSION
from management_api.db.engine import Database
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from tests.integration.publisher.published import revisions, stored_body
from tests.integration.publisher.test_running_publisher import add_waiting_project, change, running
from tests.support.polling import eventually


def looks_of(client: redis.Redis) -> int:
    """Return the number of GET commands at Redis: publishers send one in each round."""
    statistics: Any = client.info("commandstats")
    return int(statistics.get("cmdstat_get", {"calls": 0})["calls"])


def test_an_older_publisher_yields_until_its_release_publishes_everything(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    redis_client.set(SNAPSHOT_FORMAT, f"{CONTENT_VERSION + 1} begun")
    project_id = add_waiting_project(database)
    with running(settings):
        enough = looks_of(redis_client) + 4
        eventually(lambda: looks_of(redis_client) > enough)
        assert (revisions(database, project_id), stored_body(redis_client, project_id)) == ((1, 0), None)
        # As an operator goes back to the older release.
        rebuild_all(settings, lambda _done, _total: None, assets_folder)
        # The running publisher may have seen the rebuild under way, and then repeats it.
        eventually(lambda: redis_client.get(SNAPSHOT_FORMAT) == str(CONTENT_VERSION).encode())
        change(database, project_id, "Published again")
        eventually(lambda: revisions(database, project_id) == (3, 3))


def test_interrupted_format_change_rebuilds_from_its_start(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis
) -> None:
    redis_client.set(SNAPSHOT_FORMAT, f"{CONTENT_VERSION} begun")
    project_id = add_waiting_project(database)
    with running(settings):
        eventually(lambda: redis_client.get(SNAPSHOT_FORMAT) == str(CONTENT_VERSION).encode())
        assert stored_body(redis_client, project_id) is not None
