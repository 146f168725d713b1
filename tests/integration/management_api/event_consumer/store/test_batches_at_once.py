"""Batches that are stored while another transaction has the same rows: of a consumer, or of a deletion."""

import random
import threading
from collections.abc import Sequence

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from management_api.db.engine import Database
from management_api.db.models.analytics import Device, ProjectTotal
from management_api.db.models.projects import Project
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.decode import decode_batch
from management_api.event_consumer.store import BatchStore, lock_projects, store_records
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.devices import number_devices
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.polling import eventually


def waits_for_another(database: Database) -> bool:
    with database.transaction() as session:
        query = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
        """
        return bool(session.scalar(text(query)))


def store_in(session: Session, entries: Sequence[StreamEntry]) -> None:
    cursor, batch = driver_cursor(session), decode_batch(entries)
    now_ms, projects = lock_projects(cursor, batch)
    store_records(cursor, batch, projects.held, now_ms)


def test_the_same_events_at_once_are_stored_once(database: Database, store: BatchStore, project_id: str) -> None:
    entries = entries_of(an_event(project_id, device_id=f"d{number}") for number in range(200))
    threads = [threading.Thread(target=store.store, args=(random.sample(entries, 200),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.transaction() as session:
        assert (count(session, "events"), count(session, "devices")) == (200, 200)
    assert rebuild_project(database, project_id, repair=False) == []


def test_event_in_the_transaction_of_another_consumer_is_skipped(
    database: Database, store: BatchStore, project_id: str
) -> None:
    both, second = an_event(project_id), an_event(project_id)
    storing = threading.Thread(target=store.store, args=(entries_of([second, both]),))
    with database.transaction() as session:
        store_in(session, entries_of([both]))
        storing.start()
        eventually(lambda: waits_for_another(database))
    storing.join()
    with database.transaction() as session:
        assert count(session, "events") == 2
    assert rebuild_project(database, project_id, repair=False) == []


def test_event_is_stored_after_another_consumer_rolls_back(
    database: Database, store: BatchStore, project_id: str
) -> None:
    records = [an_event(project_id), an_event(project_id)]
    storing = threading.Thread(target=store.store, args=(entries_of(records),))
    with database.transaction() as session:
        store_in(session, entries_of(records[:1]))
        storing.start()
        eventually(lambda: waits_for_another(database))
        session.rollback()
    storing.join()
    with database.transaction() as session:
        assert count(session, "events") == 2


def test_devices_that_release_0_2_0_numbers_meanwhile_keep_its_numbers(
    database: Database, store: BatchStore, project_id: str
) -> None:
    entries = entries_of(an_event(project_id, device_id=device) for device in ("second", "shared", "first"))
    storing = threading.Thread(target=store.store, args=(entries,))
    with database.transaction() as session:
        # Release 0.2.0 does so in the transaction of a batch.
        number_devices(driver_cursor(session), [(project_id, device) for device in ("shared", "first")], {})
        storing.start()
        eventually(lambda: waits_for_another(database))
    storing.join()
    with database.transaction() as session:
        numbers = session.execute(select(Device.device_id, Device.number).order_by(Device.number)).all()
        assert [tuple(row) for row in numbers] == [("shared", 0), ("first", 1), ("second", 2)]
        totals = session.execute(select(ProjectTotal.devices, ProjectTotal.next_number)).one()
        assert tuple(totals) == (3, 3)
    assert rebuild_project(database, project_id, repair=False) == []


def test_deletion_of_the_project_wins_over_a_batch_that_waits_for_it(
    database: Database, store: BatchStore, project_id: str
) -> None:
    storing = threading.Thread(target=store.store, args=(entries_of([an_event(project_id)]),), kwargs={"waits": True})
    with database.transaction() as session:
        session.execute(delete(Project))
        storing.start()
        eventually(lambda: waits_for_another(database))
    storing.join()
    with database.transaction() as session:
        assert [count(session, table) for table in ("events", "devices", "activity_cells")] == [0, 0, 0]
