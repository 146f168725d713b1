"""What cannot be stored: it alone becomes a dead letter, or waits, and the rest is stored."""

import pytest
from sqlalchemy import select

from common.errors import UnavailableError
from management_api.database.events import DeadLetter
from management_api.database.transactions import Database
from management_api.event_consumer.batch_store import BatchStore
from management_api.event_consumer.careful_storing import CarefulStore
from tests.database_outage import database_outage
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_entry, an_event, entries_of
from tests.rows import add_project


@pytest.fixture
def store(database: Database) -> CarefulStore:
    """Give what stores a lane's batches; it shadows the plain one."""
    return CarefulStore(BatchStore(database), hold_seconds=60)


@pytest.fixture
def project_id(database: Database) -> str:
    """Give a project that exists."""
    with database.transaction() as session:
        return add_project(session).id


@pytest.mark.parametrize("positions", [(0,), (9,), (4, 5), tuple(range(10))])
def test_poison_goes_to_the_dead_letters_and_the_rest_is_stored(
    database: Database, store: CarefulStore, project_id: str, positions: tuple[int, ...]
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
        assert {letter.reason.split(":")[0] for letter in letters} == {"DatetimeFieldOverflow"}
        assert count(session, "events") == len(sound)


def test_unreadable_entries_do_not_cost_the_others_a_second_try(
    database: Database, store: CarefulStore, project_id: str
) -> None:
    store.store([an_entry(b"?"), *entries_of([an_event(project_id)]), an_entry(b"")])
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (2, 1)


def test_nothing_to_store_is_nothing_to_do(database: Database, store: CarefulStore) -> None:
    store.store([])
    with database.transaction() as session:
        assert count(session, "events") == 0


def test_outage_is_never_taken_for_poison(
    database: Database, store: CarefulStore, project_id: str, database_url: str
) -> None:
    entries = entries_of([an_event(project_id)])
    with database_outage(database_url), pytest.raises(UnavailableError):
        store.store(entries)
    with database.transaction() as session:
        assert (count(session, "dead_letters"), count(session, "events")) == (0, 0)
