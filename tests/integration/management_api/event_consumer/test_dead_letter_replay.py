"""Replayed dead letters are stored once, or are dead letters again with one more attempt; erased ones are dropped."""

from collections.abc import Callable

import msgspec
import pytest
import redis
from sqlalchemy import select, text

from common.ids import IdPrefix, new_id
from common.wire.redis_keys import event_stream
from common.wire.stream_records import encode_record
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.event_consumer.dead_letters import (
    DeadLetterFilter,
    count_dead_letters,
    replay_dead_letters,
    summarize_dead_letters,
)
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from tests.integration.management_api.event_consumer.running_consumer import running, waiting
from tests.integration.management_api.event_consumer.stored_tables import count, expected_rollups, rollups_of
from tests.integration.management_api.event_consumer.stream_records import an_entry, an_event, entries_of
from tests.support.data.rows import add_project
from tests.support.polling import eventually

EVERY = DeadLetterFilter()

Replay = Callable[[DeadLetterFilter], int]


@pytest.fixture
def replay(database: Database, redis_client: redis.Redis) -> Replay:
    """Return the replay without a report of its progress."""
    return lambda which: replay_dead_letters(database, redis_client, which, lambda _done, _total: None)


def letters(database: Database) -> list[tuple[int, int, bool]]:
    """Return each letter: its id, its attempts, and whether it is on its way again."""
    with database.transaction() as session:
        rows = session.execute(select(DeadLetter.id, DeadLetter.attempts, DeadLetter.replayed_at).order_by("id"))
        return [(row.id, row.attempts, row.replayed_at is not None) for row in rows]


def keep(store: BatchStore, project_id: str, **fields: object) -> None:
    """Make a letter of an event that could be stored today."""
    store.store_dead_letter(an_entry(encode_record(an_event(project_id, **fields))), "Earlier: it could not be stored")


def test_letters_that_can_be_stored_now_are_and_go(
    settings: ConsumerSettings, database: Database, store: BatchStore, project_id: str, replay: Replay
) -> None:
    for number in range(7):
        keep(store, project_id, device_id=f"device_{number}")
    assert replay(EVERY) == 7
    assert [on_its_way for _, _, on_its_way in letters(database)] == [True] * 7
    with running(settings):
        eventually(lambda: letters(database) == [])
    with database.transaction() as session:
        assert count(session, "events") == 7
        # At its stop the consumer counts its last events.
        assert rollups_of(session) == expected_rollups(session)


def test_letter_that_fails_again_has_one_more_attempt(
    settings: ConsumerSettings,
    database: Database,
    redis_client: redis.Redis,
    store: BatchStore,
    project_id: str,
    replay: Replay,
) -> None:
    keep(store, project_id, occurred_at_ms=2**62)
    store.store_dead_letter(an_entry(b"unreadable"), "StreamRecordError: ...")
    (first, _, _), (second, _, _) = letters(database)
    with running(settings):
        for failures in (2, 3):
            assert replay(EVERY) == 2
            eventually(lambda: letters(database) == [(first, failures, False), (second, failures, False)])  # noqa: B023
        eventually(lambda: waiting(redis_client) == 0)


def test_a_replay_that_is_done_twice_counts_once(
    settings: ConsumerSettings, database: Database, store: BatchStore, project_id: str, replay: Replay
) -> None:
    keep(store, project_id)
    assert (replay(EVERY), replay(EVERY), replay(DeadLetterFilter(include_replayed=True))) == (1, 0, 1)
    with running(settings):
        eventually(lambda: letters(database) == [])
    with database.transaction() as session:
        assert count(session, "events") == 1


def test_replayed_entry_without_its_letter_is_dropped_at_any_age(
    settings: ConsumerSettings,
    database: Database,
    redis_client: redis.Redis,
    store: BatchStore,
    project_id: str,
    replay: Replay,
) -> None:
    keep(store, project_id)
    replay(EVERY)
    with database.transaction() as session:
        session.execute(text("DELETE FROM dead_letters"))
    with running(settings):
        eventually(lambda: waiting(redis_client) == 0)
    with database.transaction() as session:
        assert (count(session, "events"), count(session, "dead_letters")) == (0, 0)


def test_letters_go_with_their_project_also_those_on_their_way(
    settings: ConsumerSettings,
    database: Database,
    redis_client: redis.Redis,
    store: BatchStore,
    project_id: str,
    replay: Replay,
) -> None:
    keep(store, project_id)
    keep(store, project_id, occurred_at_ms=2**62)
    store.store_dead_letter(an_entry(b"\x00 of some future format " + project_id.encode()), "StreamRecordError: ...")
    replay(EVERY)
    with database.transaction() as session:
        session.execute(text("DELETE FROM projects"))
    assert letters(database) == []
    with running(settings):
        eventually(lambda: waiting(redis_client) == 0)
    with database.transaction() as session:
        assert (count(session, "events"), count(session, "dead_letters")) == (0, 0)


def test_entries_of_a_deleted_project_are_dropped(database: Database, store: BatchStore, project_id: str) -> None:
    with database.transaction() as session:
        session.execute(text("DELETE FROM projects"))
    keep(store, project_id)
    assert letters(database) == []


def test_an_event_of_an_unknown_project_is_stored_once_the_project_is_restored(
    settings: ConsumerSettings, database: Database, store: BatchStore, replay: Replay
) -> None:
    unknown_id = new_id(IdPrefix.PROJECT)
    store.store(entries_of([an_event(unknown_id)]))
    assert replay(EVERY) == 1
    with running(settings):
        eventually(lambda: [attempts for _, attempts, _ in letters(database)] == [2])
        with database.transaction() as session:
            add_project(session, id=unknown_id)
        assert replay(EVERY) == 1
        eventually(lambda: letters(database) == [])
    with database.transaction() as session:
        assert count(session, "events") == 1


def test_letters_are_counted_and_chosen_by_kind_project_and_id(
    database: Database, store: BatchStore, project_id: str
) -> None:
    keep(store, project_id)
    keep(store, project_id)
    store.store_dead_letter(an_entry(b"nobody's"), "StreamRecordError: unreadable")
    ids = [dead_letter_id for dead_letter_id, _, _ in letters(database)]
    with database.transaction() as session:
        assert [(kind.kind, kind.letters) for kind in summarize_dead_letters(session)] == [
            ("Earlier", 2),
            ("StreamRecordError", 1),
        ]
        assert count_dead_letters(session, EVERY) == 3
        assert count_dead_letters(session, DeadLetterFilter(kind="Earlier")) == 2
        assert count_dead_letters(session, DeadLetterFilter(project_id=project_id)) == 2
        assert count_dead_letters(session, DeadLetterFilter(ids=(ids[0], ids[2]))) == 2


@pytest.mark.parametrize(("stream", "target"), [(event_stream(2), event_stream(2)), ("former", event_stream(0))])
def test_replayed_entry_goes_to_the_stream_that_it_came_from(
    redis_client: redis.Redis, store: BatchStore, project_id: str, replay: Replay, stream: str, target: str
) -> None:
    entry = an_entry(encode_record(an_event(project_id)))
    store.store_dead_letter(msgspec.structs.replace(entry, stream=stream), "Earlier: it could not be stored")
    replay(EVERY)
    assert redis_client.xlen(target) == 1
