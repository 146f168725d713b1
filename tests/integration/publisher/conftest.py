"""A publisher on real servers, whose steps a test takes one by one or lets run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr

from common.telemetry.tracing import NoSpans
from management_api.db.engine import Database
from publisher.assets import PageAssetPublisher
from publisher.main import Publisher
from publisher.settings import PublisherSettings
from publisher.snapshot_store import SnapshotStore


@pytest.fixture
def settings(database_url: str, redis_url: str, master_key: str) -> PublisherSettings:
    """Return the settings of a publisher on the servers of the test."""
    return PublisherSettings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        master_key=SecretStr(master_key),
    )


@pytest.fixture
def database(settings: PublisherSettings) -> Iterator[Database]:
    """Return the database of the test."""
    database = Database(settings)
    yield database
    database.close()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """Return a client of the test's Redis."""
    with redis.Redis.from_url(redis_url, protocol=2) as client:
        yield client


@pytest.fixture
def assets_folder(tmp_path: Path) -> Path:
    """Return the folder of the assets of pages, which are not built yet."""
    return tmp_path / "page_assets"


@pytest.fixture
def publisher(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> Publisher:
    """Return a publisher that does not run yet."""
    assets = PageAssetPublisher(redis_client, assets_folder)
    return Publisher(settings, database, SnapshotStore(redis_client), assets, NoSpans(), claim_seconds=0.2)
