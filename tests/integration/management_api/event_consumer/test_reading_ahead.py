"""A consumer with a backlog reads one batch ahead of the one that it stores; nothing about that loses or repeats one.

Each test keeps the consumer in the midst of a batch by holding its project: by then the next batch has been read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from sqlalchemy import text

from common.process import ShutdownSignal
from management_api.database.transactions import Database
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from tests.held_project import HeldProject, held_project
from tests.integration.management_api.event_consumer.running_consumer import consumers, pending, running, waiting
from tests.integration.management_api.event_consumer.stored_tables import cells_naively, cells_of, count
from tests.integration.management_api.event_consumer.stream_records import an_event, send
from tests.polling import eventually
from tests.started_process import StartedProcess

BATCH = 10
BACKLOG = 100


@pytest.fixture
def settings(settings: ConsumerSettings) -> ConsumerSettings:
    """Give settings under which a backlog is many batches, and nothing is taken over by mistake."""
    return settings.model_copy(update={"consumer_batch_size": BATCH, "consumer_reclaim_after_ms": 2000})


@pytest.fixture
def devices(redis_client: redis.Redis, project_id: str) -> list[str]:
    """Have a backlog in the project's stream, of an event for each of these devices in their order."""
    devices = [f"device_{number}" for number in range(BACKLOG)]
    send(redis_client, [an_event(project_id, device_id=device) for device in devices])
    return devices


@dataclass(frozen=True, slots=True)
class InTheMidst:
    """A consumer that has read a batch ahead and is storing the one before, which waits for its project."""

    consumer: EventConsumer
    held: HeldProject
    stop: ShutdownSignal


@contextmanager
def in_the_midst(settings: ConsumerSettings, redis_client: redis.Redis, project_id: str) -> Iterator[InTheMidst]:
    """Run such a consumer beside the block; it goes on at the end of it at the latest."""
    stop = ShutdownSignal()
    with (
        held_project(settings.database_url.get_secret_value(), project_id) as held,
        running(settings, stop) as consumer,
    ):
        eventually(lambda: pending(redis_client) == 2 * BATCH)
        held.waiting(1)
        yield InTheMidst(consumer, held, stop)
        held.release()


def stored_devices(database: Database) -> list[str]:
    """Name the devices in the order in which their first events were stored; nothing was stored twice or miscounted."""
    with database.transaction() as session:
        assert count(session, "events") == count(session, "devices")
        assert cells_of(session) == cells_naively(session)
        return list(session.scalars(text("SELECT device_id FROM devices ORDER BY number")))


def test_one_batch_is_read_ahead_and_no_more(
    settings: ConsumerSettings, redis_client: redis.Redis, project_id: str, devices: list[str]
) -> None:
    with in_the_midst(settings, redis_client, project_id):
        assert waiting(redis_client) - pending(redis_client) == len(devices) - 2 * BATCH


def test_events_are_stored_in_the_order_of_their_stream(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, devices: list[str]
) -> None:
    with running(settings):
        eventually(lambda: waiting(redis_client) == 0)
    assert stored_devices(database) == devices


def test_after_an_outage_both_batches_are_stored_once_and_in_order(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_id: str, devices: list[str]
) -> None:
    with in_the_midst(settings, redis_client, project_id) as midst:
        (waits,) = midst.held.waiting(1)
        midst.held.end(waits)
        eventually(lambda: midst.consumer.figures().outages == 1)
        # It begins again with the batch that has failed.
        assert midst.held.waiting(1) != [waits]
        midst.held.release()
        eventually(lambda: waiting(redis_client) == 0)
        # Counted once it is acknowledged.
        eventually(lambda: midst.consumer.figures().stored == len(devices))
    assert stored_devices(database) == devices


def test_a_stop_leaves_nothing_of_what_was_read(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_id: str, devices: list[str]
) -> None:
    with in_the_midst(settings, redis_client, project_id) as midst:
        midst.stop.set()
        midst.held.release()
    assert (pending(redis_client), consumers(redis_client)) == (0, set())
    assert stored_devices(database) == devices[: len(devices) - waiting(redis_client)]


def test_both_batches_of_a_killed_consumer_are_taken_over(
    settings: ConsumerSettings,
    database: Database,
    redis_client: redis.Redis,
    project_id: str,
    devices: list[str],
    tmp_path: Path,
) -> None:
    environment = {
        "ONBOARDING_DATABASE_URL": settings.database_url.get_secret_value(),
        "ONBOARDING_REDIS_URL": settings.redis_url.get_secret_value(),
        "ONBOARDING_CONSUMER_BATCH_SIZE": str(BATCH),
    }
    module, log_file = "management_api.event_consumer.main", tmp_path / "consumer.log"
    with (
        held_project(settings.database_url.get_secret_value(), project_id) as held,
        StartedProcess(module, "ConsumerSettings", environment, log_file) as process,
    ):
        eventually(lambda: pending(redis_client) == 2 * BATCH, within=20)
        process.kill()
        held.release()
    with running(settings) as consumer:
        eventually(lambda: waiting(redis_client) == 0)
        assert consumer.figures().taken_over == 2 * BATCH
    assert sorted(stored_devices(database)) == sorted(devices)
