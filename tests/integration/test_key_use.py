"""`last_used_at` of a secret key follows requests of every kind at the edge (contract, section 3)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest
import redis

from common.wire.snapshot import Snapshot
from management_api.background.key_use import store_key_use
from management_api.db.engine import Database
from management_api.db.models.projects import Project, SecretKey
from management_api.event_consumer.stream import connect
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.rows import add_project, add_secret_key
from tests.support.data.snapshots import KEY_ID, a_snapshot, publish, sdk_headers
from tests.support.polling import eventually

DEVICE = {"deviceId": "phone"}


def get_config_unchanged(edge: httpx.Client, headers: dict[str, str]) -> int:
    tag = edge.get("/api/config", headers=headers).headers["ETag"]
    return edge.get("/api/config", headers={**headers, "If-None-Match": tag}).status_code


def resolve_known_device(edge: httpx.Client, headers: dict[str, str]) -> int:
    """Resolve a device twice; the second resolution records nothing."""
    edge.post("/api/onboarding/resolve", headers=headers, json=DEVICE)
    return edge.post("/api/onboarding/resolve", headers=headers, json=DEVICE).status_code


def post_malformed_event(edge: httpx.Client, headers: dict[str, str]) -> int:
    """Post an event that is not stored."""
    return edge.post("/api/analytics/event", headers=headers, json={}).status_code


@pytest.fixture
def snapshot(database: Database, redis_url: str, master_key: str) -> Snapshot:
    """Return a published project whose key has a row in the database."""
    with database.transaction() as session:
        project = add_project(session)
        row, _ = add_secret_key(session, project, master_key)
        row.id = KEY_ID
        published = a_snapshot(project_id=project.id)
    with redis.Redis.from_url(redis_url) as client:
        publish(client, published)
    return published


def last_used_at(database: Database, snapshot: Snapshot) -> datetime | None:
    with database.transaction() as session:
        assert session.get_one(Project, snapshot.project_id)
        return session.get_one(SecretKey, KEY_ID).last_used_at


@pytest.mark.parametrize("http", ["fast", "asgi"])
@pytest.mark.parametrize(
    ("request_of", "status"), [(get_config_unchanged, 304), (resolve_known_device, 200), (post_malformed_event, 400)]
)
def test_every_request_that_a_key_opens_counts_as_use(
    redis_url: str,
    database: Database,
    snapshot: Snapshot,
    http: str,
    request_of: Callable[[httpx.Client, dict[str, str]], int],
    status: int,
) -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    settings = edge_settings(redis_url, edge_http=http, record_exposures=False)
    with connect(redis_url) as client:
        with running_edge(settings) as edge:
            assert request_of(edge, sdk_headers(snapshot)) == status
        # An edge that ends reports at once instead of after its interval.
        store_key_use(client, database)
    used_at = last_used_at(database, snapshot)
    assert used_at is not None
    assert before <= used_at <= datetime.now(UTC)


def test_wrong_key_is_no_use(redis_url: str, database: Database, snapshot: Snapshot) -> None:
    with connect(redis_url) as client:
        with running_edge(edge_settings(redis_url)) as edge:
            headers = {**sdk_headers(snapshot), "X-Secret-Key": "obk_sk_wrong"}
            assert edge.get("/api/config", headers=headers).status_code == 401
        store_key_use(client, database)
    assert last_used_at(database, snapshot) is None


def test_running_edge_reports_use_at_its_interval(
    redis_url: str, database: Database, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edge_api.events.key_use.INTERVAL_SECONDS", 0.05)
    with connect(redis_url) as client, running_edge(edge_settings(redis_url)) as edge:
        assert edge.get("/api/config", headers=sdk_headers(snapshot)).status_code == 200

        def is_used() -> bool:
            store_key_use(client, database)
            return last_used_at(database, snapshot) is not None

        eventually(is_used, within=20)
