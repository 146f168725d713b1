"""Event ids by week of receipt: an event that is received again within seven days is stored once."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from common.wire.stream_records import EventRecord
from management_api.db.engine import Database
from management_api.db.models.event_ids import EventId, project_key, week_of
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.event_consumer.decode import decode_batch
from management_api.event_consumer.deduplicate import (
    BORDER_MS,
    projects_to_own,
    store_new_ids,
    week_number,
)
from management_api.event_consumer.store import BatchStore, lock_projects, store_records
from management_api.rollups.partitions import EVENT_IDS, drop_id_partitions, make_partitions
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import DAY_MS, an_event, entries_of
from tests.support.polling import eventually

#: A Wednesday, which is far from the border of two weeks.
NOW_MS = 1_790_164_800_000
WEEK_MS = 7 * DAY_MS

#: Enough that PostgreSQL would scan the table without statistics.
MANY = 50_000
FILL = """
    INSERT INTO event_ids (project, digest, week)
    SELECT :project, uuid_send(gen_random_uuid()), :week FROM generate_series(1, :many)
"""
#: Rows and index entries of the ids that this transaction has read.
READ = "SELECT sum(pg_stat_get_xact_tuples_returned(oid)) FROM pg_class WHERE relname ~ '^(pk_)?event_ids'"


def new_among(session: Session, records: Sequence[EventRecord], now_ms: int = NOW_MS) -> list[str]:
    """Store the ids of records, and return those that were new."""
    events = decode_batch(entries_of(records)).events
    return [event.record.event_id for event in store_new_ids(driver_cursor(session), events, now_ms)]


def make_weeks(database: Database, now_ms: int = NOW_MS) -> None:
    for moment_ms in (now_ms - WEEK_MS, now_ms):
        with database.transaction() as session:
            make_partitions(driver_connection(session), datetime.fromtimestamp(moment_ms / 1000, UTC), EVENT_IDS)


@given(st.datetimes(timezones=st.just(UTC)))
def test_number_of_week_is_the_distance_of_its_monday(moment: datetime) -> None:
    monday = datetime.combine(week_of(moment), datetime.min.time(), UTC)
    assert monday <= moment < monday + timedelta(weeks=1)
    assert week_number(int(moment.timestamp() * 1000)) == (monday - datetime(1969, 12, 29, tzinfo=UTC)).days // 7


@pytest.mark.parametrize("partitions", ["with partitions", "without partitions"])
def test_event_received_twice_within_seven_days_is_new_once(
    database: Database, project_id: str, partitions: str
) -> None:
    if partitions == "with partitions":
        make_weeks(database)
    for days_between, first_stored, delay_days in product((0, 1, 3, 5, 7), ("earlier", "later"), (0, 1, 6)):
        event_id = f"evt_{days_between}_{first_stored}_{delay_days}"
        receipts = [NOW_MS - days_between * DAY_MS, NOW_MS]
        if first_stored == "later":
            receipts.reverse()
        found = []
        for receipt in receipts:
            record = an_event(project_id, event_id=event_id, received_at_ms=receipt)
            with database.transaction() as session:
                found += new_among(session, [record], NOW_MS + delay_days * DAY_MS)
        assert found == [event_id]


@pytest.mark.parametrize("weeks", [-8, -3, -2, -1, 0, 1, 2, 60])
def test_delayed_entry_is_recognised_as_duplicate_for_a_week(database: Database, project_id: str, weeks: int) -> None:
    make_weeks(database)
    record = an_event(project_id, event_id="evt", received_at_ms=NOW_MS + weeks * WEEK_MS)
    for days, expected in ((0, ["evt"]), (0, []), (3, []), (7, [])):
        now_ms = NOW_MS + days * DAY_MS
        with database.transaction() as session:
            drop_id_partitions(driver_connection(session), datetime.fromtimestamp(now_ms / 1000, UTC))
        with database.transaction() as session:
            assert new_among(session, [record], now_ms) == expected


def test_first_of_equal_ids_in_one_batch_is_new(database: Database, project_id: str) -> None:
    records = [an_event(project_id, event_id="evt", received_at_ms=NOW_MS - days * DAY_MS) for days in (0, 0, 7)]
    with database.transaction() as session:
        assert new_among(session, records) == ["evt"]


def test_equal_ids_of_two_projects_are_different(database: Database) -> None:
    with database.transaction() as session:
        assert new_among(session, [an_event("proj_a", event_id="evt", received_at_ms=NOW_MS)]) == ["evt"]
        both = [an_event(project, event_id="evt", received_at_ms=NOW_MS) for project in ("proj_a", "proj_b")]
        assert new_among(session, both) == ["evt"]
        assert new_among(session, both) == []


def test_only_given_ids_are_read_however_many_are_stored(database: Database, project_id: str) -> None:
    make_weeks(database)
    with database.transaction() as session:
        for weeks in (-1, 0):
            week = week_of(datetime.fromtimestamp(NOW_MS / 1000, UTC)) + timedelta(weeks=weeks)
            session.execute(text(FILL), {"project": project_key(project_id), "week": week, "many": MANY})
    for repeated in (0, 1, 20):
        ids = [f"evt_{repeated:02}_{number:02}" for number in range(20)]
        records = [an_event(project_id, event_id=event_id, received_at_ms=NOW_MS) for event_id in ids]
        with database.transaction() as session:
            assert new_among(session, records[:repeated]) == ids[:repeated]
        with database.transaction() as session:
            assert new_among(session, records) == ids[repeated:]
            assert session.scalar(text(READ)) <= 3 * len(records)


def test_ids_are_dropped_three_weeks_after_their_week_began(database: Database, project_id: str) -> None:
    make_weeks(database)
    with database.transaction() as session:
        new_among(session, [an_event(project_id, received_at_ms=NOW_MS)])
    monday = datetime.combine(week_of(datetime.fromtimestamp(NOW_MS / 1000, UTC)), datetime.min.time(), UTC)
    for days, expected in ((20, 1), (21, 0)):
        with database.transaction() as session:
            drop_id_partitions(driver_connection(session), monday + timedelta(days=days))
        with database.transaction() as session:
            assert count(session, "event_ids") == expected


def test_ids_without_a_partition_are_moved_into_theirs_and_expire(database: Database, project_id: str) -> None:
    record = an_event(project_id, event_id="evt", received_at_ms=NOW_MS)
    with database.transaction() as session:
        new_among(session, [record])
        assert count(session, "event_ids_default") == 1
    make_weeks(database)
    with database.transaction() as session:
        assert count(session, "event_ids_default") == 0
        assert new_among(session, [record]) == []
        new_among(session, [an_event(project_id, received_at_ms=NOW_MS)], NOW_MS + 10 * WEEK_MS)
    with database.transaction() as session:
        drop_id_partitions(driver_connection(session), datetime.fromtimestamp((NOW_MS + 12 * WEEK_MS) / 1000, UTC))
        assert count(session, "event_ids") == 0


def test_batch_owns_projects_with_events_of_other_weeks_and_all_near_the_border() -> None:
    monday_ms = (NOW_MS // DAY_MS + 3) // 7 * WEEK_MS - 3 * DAY_MS
    assert week_number(monday_ms - 1) + 1 == week_number(monday_ms)

    def owned(now_ms: int, *received: int) -> set[str]:
        records = [an_event(str(number), received_at_ms=at) for number, at in enumerate(received)]
        return projects_to_own(decode_batch(entries_of(records)).events, now_ms)

    assert owned(NOW_MS, NOW_MS) == set()
    assert owned(NOW_MS) == set()
    assert owned(NOW_MS, NOW_MS, NOW_MS - WEEK_MS) == {"1"}
    assert owned(NOW_MS, monday_ms - 1, NOW_MS) == {"0"}
    assert owned(NOW_MS, NOW_MS + WEEK_MS) == {"0"}
    for minutes in (-59, -1, 0, 1, 59):
        at_ms = monday_ms + minutes * 60_000
        assert owned(at_ms, at_ms, at_ms) == {"0", "1"}
    assert owned(monday_ms + BORDER_MS, monday_ms + BORDER_MS) == set()


@pytest.mark.parametrize("weeks", [(0, -1), (-1, 0), (0, 1), (1, 0), (-1, -2), (-6, 0)])
def test_two_consumers_with_receipts_of_two_weeks_store_the_event_once(
    database: Database, store: BatchStore, project_id: str, weeks: tuple[int, int]
) -> None:
    """The first one stores its receipt and stays in its transaction, while the second one begins."""
    with database.transaction() as session:
        now_ms = round((session.scalar(text("SELECT extract(epoch FROM now())")) or 0) * 1000)
    make_weeks(database, now_ms)
    one, other = (
        entries_of([an_event(project_id, event_id="evt", received_at_ms=now_ms + number * WEEK_MS)]) for number in weeks
    )
    storing = threading.Thread(target=store.store, args=(other,), kwargs={"waits": True})
    with database.transaction() as session:
        cursor, batch = driver_cursor(session), decode_batch(one)
        at_ms, projects = lock_projects(cursor, batch)
        assert store_records(cursor, batch, projects.held, at_ms) == (1, 0)
        storing.start()
        eventually(lambda: _waits_for_lock(database))
    storing.join()
    with database.transaction() as session:
        assert count(session, "events") == 1
        assert len(session.scalars(select(EventId.digest)).all()) == 1
    assert rebuild_project(database, project_id, repair=False) == []


def _waits_for_lock(database: Database) -> bool:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with database.transaction() as session:
        return bool(session.scalar(text(query)))
