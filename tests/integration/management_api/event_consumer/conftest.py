"""An event consumer on real servers, whose parts a test uses one by one or lets run."""

from collections.abc import Iterator, Sequence

import pytest
import redis
from pydantic import SecretStr

from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry, connect
from management_api.rollups.aggregator import Aggregator
from tests.support.data.rows import add_project


@pytest.fixture
def settings(database_url: str, redis_url: str) -> ConsumerSettings:
    return ConsumerSettings(
        database_url=SecretStr(database_url), redis_url=SecretStr(redis_url), consumer_reclaim_after_ms=100
    )


@pytest.fixture
def database(settings: ConsumerSettings) -> Iterator[Database]:
    database = Database(settings)
    yield database
    database.close()


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    with connect(redis_url) as client:
        yield client


class CountedStore(BatchStore):
    """A store whose records are counted at once."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._aggregator = Aggregator(database)

    def store(self, entries: Sequence[StreamEntry], *, waits: bool = False) -> list[StreamEntry]:
        """Store a batch, and count it."""
        left_out = super().store(entries, waits=waits)
        self._aggregator.count_all()
        return left_out


@pytest.fixture
def store(database: Database) -> BatchStore:
    """Return a store of batches, which are counted at once."""
    return CountedStore(database)


@pytest.fixture
def project_id(database: Database) -> str:
    with database.transaction() as session:
        return add_project(session).id


@pytest.fixture
def project_ids(database: Database) -> list[str]:
    with database.transaction() as session:
        return [add_project(session, id=f"proj_{number}").id for number in range(16)]
