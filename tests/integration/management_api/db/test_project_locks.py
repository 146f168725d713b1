"""Owners of a project and batches of its events take turns, also beside a release that locks rows alone."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from management_api.db.engine import Database
from management_api.db.project_locks import lock_free_projects, own_project, share_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.bisecting import BisectingStore
from management_api.event_consumer.store import BatchStore
from management_api.rollups.erasure import begin_erasure
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import NOON_MS, an_event, entries_of
from tests.support.data.rows import add_project
from tests.support.polling import eventually

#: Each of the busy loops holds a project for so long (seconds).
HELD_SECONDS = 0.05
#: A lock that takes turns is there after one batch of each loop; without turns it comes after the lock timeout.
TURN_SECONDS = 3.0


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Return a database with a connection for each loop and the test, because the pool does not queue fairly."""
    found = Database(DatabaseSettings(database_url=SecretStr(database_url), database_pool_size=10))
    yield found
    found.close()


@pytest.fixture
def project_id(database: Database) -> str:
    with database.transaction() as session:
        return add_project(session).id


@contextmanager
def loops(count: int, work: Callable[[int], None]) -> Iterator[None]:
    """Run the work in threads without a pause, each with its number, beside the block."""
    stop, failures = threading.Event(), list[BaseException]()

    def run(number: int) -> None:
        try:
            while not stop.is_set():
                work(number)
        except BaseException as error:  # noqa: BLE001 - raised by the main thread
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []


def is_held(database: Database, project_id: str) -> bool:
    """Return whether a batch has to leave the project out."""
    with database.transaction() as session:
        return lock_free_projects(driver_cursor(session), [project_id]).busy == {project_id}


def test_owner_gets_its_turn_between_overlapping_batches(database: Database, project_id: str) -> None:
    def share(_: int) -> None:
        with database.transaction() as session:
            lock_free_projects(driver_cursor(session), [project_id])
            time.sleep(HELD_SECONDS)

    with loops(6, share):
        for _ in range(3):
            begun = time.monotonic()
            with database.transaction() as session:
                assert own_project(driver_cursor(session), project_id)
            assert time.monotonic() - begun < TURN_SECONDS


def test_sharer_gets_its_turn_between_overlapping_owners(database: Database, project_id: str) -> None:
    def own(_: int) -> None:
        with database.transaction() as session:
            own_project(driver_cursor(session), project_id)
            time.sleep(HELD_SECONDS)

    with loops(4, own):
        for _ in range(3):
            begun = time.monotonic()
            with database.transaction() as session:
                assert share_project(driver_cursor(session), project_id)
            assert time.monotonic() - begun < TURN_SECONDS


def test_batch_leaves_out_a_project_that_an_owner_waits_for(database: Database, project_id: str) -> None:
    def own() -> None:
        with database.transaction() as session:
            own_project(driver_cursor(session), project_id)

    owner = threading.Thread(target=own)
    with database.transaction() as session:
        assert lock_free_projects(driver_cursor(session), [project_id]) == ({project_id}, set())
        owner.start()
        eventually(lambda: is_held(database, project_id))
    owner.join()
    assert not is_held(database, project_id)


@pytest.mark.parametrize("strength", ["KEY SHARE", "UPDATE"])
def test_owner_waits_for_the_row_lock_of_release_0_2(
    database: Database, database_url: str, project_id: str, strength: str
) -> None:
    with psycopg.connect(database_url) as former:
        former.execute(f"SELECT FROM projects WHERE id = %s FOR {strength}".encode(), [project_id])
        assert is_held(database, project_id) == (strength == "UPDATE")
        with database.transaction() as session:
            cursor = driver_cursor(session)
            cursor.execute("SET LOCAL lock_timeout = '200ms'")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                own_project(cursor, project_id)
            session.rollback()
    with database.transaction() as session:
        assert own_project(driver_cursor(session), project_id)


def test_missing_project_is_neither_held_nor_busy(database: Database, project_id: str) -> None:
    with database.transaction() as session:
        cursor = driver_cursor(session)
        assert lock_free_projects(cursor, [project_id, "proj_gone"], ["proj_lost"]) == ({project_id}, set())
        assert not share_project(cursor, "proj_gone")
        assert not own_project(cursor, "proj_lost")


def test_late_event_and_erasure_come_through_beside_eight_busy_consumers(database: Database, project_id: str) -> None:
    numbers = itertools.count()

    def consume(_: int) -> None:
        events = [an_event(project_id, event_id=f"e{next(numbers)}", device_id=f"d{n}") for n in range(200)]
        store = BisectingStore(BatchStore(database))
        entries = entries_of(events)
        outcome = store.store(entries)
        while outcome.deferred:
            outcome = store.retry(outcome.deferred, set())

    late = entries_of([an_event(project_id, event_id="late", received_at_ms=NOON_MS)])
    with loops(8, consume):
        begun = time.monotonic()
        outcome = BisectingStore(BatchStore(database)).retry(late, set())
        assert (outcome.stored, outcome.dead_letters, outcome.deferred) == (1, 0, ())
        with database.transaction() as session:
            begin_erasure(driver_cursor(session), project_id, "d1", utc_now())
        assert time.monotonic() - begun < 2 * TURN_SECONDS
    with database.transaction() as session:
        assert count(session, "dead_letters") == 0
