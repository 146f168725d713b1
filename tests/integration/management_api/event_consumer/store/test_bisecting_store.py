"""Entries that cannot be stored become dead letters, or are deferred, and the rest is stored."""

from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import event, select, text

from common.errors import UnavailableError
from common.wire.redis_keys import event_stream
from common.wire.stream_records import StreamRecord, decode_record, encode_record
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.bisecting import BisectingStore
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.erasure import begin_erasure
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import (
    NOON_MS,
    an_entry,
    an_event,
    an_exposure,
    entries_of,
)
from tests.support.data.rows import add_project
from tests.support.databases.locked_project import locked_project
from tests.support.databases.outages import database_outage


@pytest.fixture
def store(database: Database) -> BisectingStore:
    """Return the store of a stream worker in place of the plain one."""
    return BisectingStore(BatchStore(database))


@pytest.mark.parametrize("positions", [(0,), (9,), (4, 5), tuple(range(10))])
def test_poison_goes_to_the_dead_letters_and_the_rest_is_stored(
    database: Database, store: BisectingStore, project_id: str, positions: tuple[int, ...]
) -> None:
    poison = entries_of(an_event(project_id, occurred_at_ms=2**62) for _ in positions)
    sound = entries_of(an_event(project_id) for _ in range(10 - len(positions)))
    entries = sound.copy()
    for position, entry in zip(positions, poison, strict=True):
        entries.insert(position, entry)
    store.store(entries)
    with database.transaction() as session:
        letters = session.execute(select(DeadLetter.entry_id, DeadLetter.reason).order_by(DeadLetter.id)).all()
        assert [letter.entry_id for letter in letters] == [entry.entry_id for entry in poison]
        assert {letter.reason.split(":")[0] for letter in letters} == {"OverflowError"}
        assert count(session, "events") == len(sound)


def test_poison_of_an_erased_device_is_a_letter_only_after_the_erasure(
    database: Database, store: BisectingStore, project_id: str
) -> None:
    erased_at = datetime.fromtimestamp(NOON_MS / 1000, UTC)
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "device", erased_at)
    refused = {"occurred_at_ms": 2**62}
    before: list[StreamRecord] = [
        an_event(project_id, **refused),
        an_exposure(project_id, flow_id="\0"),
        an_event(project_id, properties={"a": b"no JSON"}),
    ]
    later = an_event(project_id, **refused)
    entry_of_later = StreamEntry(event_stream(0), f"{NOON_MS + 1}-0", encode_record(later))
    of_another = an_event(project_id, device_id="another", **refused)
    store.store([*entries_of([*before, of_another]), entry_of_later])
    with database.transaction() as session:
        bodies = session.scalars(select(DeadLetter.body).order_by(DeadLetter.id)).all()
        assert [decode_record(body) for body in bodies] == [of_another, later]


def test_unreadable_entries_do_not_cost_the_others_a_second_try(
    database: Database, store: BisectingStore, project_id: str
) -> None:
    store.store([an_entry(b"?"), *entries_of([an_event(project_id)]), an_entry(b"")])
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (2, 1)


def test_nothing_to_store_is_nothing_to_do(database: Database, store: BisectingStore) -> None:
    store.store([])
    with database.transaction() as session:
        assert count(session, "events") == 0


def test_outage_is_never_taken_for_poison(
    database: Database, store: BisectingStore, project_id: str, database_url: str
) -> None:
    entries = entries_of([an_event(project_id)])
    with database_outage(database_url), pytest.raises((UnavailableError, psycopg.OperationalError)):
        store.store(entries)
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (0, 0)


@pytest.mark.parametrize(("kind", "name"), [("TABLE", "event_ids"), ("TABLE", "uncounted_batches")])
def test_entries_wait_for_a_missing_schema_and_are_no_dead_letters(
    database: Database, store: BisectingStore, project_id: str, kind: str, name: str
) -> None:
    batch = entries_of([an_event(project_id)])
    with database.transaction() as session:
        session.execute(text(f"ALTER {kind} {name} RENAME TO missing"))
    with pytest.raises(psycopg.ProgrammingError):
        store.store(batch)
    with database.transaction() as session:
        session.execute(text(f"ALTER {kind} missing RENAME TO {name}"))
    store.store(batch)
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (0, 1)


