"""Records are counted once, some seconds after they are stored, whatever else happens."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from common.timestamps import utc_now
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.counting import count_projects, lock_counting
from management_api.rollups.devices import number_devices
from management_api.rollups.erasure import begin_erasure, complete_erasures
from management_api.rollups.event_keys import event_key
from management_api.rollups.limits import MAX_EVENT_TYPES
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.rollup import RollupCounter, all_time_rollups
from management_api.rollups.storage import write_rollups
from tests.integration.management_api.event_consumer.stored_tables import count, expected_rollups, rollups_of
from tests.integration.management_api.event_consumer.stream_records import NOON_MS, an_event, an_exposure, entries_of

MAX_KEYS = 10


@pytest.fixture
def store(database: Database) -> BatchStore:
    return BatchStore(database)


@pytest.fixture
def aggregator(database: Database) -> Aggregator:
    return Aggregator(database, max_keys=MAX_KEYS)


def events_by(database: Database, breakdown: str, column: str) -> dict[str, int]:
    """Return the events of a breakdown by one of its columns."""
    query = f"SELECT {column}, sum(events)::int FROM activity_cells WHERE breakdown = :breakdown GROUP BY 1"  # noqa: S608 - ours
    with database.transaction() as session:
        return {str(name): events for name, events in session.execute(text(query), {"breakdown": breakdown})}


def is_exact(database: Database) -> bool:
    """Return whether the rollups are those that follow from the raw tables."""
    with database.transaction() as session:
        return rollups_of(session) == expected_rollups(session)


def test_records_of_many_batches_and_projects_are_counted_once(
    database: Database, store: BatchStore, project_ids: list[str]
) -> None:
    aggregators = [Aggregator(database) for _ in range(3)]
    stopped = threading.Event()

    def count_until_stopped(aggregator: Aggregator) -> None:
        while not stopped.is_set():
            aggregator.count_all()

    with ThreadPoolExecutor(3) as threads:
        counting = [threads.submit(count_until_stopped, aggregator) for aggregator in aggregators]
        for batch in range(10):
            records = [
                record
                for number in range(20)
                for project_id in project_ids[:4]
                for record in (
                    an_event(project_id, event_id=f"{batch}-{number % 15}", device_id=f"d{number % 7}"),
                    an_exposure(project_id, device_id=f"d{number % 5}", flow_id=f"flow_{batch % 3}"),
                )
            ]
            store.store(entries_of(records))
        stopped.set()
        for each in counting:
            each.result()
    Aggregator(database).count_all()
    assert is_exact(database)
    assert all(rebuild_project(database, project_id, repair=False) == [] for project_id in project_ids[:4])


def test_count_that_is_rolled_back_is_done_again(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([an_event(project_id)]))
    with database.transaction() as session:
        assert count_projects(driver_cursor(session), [project_id], MAX_KEYS).keys
        session.rollback()
    assert rebuild_project(database, project_id, repair=False) == []
    Aggregator(database).count_all()
    assert is_exact(database)


def test_project_that_another_process_counts_stops_no_other(
    database: Database, store: BatchStore, project_ids: list[str]
) -> None:
    store.store(entries_of([an_event(project_id) for project_id in project_ids[:3]]))
    with database.transaction() as session:
        lock_counting(driver_cursor(session), project_ids[1])
        Aggregator(database).count_all()
        with database.transaction() as other:
            assert other.scalars(text("SELECT project_id FROM uncounted_batches")).all() == [project_ids[1]]
    Aggregator(database).count_all()
    assert is_exact(database)


def test_damaged_batch_is_kept_and_stops_no_other_project(
    database: Database, store: BatchStore, aggregator: Aggregator, project_ids: list[str]
) -> None:
    store.store(entries_of([an_event(project_id) for project_id in project_ids[:3]]))
    values = {"id": project_ids[1]}
    with database.transaction() as session:
        kept = session.scalar(text("SELECT records FROM uncounted_batches WHERE project_id = :id"), values)
        session.execute(text("UPDATE uncounted_batches SET records = 'x' WHERE project_id = :id"), values)
    aggregator.count_all()
    with database.transaction() as session:
        assert session.scalars(text("SELECT project_id FROM uncounted_batches")).all() == [project_ids[1]]
        session.execute(text("UPDATE uncounted_batches SET records = :kept"), {"kept": kept})
    aggregator.count_all()
    assert is_exact(database)


@pytest.mark.parametrize("counted_before", [0, 1, 2])
@pytest.mark.parametrize("returns", [False, True])
def test_erasure_of_uncounted_events_leaves_nothing_of_the_device(
    database: Database, store: BatchStore, project_id: str, *, counted_before: int, returns: bool
) -> None:
    for number in range(2):
        store.store(
            entries_of([an_event(project_id, device_id=device, event_id=f"{device}{number}") for device in "ab"])
        )
        if number < counted_before:
            Aggregator(database).count_all()
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "a", datetime(1970, 1, 1, tzinfo=UTC))
    if returns:
        store.store(entries_of([an_event(project_id, device_id="a", event_id="again")]))
    assert rebuild_project(database, project_id, repair=False) == []
    complete_erasures(database, project_id)
    assert rebuild_project(database, project_id, repair=False) == []
    Aggregator(database).count_all()
    assert rebuild_project(database, project_id, repair=False) == []
    with database.transaction() as session:
        devices = {device for _, _, named in rollups_of(session) for device in named}
        assert devices == ({"a", "b"} if returns else {"b"})
        assert count(session, "devices") == len(devices)


def test_repair_beside_uncounted_records_counts_them_once(
    database: Database, store: BatchStore, project_id: str
) -> None:
    store.store(entries_of([an_event(project_id, device_id="a"), an_exposure(project_id, device_id="a")]))
    Aggregator(database).count_all()
    store.store(entries_of([an_event(project_id, device_id=device) for device in "ab"]))
    store.store(entries_of([an_exposure(project_id, device_id="b")]))
    with database.transaction() as session:
        session.execute(text("UPDATE activity_cells SET events = events + 3"))
    assert rebuild_project(database, project_id, repair=True)
    Aggregator(database).count_all()
    assert is_exact(database)


def test_counts_are_exact_beside_a_consumer_of_release_0_2_0(
    database: Database, store: BatchStore, project_id: str
) -> None:
    def store_as_0_2_0(device_id: str) -> None:
        """Store an event, number its device and count it, in one transaction."""
        record = an_event(project_id, device_id=device_id)
        with database.transaction() as session:
            cursor = driver_cursor(session)
            cursor.execute(
                "INSERT INTO events (project_id, event_id, event_type, device_id, flow_id, occurred_at, received_at)"
                " VALUES (%s, %s, %s, %s, %s, to_timestamp(%s), to_timestamp(%s))",
                [
                    project_id,
                    record.event_id,
                    record.event_type,
                    device_id,
                    record.flow_id,
                    NOON_MS / 1000,
                    NOON_MS / 1000,
                ],
            )
            counter = RollupCounter()
            number = number_devices(cursor, [(project_id, device_id)], {})[project_id, device_id]
            counter.add_event(number, NOON_MS, event_key(record))
            found = dict(counter.rollups())
            write_rollups(cursor, ((project_id, *each) for each in (found | all_time_rollups(found)).items()))

    for device in ("new", "former", "both"):
        if device != "former":
            store.store(entries_of([an_event(project_id, device_id=device, occurred_at_ms=NOON_MS)]))
        if device != "new":
            store_as_0_2_0(device)
        assert rebuild_project(database, project_id, repair=False) == []
    Aggregator(database).count_all()
    assert is_exact(database)


def test_names_beyond_the_limit_of_a_day_count_as_other(
    database: Database, store: BatchStore, aggregator: Aggregator, project_id: str
) -> None:
    for batch in range(5):
        names = [f"screen_{number}" for number in range(batch * 8, batch * 8 + 20)]
        records = [
            an_event(project_id, event_type="screen_viewed", screen_id=name, device_id=f"d{batch}") for name in names
        ]
        store.store(entries_of(records))
        aggregator.count_all()
    found = events_by(database, "screen", "screen_id")
    assert len(found) == MAX_KEYS + 1
    assert sum(found.values()) == 100
    assert found["(other)"] == 100 - sum(events for name, events in found.items() if name != "(other)")
    assert sum(events_by(database, "full", "screen_id").values()) == 100
    assert rebuild_project(database, project_id, repair=False) == []


def test_erasure_and_repair_agree_with_names_beyond_the_limit(
    database: Database, store: BatchStore, aggregator: Aggregator, project_id: str
) -> None:
    for device in "abc":
        names = [f"screen_{device}{number}" for number in range(MAX_KEYS)]
        store.store(entries_of([an_event(project_id, screen_id=name, device_id=device) for name in names]))
        aggregator.count_all()
    for device in "ac":
        with database.transaction() as session:
            begin_erasure(driver_cursor(session), project_id, device, utc_now())
        complete_erasures(database, project_id)
        assert rebuild_project(database, project_id, repair=False) == []
    store.store(entries_of([an_event(project_id, screen_id="screen_new", device_id="e")]))
    aggregator.count_all()
    assert rebuild_project(database, project_id, repair=False) == []
    assert events_by(database, "screen", "screen_id")["(other)"] == MAX_KEYS + 1
    with database.transaction() as session:
        session.execute(text("UPDATE activity_cells SET events = events + 1 WHERE screen_id = '(other)'"))
    assert rebuild_project(database, project_id, repair=True)
    assert events_by(database, "screen", "screen_id")["(other)"] == MAX_KEYS + 1


def test_event_types_beyond_the_limit_of_a_project_count_as_other(
    database: Database, store: BatchStore, project_id: str
) -> None:
    types = Counter(f"type_{number}" for number in range(MAX_EVENT_TYPES + 30))
    store.store(entries_of([an_event(project_id, event_type=event_type) for event_type in types]))
    Aggregator(database).count_all()
    later = [an_event(project_id, event_type=name, device_id="erased") for name in ("later", "purchase")]
    store.store(entries_of(later))
    Aggregator(database).count_all()
    for breakdown in ("flow", "screen", "full"):
        found = events_by(database, breakdown, "event_type")
        assert (len(found), found["(other)"], found["purchase"]) == (MAX_EVENT_TYPES + 2, 31, 1)
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "erased", utc_now())
    complete_erasures(database, project_id)
    assert events_by(database, "flow", "event_type")["(other)"] == 30
    assert rebuild_project(database, project_id, repair=False) == []
