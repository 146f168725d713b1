"""Uses of secret keys from Redis to `last_used_at`."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import redis

from common.wire.redis_keys import KEY_USE
from management_api.db.engine import Database
from management_api.db.models.projects import Project, SecretKey
from management_api.event_consumer.key_use import KeyUseUpdater
from management_api.event_consumer.stream import connect
from tests.support.background import in_background
from tests.support.data.rows import add_secret_key
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)


def ms(moment: datetime) -> int:
    """Return a moment in Unix milliseconds."""
    return int(moment.timestamp() * 1000)


@pytest.fixture
def key_id(database: Database, project_id: str, master_key: str) -> str:
    """Return the id of a key that was never used."""
    with database.transaction() as session:
        row, _ = add_secret_key(session, session.get_one(Project, project_id), master_key)
        return row.id


@pytest.fixture
def updater(database: Database, redis_client: redis.Redis) -> KeyUseUpdater:
    """Return what brings uses to the database."""
    return KeyUseUpdater(redis_client, database)


def last_used_at(database: Database, key_id: str) -> datetime | None:
    """Read the time of a key."""
    with database.transaction() as session:
        return session.get_one(SecretKey, key_id).last_used_at


def is_last_used_at(database: Database, key_id: str, moment: datetime) -> bool:
    """Return whether this is the time of a key."""
    return last_used_at(database, key_id) == moment


@contextmanager
def running(updater: KeyUseUpdater) -> Iterator[None]:
    """Run the updater at short intervals beside the block."""
    with in_background(threading.Event(), partial(updater.run_until, every_seconds=0.05)):
        yield


def test_reported_use_is_stored_and_removed(
    database: Database, redis_client: redis.Redis, updater: KeyUseUpdater, project_id: str, key_id: str
) -> None:
    others = {f"{project_id}/gone": ms(NOON), "nonsense": 1.5, "\0/\0": -1.0, "proj_1/key_1": float("inf")}
    redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(NOON), **others})
    redis_client.execute_command("ZADD", KEY_USE, 1, b"\xff/")  # type: ignore[no-untyped-call]  # redis-py
    updater.update()
    assert last_used_at(database, key_id) == NOON
    assert not redis_client.exists(KEY_USE)


def test_earlier_use_does_not_move_time_back(
    database: Database, redis_client: redis.Redis, updater: KeyUseUpdater, project_id: str, key_id: str
) -> None:
    for moment in (NOON, NOON - timedelta(hours=1)):
        redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(moment)})
        updater.update()
    assert last_used_at(database, key_id) == NOON


def test_key_of_another_project_is_not_touched(
    database: Database, redis_client: redis.Redis, updater: KeyUseUpdater, key_id: str
) -> None:
    redis_client.zadd(KEY_USE, {f"proj_of_another/{key_id}": ms(NOON)})
    updater.update()
    assert last_used_at(database, key_id) is None


def test_use_by_clock_that_is_ahead_is_stored_as_now(
    database: Database, redis_client: redis.Redis, updater: KeyUseUpdater, project_id: str, key_id: str
) -> None:
    redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(datetime.now(UTC) + timedelta(hours=1))})
    updater.update()
    stored = last_used_at(database, key_id)
    assert stored is not None
    assert stored <= datetime.now(UTC)


def test_more_keys_than_one_transaction_takes_are_all_removed(
    database: Database, redis_client: redis.Redis, updater: KeyUseUpdater, project_id: str, key_id: str
) -> None:
    redis_client.zadd(KEY_USE, {f"{project_id}/key_{number}": number for number in range(2500)})
    redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(NOON)})
    updater.update()
    assert last_used_at(database, key_id) == NOON
    assert not redis_client.exists(KEY_USE)


def test_use_that_is_reported_while_running_is_stored(
    database: Database, redis_client: redis.Redis, updater: KeyUseUpdater, project_id: str, key_id: str
) -> None:
    with running(updater):
        for moment in (NOON, NOON + timedelta(minutes=1)):
            redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(moment)})
            eventually(functools.partial(is_last_used_at, database, key_id, moment))


def test_updater_survives_an_outage_of_redis(
    database: Database, private_redis_server: RunningServer, project_id: str, key_id: str
) -> None:
    with connect(private_redis_server.url) as client, running(KeyUseUpdater(client, database)):
        private_redis_server.kill()
        with pytest.raises(redis.RedisError):
            client.ping()
        private_redis_server.start()
        client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(NOON)})
        eventually(functools.partial(is_last_used_at, database, key_id, NOON))