def _add_trigger(database: Database, body: str) -> None:
    """Have PostgreSQL do something for each event of the device `poison`."""
    with database.transaction() as session:
        session.execute(
            text(
                f"CREATE FUNCTION meet_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NEW; END $$"
            )
        )
        session.execute(
            text("""
                CREATE TRIGGER meet_poison BEFORE INSERT ON events
                FOR EACH ROW WHEN (NEW.device_id = 'poison') EXECUTE FUNCTION meet_poison()
            """)
        )


@pytest.mark.parametrize(
    ("body", "kind"), [("PERFORM pg_sleep(30);", "QueryCanceled"), ("RAISE EXCEPTION 'no';", "RaiseException")]
)
def test_timeout_or_constraint_violation_makes_an_entry_poison(
    settings: ConsumerSettings, database: Database, project_id: str, body: str, kind: str
) -> None:
    _add_trigger(database, body)
    entries = entries_of([an_event(project_id), an_event(project_id, device_id="poison"), an_event(project_id)])
    hasty = Database(settings.model_copy(update={"database_statement_timeout_ms": 300}))
    try:
        outcome = BisectingStore(BatchStore(hasty)).store(entries)
    finally:
        hasty.close()
    assert (outcome.stored, outcome.dead_letters, outcome.deferred) == (2, 1, ())
    with database.transaction() as session:
        assert session.scalars(select(DeadLetter.reason)).one().startswith(f"{kind}: ")
        assert count(session, "events") == 2


def test_locked_project_delays_its_own_events_only(
    database: Database, store: BisectingStore, database_url: str, project_id: str
) -> None:
    with database.transaction() as session:
        other_id = add_project(session).id
    named = an_entry(f"no record of {project_id}".encode())
    held, others = (
        [*entries_of(an_event(project_id) for _ in range(3)), named],
        entries_of(an_event(other_id) for _ in range(2)),
    )
    with locked_project(database_url, project_id):
        outcome = store.store([*held, *others])
        assert (outcome.stored, outcome.dead_letters, outcome.deferred) == (2, 0, tuple(held))
        locked: set[str | None] = set()
        assert store.retry(held, locked).deferred == tuple(held)
        assert locked == {project_id}
    assert store.retry(held, set()).deferred == ()
    with database.transaction() as session:
        assert (count(session, "events"), count(session, "dead_letters")) == (5, 1)


def test_locked_projects_are_left_out_of_one_transaction_without_waiting(
    database: Database, store: BisectingStore, database_url: str
) -> None:
    with database.transaction() as session:
        project_ids = [add_project(session).id for _ in range(50)]
    entries = entries_of(an_event(project_id) for project_id in project_ids for _ in range(5))
    store.store(entries[:1])
    commits: list[object] = []
    event.listen(database.engine, "commit", commits.append)
    with locked_project(database_url, project_ids[7]):
        outcome = store.store(entries)
    assert (outcome.stored, len(outcome.deferred), len(commits)) == (245, 5, 1)


@pytest.mark.parametrize("limit", ["database_lock_timeout_ms", "database_statement_timeout_ms"])
def test_timeout_of_a_lock_is_never_taken_for_poison(
    settings: ConsumerSettings, database: Database, database_url: str, project_id: str, limit: str
) -> None:
    late = entries_of([an_event(project_id, received_at_ms=NOON_MS)])
    poison = entries_of([an_event(project_id, occurred_at_ms=2**62)])
    hasty = Database(settings.model_copy(update={limit: 300}))
    try:
        store = BisectingStore(BatchStore(hasty))
        with locked_project(database_url, project_id):
            assert store.store([*late, *poison]).deferred == (*late, *poison)
            assert store.retry([*late, *poison], set()).deferred == (*late, *poison)
    finally:
        hasty.close()
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (0, 0)
