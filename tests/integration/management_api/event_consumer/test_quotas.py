"""The use of quotas follows the records that are stored, and Redis has the projects that have used up one."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import redis
from sqlalchemy import text

from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.samples import SampleSet
from common.timestamps import utc_now
from common.wire.redis_keys import USED_QUOTAS
from common.wire.used_quotas import STATE_FIELD, UsedQuotas, decode_used_quotas
from management_api.background.quotas import publish_used_quotas
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.metrics import poll_quotas
from management_api.event_consumer.store import BatchStore
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.counting import count_projects
from management_api.rollups.usage import Usage
from tests.integration.management_api.event_consumer.stream_records import DAY_MS, an_event, an_exposure, entries_of

Publish = Callable[[Usage], UsedQuotas]
MANY = Usage(1000, 1000, 1000)


@pytest.fixture
def uncounted_store(database: Database) -> BatchStore:
    return BatchStore(database)


@pytest.fixture
def publish(database: Database, redis_client: redis.Redis) -> Publish:
    """Return a function that publishes with these quotas, and returns the state in Redis."""

    def publish_with(quotas: Usage) -> UsedQuotas:
        publish_used_quotas(redis_client, database, quotas)
        state = redis_client.hget(USED_QUOTAS, STATE_FIELD)
        assert isinstance(state, bytes)
        return decode_used_quotas(state)

    return publish_with


def usage(database: Database, project_id: str) -> Usage | None:
    query = text("SELECT events, property_bytes, new_devices FROM project_usage WHERE project_id = :id AND day = :day")
    with database.transaction() as session:
        row = session.execute(query, {"id": project_id, "day": utc_now().date()}).one_or_none()
    return None if row is None else Usage(*row)


def move_days(database: Database, table: str, column: str, days: int) -> None:
    with database.transaction() as session:
        moved = f"UPDATE {table} SET {column} = {column} + :by"  # noqa: S608 - ours
        session.execute(text(moved), {"by": timedelta(days=days)})


def test_events_bytes_and_new_devices_count_once(database: Database, store: BatchStore, project_ids: list[str]) -> None:
    first, second, *_ = project_ids
    properties = {"plan": "x" * 100}
    sent_twice = an_event(first, device_id="a", properties=properties)
    for _ in range(2):
        store.store(entries_of([sent_twice]))
    # The day is that of the receipt, not that which the device names.
    store.store(entries_of([an_event(first, device_id="b", occurred_at_ms=DAY_MS), an_event(second, device_id="b")]))
    store.store(entries_of([an_event(first, device_id="b")]))
    assert usage(database, first) == Usage(3, len('{"plan":""}') + 100 + 2 * len("{}"), 2)
    assert usage(database, second) == Usage(1, len("{}"), 1)


def test_exposure_is_no_event_and_may_be_of_a_new_device(
    database: Database, store: BatchStore, project_id: str
) -> None:
    store.store(entries_of([an_event(project_id, device_id="known")]))
    store.store(entries_of([an_exposure(project_id, device_id="known"), an_exposure(project_id, device_id="new")]))
    assert usage(database, project_id) == Usage(1, 2, 2)


def test_count_that_is_rolled_back_uses_nothing(
    database: Database, uncounted_store: BatchStore, project_id: str
) -> None:
    uncounted_store.store(entries_of([an_event(project_id)]))
    with database.transaction() as session:
        count_projects(driver_cursor(session), [project_id], 10)
        session.rollback()
    assert usage(database, project_id) is None
    Aggregator(database).count_all()
    assert usage(database, project_id) == Usage(1, 2, 1)


def test_use_begins_anew_with_each_day(database: Database, uncounted_store: BatchStore, project_id: str) -> None:
    uncounted_store.store(entries_of([an_event(project_id, device_id="a"), an_event(project_id, device_id="b")]))
    move_days(database, "uncounted_batches", "stored_at", -1)
    Aggregator(database).count_all()
    assert usage(database, project_id) is None
    # A count around midnight has batches of both days; those of the day that has ended use nothing of the new one.
    uncounted_store.store(entries_of([an_event(project_id, device_id="a")]))
    move_days(database, "uncounted_batches", "stored_at", -1)
    uncounted_store.store(entries_of([an_event(project_id, device_id="b")]))
    Aggregator(database).count_all()
    assert usage(database, project_id) == Usage(1, 2, 0)


def test_late_count_of_a_former_day_changes_no_use(
    database: Database, uncounted_store: BatchStore, store: BatchStore, project_id: str
) -> None:
    store.store(entries_of([an_event(project_id)]))
    uncounted_store.store(entries_of([an_event(project_id), an_event(project_id)]))
    move_days(database, "uncounted_batches", "stored_at", -1)
    Aggregator(database).count_all()
    assert usage(database, project_id) == Usage(1, 2, 1)


@pytest.mark.parametrize(
    ("quotas", "used_up"),
    [
        (MANY, None),
        (MANY._replace(events=2), {"events"}),
        (MANY._replace(property_bytes=4), {"property_bytes"}),
        (Usage(2, 1000, 2), {"events", "new_devices"}),
        (MANY._replace(events=3), None),
    ],
)
def test_projects_above_a_quota_are_published(
    store: BatchStore, publish: Publish, project_ids: list[str], quotas: Usage, used_up: set[str] | None
) -> None:
    first, second, *_ = project_ids
    store.store(entries_of([an_event(first, device_id="a"), an_event(first, device_id="b"), an_event(second)]))
    used = publish(quotas)
    assert used.projects == ({first: used_up} if used_up else {})
    assert 0 < used.resets_at - utc_now().timestamp() <= DAY_MS / 1000


def test_raised_quota_and_the_next_day_free_a_project(
    database: Database, store: BatchStore, publish: Publish, project_id: str
) -> None:
    store.store(entries_of([an_event(project_id)]))
    assert publish(MANY._replace(events=1)).projects
    assert not publish(MANY).projects
    assert publish(MANY._replace(events=1)).projects
    move_days(database, "project_usage", "day", -1)
    assert not publish(MANY._replace(events=1)).projects


def test_state_is_written_again_when_redis_has_lost_it_and_expires(
    store: BatchStore, publish: Publish, redis_client: redis.Redis, project_id: str
) -> None:
    store.store(entries_of([an_event(project_id)]))
    used = publish(MANY._replace(events=1))
    redis_client.flushall()
    assert publish(MANY._replace(events=1)) == used
    assert 0 < redis_client.expiretime(USED_QUOTAS) - used.resets_at <= DAY_MS / 1000


def test_metrics_count_the_projects_above_each_quota(
    database: Database, store: BatchStore, project_ids: list[str]
) -> None:
    store.store(entries_of([an_event(project_id) for project_id in project_ids[:3]]))
    samples = SampleSet()
    poll_quotas(database, MANY._replace(events=1), samples)
    found = {sample.labels: sample.value for sample in samples.samples if sample.metric == catalogue.OVER_QUOTA.name}
    assert found == {("events",): 3, ("property_bytes",): 0, ("new_devices",): 0}
