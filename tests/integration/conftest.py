"""A stack that several tests share, and clients of the test's database and Redis."""

from collections.abc import Iterator

import pytest
import redis
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from tests.support.servers.local_stack import RunningStack


@pytest.fixture(scope="session")
def shared_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Return a stack that tests may kill, stop and start, if each waits until it is ready again."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as stack:
        yield stack


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Return the database of the test."""
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    yield database
    database.close()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """Return a client of the emptied Valkey."""
    with redis.Redis.from_url(redis_url) as client:
        yield client
