"""Clients of the test's database and Redis."""

from collections.abc import Iterator

import pytest
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    yield database
    database.close()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        yield client
