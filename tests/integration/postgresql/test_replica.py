"""Analytics are read from the replica, if there is one, and from the primary while it is down or behind."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import text

from common.settings.shared import DatabaseSettings
from common.telemetry.catalogue import management as catalogue
from common.telemetry.samples import SampleSet
from management_api.db import replica
from management_api.db.engine import Database
from management_api.db.migrate import migrate
from management_api.db.models.projects import Role
from management_api.db.replica import ReplicaMetrics
from management_api.event_consumer.store import BatchStore
from management_api.rollups.aggregator import Aggregator
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.clients.management import Management, User, data_of, management_service
from tests.support.databases.private_postgresql import copy_as_standby, own_postgresql
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, RunningServer]]:
    folder = tmp_path_factory.mktemp("primary")
    with own_postgresql(folder) as primary:
        migrate(DatabaseSettings(database_url=SecretStr(primary.url)))
        standby_folder = tmp_path_factory.mktemp("standby")
        copy_as_standby(primary, folder, standby_folder)
        with own_postgresql(standby_folder) as standby:
            yield primary, standby


@pytest.fixture
def management(servers: tuple[RunningServer, RunningServer], master_key: str, tmp_path: Path) -> Iterator[Management]:
    primary, standby = servers
    with management_service(primary.url, master_key, tmp_path, analytics_database_url=standby.url) as service:
        yield service


def users_of(user: User, project_id: str) -> int:
    statistics = data_of(user.get(f"/api/projects/{project_id}/stats"))
    users: int = statistics["overview"]["total_users"]
    return users


def wait_until_followed(primary: RunningServer, standby: RunningServer) -> None:
    """Wait until the standby has everything that the primary has now."""
    with psycopg.connect(primary.url) as there, psycopg.connect(standby.url, autocommit=True) as here:
        written = there.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
        followed = "SELECT pg_last_wal_replay_lsn() >= %s"
        eventually(lambda: here.execute(followed, written).fetchone() == (True,), within=30)


@contextmanager
def standing_still(standby: RunningServer) -> Iterator[None]:
    """Have the standby replay nothing for the length of the block."""
    with psycopg.connect(standby.url, autocommit=True) as connection:
        connection.execute("SELECT pg_wal_replay_pause()")
        eventually(lambda: connection.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",))
        yield
        connection.execute("SELECT pg_wal_replay_resume()")


def lag_shown(database: Database) -> float:
    metrics = ReplicaMetrics(database)
    with metrics.polling():
        collected = SampleSet()

        def has_lag() -> bool:
            metrics.collect(collected)
            return any(sample.metric == catalogue.REPLICA_LAG.name for sample in collected.samples)

        eventually(has_lag)
    assert database.replica is not None
    assert any(sample.labels == ("management", "replica") for sample in collected.samples)
    return next(sample.value for sample in collected.samples if sample.metric == catalogue.REPLICA_LAG.name)


def store_events(management: Management, project_id: str, *devices: str) -> None:
    """Store an event of each device, as the consumer does."""
    now_ms = int(time.time() * 1000)
    BatchStore(management.database).store(
        entries_of(
            [an_event(project_id, device_id=device, occurred_at_ms=now_ms, received_at_ms=now_ms) for device in devices]
        )
    )
    Aggregator(management.database).count_all()


def test_analytics_read_the_replica_and_check_access_on_the_primary(
    management: Management, servers: tuple[RunningServer, RunningServer]
) -> None:
    owner = management.user("owner")
    project_id = owner.create_project()["id"]
    viewer = management.member("viewer", project_id, Role.VIEWER)
    store_events(management, project_id, "phone-1")
    wait_until_followed(*servers)
    assert users_of(viewer, project_id) == 1
    with standing_still(servers[1]):
        store_events(management, project_id, "phone-2")
        assert users_of(owner, project_id) == 1
        # The primary has the project that the replica does not have yet.
        assert users_of(owner, owner.create_project()["id"]) == 0
        assert owner.delete(f"/api/projects/{project_id}/members/{management.user_id('viewer')}").status_code == 200
        assert viewer.get(f"/api/projects/{project_id}/stats").status_code == 404
    eventually(lambda: users_of(owner, project_id) == 2)


def test_primary_is_read_while_the_replica_is_down(
    management: Management, servers: tuple[RunningServer, RunningServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "PAUSE_SECONDS", 0.0)
    owner = management.user("owner")
    project_id = owner.create_project()["id"]
    store_events(management, project_id, "phone-1")
    wait_until_followed(*servers)
    assert users_of(owner, project_id) == 1
    standby = servers[1]
    standby.kill()
    fallbacks = management.database.replica_fallbacks
    for path in ("analytics", "analytics/events"):
        assert owner.get(f"/api/{path}", params={"projectId": project_id}).status_code == 200
    assert management.database.replica_fallbacks == fallbacks + 2
    store_events(management, project_id, "phone-2")
    assert users_of(owner, project_id) == 2
    standby.start()
    wait_until_followed(*servers)
    with standing_still(standby):
        store_events(management, project_id, "phone-3")
        assert users_of(owner, project_id) == 2
    eventually(lambda: users_of(owner, project_id) == 3)


def test_primary_is_read_while_the_replica_lags_too_far_behind(
    management: Management, servers: tuple[RunningServer, RunningServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(replica, "MAX_LAG_SECONDS", 0.2)
    database = management.database
    owner = management.user("owner")
    project_id = owner.create_project()["id"]
    wait_until_followed(*servers)
    with standing_still(servers[1]):
        store_events(management, project_id, "phone-1")
        # A lag shorter than the bound is allowed, so the replica may respond at first.
        eventually(lambda: users_of(owner, project_id) == 1)
        eventually(lambda: lag_shown(database) > 0.2)
    fallbacks = database.replica_fallbacks
    assert fallbacks > 0
    wait_until_followed(*servers)
    assert users_of(owner, project_id) == 1
    assert database.replica_fallbacks == fallbacks
    assert lag_shown(database) == 0


def test_url_of_several_hosts_uses_the_writable_one(servers: tuple[RunningServer, RunningServer]) -> None:
    primary, standby = (urlsplit(server.url) for server in servers)
    hosts = f"{standby.hostname}:{standby.port},{primary.hostname}:{primary.port}"
    parts = primary._replace(netloc=f"{primary.username}:{primary.password}@{hosts}")
    url = parts._replace(query="target_session_attrs=read-write").geturl()
    settings = DatabaseSettings(database_url=SecretStr(url))
    with closing(Database(settings)) as database, database.transaction() as session:
        session.execute(text("CREATE TABLE is_written (n int)"))
        session.execute(text("DROP TABLE is_written"))
