"""Event ids by week, beside consumers of the release before: no event counts twice, in either of them."""

import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import accumulate

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from psycopg import errors
from pydantic import SecretStr
from sqlalchemy import text

from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from management_api.db import migrations
from management_api.db.engine import Database, make_engine
from management_api.db.migrate import migrate
from management_api.db.models.event_ids import event_id_digest, project_key
from management_api.db.psycopg_connection import driver_connection, driver_cursor
from management_api.event_consumer.decode import decode_batch
from management_api.event_consumer.store import BatchStore, lock_projects, store_records
from management_api.rollups.maintenance import Maintenance
from management_api.rollups.partitions import EVENT_IDS, make_partitions
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.data.rows import add_project
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

PROJECT = "proj_old"
ADD_PROJECT = "INSERT INTO projects (id, name, platforms, public_key_sealed) VALUES ('proj_old', 'Old', '{ios}', '')"

#: The statements of the release before, in its order.
LOCK_PROJECTS = "SELECT id FROM projects WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
STORE_IF_NEW = "SELECT store_event_ids_unless_known(%s::uuid[], %s, %s, %s, NULL, '{}', '{}', '{}', '{}')"
READ_TURN = "SELECT turn FROM event_storage WHERE turn >= 0 FOR SHARE"
FIND_KNOWN = """
    SELECT digest FROM recent_event_ids_even WHERE project = %(project)s AND digest = ANY(%(digests)s::uuid[])
    UNION ALL SELECT digest FROM recent_event_ids_odd WHERE project = %(project)s AND digest = ANY(%(digests)s::uuid[])
"""
STORE = "INSERT INTO recent_event_ids_{} (project, digest) SELECT %s, unnest(%s::uuid[])"


def former_digests(event_ids: Sequence[str]) -> list[uuid.UUID]:
    """Return the digests as the release before stores them, in its order."""
    return sorted(uuid.UUID(bytes=event_id_digest(PROJECT, event_id)) for event_id in event_ids)


def new_for_release_before(connection: psycopg.Connection[tuple[object, ...]], event_ids: Sequence[str]) -> set[str]:
    """Store ids as a consumer of the release before does, and return those that were new to it."""
    digests = former_digests(event_ids)
    connection.execute(LOCK_PROJECTS, [[PROJECT]])
    key = project_key(PROJECT)
    listed = [digests, [key], [1], list(accumulate([len(digests)]))]
    [(all_new,)] = connection.execute(STORE_IF_NEW, listed).fetchall()
    if not all_new:
        [(turn,)] = connection.execute(READ_TURN).fetchall()
        values = {"project": key, "digests": digests}
        known = {digest for (digest,) in connection.execute(FIND_KNOWN, values)}
        digests = [digest for digest in digests if digest not in known]
        assert isinstance(turn, int)
        connection.execute(STORE.format(("even", "odd")[turn % 2]).encode(), [key, digests])
    names = {uuid.UUID(bytes=event_id_digest(PROJECT, event_id)): event_id for event_id in event_ids}
    return {names[digest] for digest in digests}


def stored_by_release_before(database_url: str, event_ids: Sequence[str]) -> set[str]:
    """Store ids in a transaction that begins again after a lost race, as that release does."""
    while True:
        try:
            with psycopg.connect(database_url) as connection:
                return new_for_release_before(connection, event_ids)
        except errors.UniqueViolation:
            continue


def stored_by_this_release(database: Database, event_ids: Sequence[str]) -> set[str]:
    """Store events, and return the ids of those that were new."""
    with database.transaction() as session:
        before = set(session.scalars(text("SELECT event_id FROM events")))
    BatchStore(database).store(entries_of(an_event(PROJECT, event_id=event_id) for event_id in event_ids))
    with database.transaction() as session:
        return set(session.scalars(text("SELECT event_id FROM events"))) - before


@pytest.fixture
def settings(database_url: str) -> DatabaseSettings:
    """Return the settings of a database with the schema of this release."""
    return DatabaseSettings(database_url=SecretStr(database_url))


@pytest.fixture
def database(settings: DatabaseSettings) -> Iterator[Database]:
    """Return that database, with a project."""
    database = Database(settings)
    with database.transaction() as session:
        add_project(session, id=PROJECT)
    yield database
    database.close()


@pytest.fixture
def database_of_release_before(empty_database_url: str) -> Iterator[Database]:
    """Return a database with the schema of the release before, and a project."""
    settings = DatabaseSettings(database_url=SecretStr(empty_database_url))
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    engine = make_engine(settings)
    with engine.connect() as connection:
        config.attributes.update(connection=connection, on_revision=lambda _revision: None)
        command.upgrade(config, "0014")
        connection.execute(text(ADD_PROJECT))
        connection.commit()
    engine.dispose()
    database = Database(settings)
    yield database
    database.close()


