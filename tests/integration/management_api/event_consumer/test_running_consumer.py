"""A consumer that runs: it drains the streams through outages, deaths and poison, and loses nothing."""

from datetime import timedelta

import pytest
import redis
from sqlalchemy import select, update

from common.wire.redis_keys import event_stream_of, event_streams
from management_api.db import watchdog
from management_api.db.engine import Database
from management_api.db.models.installation import KnownEventStream
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from tests.integration.management_api.event_consumer.running_consumer import (
    consumers,
    groups,
    pending,
    running,
    stored,
    waiting,
)
from tests.integration.management_api.event_consumer.stream_records import an_event, send
from tests.support.databases.outages import database_outage, frozen_connections
from tests.support.polling import eventually


def test_all_streams_are_drained_and_trimmed(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_ids: list[str]
) -> None:
    assert {event_stream_of(project_id, "device") for project_id in project_ids} == set(event_streams())
    send(redis_client, [an_event(project_id) for project_id in project_ids])
    with running(settings):
        eventually(lambda: stored(database) == 16)
        send(redis_client, [an_event(project_id) for project_id in project_ids])
        eventually(lambda: stored(database) == 32)
        eventually(lambda: waiting(redis_client) == 0)
        assert pending(redis_client) == 0


def test_stopped_consumer_leaves_the_group(
    settings: ConsumerSettings, redis_client: redis.Redis, project_ids: list[str]
) -> None:
    send(redis_client, [an_event(project_ids[0])])
    with running(settings):
        eventually(lambda: waiting(redis_client) == 0)
        assert len(consumers(redis_client)) == 1
    assert consumers(redis_client) == set()


def test_entries_of_a_dead_consumer_are_taken_over_and_its_name_is_removed(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_ids: list[str]
) -> None:
    dead = groups(redis_client, "dead")
    send(redis_client, [an_event(project_id) for project_id in project_ids])
    assert sum(len(group.read_new(100, block_ms=1)) for group in dead) == 16
    with running(settings):
        eventually(lambda: stored(database) == 16)
        eventually(lambda: pending(redis_client) == 0)
        eventually(lambda: "dead" not in consumers(redis_client), within=20)
    assert waiting(redis_client) == 0


def test_consumer_with_pending_entries_is_not_removed_with_them(
    redis_client: redis.Redis, project_ids: list[str]
) -> None:
    (group,) = groups(redis_client, "slow", event_stream_of(project_ids[0], "device"))
    send(redis_client, [an_event(project_ids[0])])
    (entry,) = group.read_new(10, block_ms=1)
    group.remove_idle_consumers(min_idle_ms=0)
    group.deregister()
    assert group.read_own(10) == [entry]


def test_entry_that_was_deleted_while_pending_is_dropped(redis_client: redis.Redis, project_ids: list[str]) -> None:
    (group,) = groups(redis_client, "consumer", event_stream_of(project_ids[0], "device"))
    send(redis_client, [an_event(project_ids[0])])
    (entry,) = group.read_new(10, block_ms=1)
    redis_client.xdel(entry.stream, entry.entry_id)
    assert group.read_own(10) == []
    assert pending(redis_client) == 0


def test_consumer_that_is_stopped_during_an_outage_leaves_its_entries_to_the_next(
    settings: ConsumerSettings,
    database: Database,
    database_url: str,
    redis_client: redis.Redis,
    project_ids: list[str],
) -> None:
    with database_outage(database_url), running(settings):
        send(redis_client, [an_event(project_id) for project_id in project_ids])
        eventually(lambda: pending(redis_client) > 0)
    assert waiting(redis_client) == 16
    with running(settings):
        eventually(lambda: waiting(redis_client) == 0)
    assert stored(database) == 16


def test_group_that_redis_has_lost_is_made_again(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_ids: list[str]
) -> None:
    with running(settings):
        send(redis_client, [an_event(project_ids[0])])
        eventually(lambda: stored(database) == 1)
        redis_client.flushall()
        send(redis_client, [an_event(project_ids[0])])
        eventually(lambda: stored(database) == 2)


def lost_streams(*consumers: EventConsumer) -> int:
    """Return the number of lost streams that the consumers have found."""
    return sum(worker.lost_streams for consumer in consumers for worker in consumer.worker_metrics())


def wait_until_known(database: Database) -> None:
    """Wait until PostgreSQL has all streams, and let them be there for a day."""
    eventually(lambda: known_streams(database) == dict.fromkeys(event_streams(), False))
    with database.transaction() as session:
        session.execute(update(KnownEventStream).values(added_at=KnownEventStream.added_at - timedelta(days=1)))


def known_streams(database: Database) -> dict[str, bool]:
    """Return the streams that PostgreSQL knows, and whether Redis has lost each."""
    with database.transaction() as session:
        return {row.stream: row.lost_at is not None for row in session.scalars(select(KnownEventStream))}


def test_first_start_of_two_consumers_finds_no_loss(settings: ConsumerSettings, database: Database) -> None:
    with running(settings) as first, running(settings) as second:
        eventually(lambda: known_streams(database) == dict.fromkeys(event_streams(), False))
    assert known_streams(database) == dict.fromkeys(event_streams(), False)
    assert lost_streams(first, second) == 0


def test_streams_that_redis_loses_are_recorded_once(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis
) -> None:
    with running(settings) as first:
        # The second one starts when the first has made all groups: a slow maker would take its own for a later one.
        wait_until_known(database)
        with running(settings) as second:
            redis_client.flushall()
            eventually(lambda: known_streams(database) == dict.fromkeys(event_streams(), True))
            eventually(lambda: lost_streams(first, second) >= len(event_streams()))
        assert lost_streams(first, second) == len(event_streams())


def test_streams_lost_while_no_consumer_ran_are_recorded_at_its_start(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis
) -> None:
    with running(settings):
        wait_until_known(database)
    redis_client.flushall()
    with running(settings) as consumer:
        eventually(lambda: known_streams(database) == dict.fromkeys(event_streams(), True))
        eventually(lambda: lost_streams(consumer) == len(event_streams()))


def test_events_are_stored_when_postgresql_hangs_on_present_connections(
    settings: ConsumerSettings,
    database: Database,
    database_url: str,
    redis_client: redis.Redis,
    project_ids: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog, "MARGIN_SECONDS", 1.0)
    send(redis_client, [an_event(project_id) for project_id in project_ids])
    with running(settings.model_copy(update={"database_statement_timeout_ms": 1000})) as consumer:
        eventually(lambda: stored(database) == 16)
        with frozen_connections(database_url):
            send(redis_client, [an_event(project_id) for project_id in project_ids])
            eventually(lambda: waiting(redis_client) == 0, within=30)
        eventually(lambda: stored(database) == 32)
        eventually(lambda: consumer.state().is_healthy)
