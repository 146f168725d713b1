"""Uses of secret keys from Redis to `last_used_at`."""

from datetime import UTC, datetime, timedelta

import pytest
import redis

from common.wire.redis_keys import KEY_USE
from management_api.background.key_use import store_key_use
from management_api.db.engine import Database
from management_api.db.models.projects import Project, SecretKey
from tests.support.data.rows import add_secret_key

NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


@pytest.fixture
def key_id(database: Database, project_id: str, master_key: str) -> str:
    """Return the id of a key that was never used."""
    with database.transaction() as session:
        row, _ = add_secret_key(session, session.get_one(Project, project_id), master_key)
        return row.id


def last_used_at(database: Database, key_id: str) -> datetime | None:
    with database.transaction() as session:
        return session.get_one(SecretKey, key_id).last_used_at


def test_reported_use_is_stored_and_removed(
    database: Database, redis_client: redis.Redis, project_id: str, key_id: str
) -> None:
    others = {f"{project_id}/gone": ms(NOON), "nonsense": 1.5, "\0/\0": -1.0, "proj_1/key_1": float("inf")}
    redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(NOON), **others})
    redis_client.execute_command("ZADD", KEY_USE, 1, b"\xff/")  # type: ignore[no-untyped-call]  # redis-py
    store_key_use(redis_client, database)
    assert last_used_at(database, key_id) == NOON
    assert not redis_client.exists(KEY_USE)


def test_earlier_use_does_not_move_time_back(
    database: Database, redis_client: redis.Redis, project_id: str, key_id: str
) -> None:
    for moment in (NOON, NOON - timedelta(hours=1)):
        redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(moment)})
        store_key_use(redis_client, database)
    assert last_used_at(database, key_id) == NOON


def test_key_of_another_project_is_not_touched(database: Database, redis_client: redis.Redis, key_id: str) -> None:
    redis_client.zadd(KEY_USE, {f"proj_of_another/{key_id}": ms(NOON)})
    store_key_use(redis_client, database)
    assert last_used_at(database, key_id) is None


def test_use_by_clock_that_is_ahead_is_stored_as_now(
    database: Database, redis_client: redis.Redis, project_id: str, key_id: str
) -> None:
    redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(datetime.now(UTC) + timedelta(hours=1))})
    store_key_use(redis_client, database)
    stored = last_used_at(database, key_id)
    assert stored is not None
    assert stored <= datetime.now(UTC)


def test_more_keys_than_one_transaction_takes_are_all_removed(
    database: Database, redis_client: redis.Redis, project_id: str, key_id: str
) -> None:
    redis_client.zadd(KEY_USE, {f"{project_id}/key_{number}": number for number in range(2500)})
    redis_client.zadd(KEY_USE, {f"{project_id}/{key_id}": ms(NOON)})
    store_key_use(redis_client, database)
    assert last_used_at(database, key_id) == NOON
    assert not redis_client.exists(KEY_USE)
