"""A consumer that runs in a test, and the state of its database and its Redis."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import redis

from common.process import ShutdownSignal
from common.wire.redis_keys import EVENT_GROUP, event_streams
from management_api.background.chores import CONSUMER_CHORES, ChoreContext
from management_api.background.runner import ChoreRunner
from management_api.db.engine import Database
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import EventStream, connect
from management_api.rollups.usage import quotas_of
from tests.integration.management_api.event_consumer.stored_tables import count, expected_rollups, rollups_of
from tests.support.background import in_background


@contextmanager
def running(settings: ConsumerSettings, stop: ShutdownSignal | None = None) -> Iterator[EventConsumer]:
    """Run a consumer of its own beside the block, or until the stop is asked for."""
    stop = stop or ShutdownSignal()
    database = Database(settings)
    client = connect(settings.redis_url.get_secret_value())
    quotas = quotas_of(settings)
    context = ChoreContext(database, client, settings.event_retention_days, settings.rollup_max_keys, quotas)
    chores = [replace(chore, every_seconds=0.5) for chore in CONSUMER_CHORES if chore.name == "counting"]
    runner = ChoreRunner(database, chores, context, context.stop)
    consumer = EventConsumer(settings, client, BatchStore(database), runner)
    try:
        with in_background(stop, consumer.run_until):
            yield consumer
    finally:
        client.close()
        database.close()


def stored(database: Database, table: str = "events") -> int:
    with database.transaction() as session:
        return count(session, table)


def is_exact(database: Database) -> bool:
    """Return whether the rollups are those that follow from the raw tables."""
    with database.transaction() as session:
        return rollups_of(session) == expected_rollups(session)


def waiting(client: redis.Redis) -> int:
    return sum(client.xlen(stream) for stream in event_streams())


def pending(client: redis.Redis) -> int:
    """Count the entries that were read and not acknowledged; none where the consumer has not made the group yet."""
    infos: list[Any] = [client.xinfo_groups(stream) for stream in event_streams() if client.exists(stream)]
    return sum(int(group["pending"]) for groups in infos for group in groups)


def groups(client: redis.Redis, consumer: str, *streams: str) -> list[EventStream]:
    """Return the groups of the streams, or of all, as a consumer of that name sees them; they are made."""
    found = [EventStream(client, stream, consumer) for stream in streams or event_streams()]
    for group in found:
        group.create_group()
    return found


def consumers(client: redis.Redis) -> set[str]:
    infos: list[Any] = [
        client.xinfo_consumers(stream, EVENT_GROUP) for stream in event_streams() if client.exists(stream)
    ]
    return {info["name"].decode() for stream in infos for info in stream}