@pytest.mark.parametrize("has_partitions", [False, True])
def test_events_that_the_release_before_has_stored_are_repeated_after_the_upgrade(
    database_of_release_before: Database,
    empty_database_url: str,
    has_partitions: bool,  # noqa: FBT001 - pytest passes it by name
) -> None:
    database = database_of_release_before
    former = [f"evt_{number}" for number in range(3000)]
    with psycopg.connect(empty_database_url) as connection:
        assert new_for_release_before(connection, former[:2000]) == set(former[:2000])
        connection.execute("UPDATE event_storage SET turn = turn + 1")
        assert new_for_release_before(connection, former) == set(former[2000:])
    migrate(DatabaseSettings(database_url=SecretStr(empty_database_url)))
    if has_partitions:
        Maintenance(database, keep_days=400).round(is_large=True)
    assert stored_by_this_release(database, [*former, "new"]) == {"new"}
    with database.transaction() as session:
        assert count(session, "event_ids") == 3001
        assert count(session, "event_ids_default") == 0


def test_consumer_waits_until_the_ids_are_carried_over(
    database_of_release_before: Database, empty_database_url: str
) -> None:
    database, store = database_of_release_before, BatchStore(database_of_release_before)
    entries = entries_of([an_event(PROJECT, event_id="evt")])
    with psycopg.connect(empty_database_url) as connection:
        new_for_release_before(connection, ["evt"])
    engine = make_engine(DatabaseSettings(database_url=SecretStr(empty_database_url)))
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    with engine.connect() as migrating:
        config.attributes.update(connection=migrating, on_revision=lambda _revision: None)
        command.upgrade(config, "0018")
        migrating.commit()
    engine.dispose()
    with pytest.raises(Exception, match="does not have the current schema"):
        store.store(entries)
    migrate(DatabaseSettings(database_url=SecretStr(empty_database_url)))
    store.store(entries)
    with database.transaction() as session:
        assert count(session, "events") == 0


def test_two_releases_by_turns_store_each_event_once(database: Database, database_url: str) -> None:
    assert stored_by_release_before(database_url, ["a", "b"]) == {"a", "b"}
    assert stored_by_this_release(database, ["b", "c"]) == {"c"}
    assert stored_by_release_before(database_url, ["a", "b", "c", "d"]) == {"d"}
    assert stored_by_this_release(database, ["a", "b", "c", "d", "e"]) == {"e"}
    assert stored_by_release_before(database_url, ["e", "c"]) == set()


def test_release_before_recognises_ids_of_other_weeks(database: Database, database_url: str) -> None:
    with database.transaction() as session:
        make_partitions(driver_connection(session), utc_now() - timedelta(weeks=1), EVENT_IDS)
    week_ms = 7 * 86_400_000
    records = [an_event(PROJECT, event_id=event_id) for event_id in ("a", "b")]
    early, late = (
        an_event(PROJECT, event_id=record.event_id, received_at_ms=record.received_at_ms + weeks * week_ms)
        for record, weeks in zip(records, (-1, 1), strict=True)
    )
    BatchStore(database).store(entries_of([early, late]))
    assert stored_by_release_before(database_url, ["a", "b", "c"]) == {"c"}


@pytest.mark.parametrize("first", ["this release", "the release before"])
def test_two_releases_at_once_store_each_event_once(database: Database, database_url: str, first: str) -> None:
    """The first one stores an event and stays in its transaction, while the other one begins with the same event."""
    new: list[set[str]] = []

    def run(store: Callable[[], set[str]]) -> threading.Thread:
        thread = threading.Thread(target=lambda: new.append(store()))
        thread.start()
        eventually(lambda: _waits_for_lock(database))
        return thread

    if first == "this release":
        with database.transaction(index_scans_only=True) as session:
            cursor = driver_cursor(session)
            batch = decode_batch(entries_of(an_event(PROJECT, event_id=event_id) for event_id in ("a", "b")))
            now_ms, alive = lock_projects(cursor, batch)
            store_records(cursor, batch, alive, now_ms)
            thread = run(lambda: stored_by_release_before(database_url, ["b", "c"]))
    else:
        with psycopg.connect(database_url) as connection:
            new_for_release_before(connection, ["a", "b"])
            thread = run(lambda: stored_by_this_release(database, ["b", "c"]))
    thread.join()
    assert new == [{"c"}]


def _waits_for_lock(database: Database) -> bool:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with database.transaction() as session:
        return bool(session.scalar(text(query)))
