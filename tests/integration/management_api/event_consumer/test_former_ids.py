"""The ids of the turn before, as a consumer remembers them: none is ever missed, and new ones are not looked up."""

import threading
from collections.abc import Sequence

import pytest
import redis
from sqlalchemy import text
from sqlalchemy.orm import Session

from management_api.database.driver import driver_cursor
from management_api.database.recent_event_ids import project_key
from management_api.database.transactions import Database
from management_api.event_consumer.former_ids import FormerIds
from management_api.event_consumer.new_events import remember
from management_api.event_consumer.preparation import prepare_batch
from management_api.event_consumer.settings import ConsumerSettings
from tests.integration.management_api.event_consumer.running_consumer import running, waiting
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of, send
from tests.integration.management_api.event_consumer.turns import fill, turn_over
from tests.polling import eventually
from tests.rows import add_project

EVENTS = [f"evt_{number:04}" for number in range(3000)]

#: So often this transaction looked into the table that is filled first.
SCANS = """
    SELECT coalesce(sum(pg_stat_get_xact_numscans(oid)), 0) FROM pg_class
    WHERE relname IN ('pk_recent_event_ids_even', 'recent_event_ids_even')
"""
#: What a failover to a server that had not heard of the turn leaves, when the turn is changed once more.
CHANGE_TURNS_ONCE_MORE = "UPDATE event_storage SET turn_since = turn_since + interval '1 minute'"


def new_in(session: Session, former: FormerIds, project_id: str, events: Sequence[str]) -> list[str]:
    """Give those events that were new, which are stored."""
    records = [an_event(project_id, event_id=event_id) for event_id in events]
    ids = remember(driver_cursor(session), prepare_batch(entries_of(records)).activity.ids, former.suspects)
    return sorted(event.record.event_id for event in ids.events)


def new_among(database: Database, former: FormerIds, project_id: str, events: Sequence[str]) -> list[str]:
    """Do the same in a transaction of its own."""
    with database.transaction_by_indexes() as session:
        return new_in(session, former, project_id, events)


@pytest.fixture
def former(database: Database) -> FormerIds:
    """Know nothing yet."""
    return FormerIds(database, limit_bytes=1024 * 1024)


def test_every_id_of_the_turn_before_is_known_and_every_other_is_new(
    database: Database, former: FormerIds, project_id: str
) -> None:
    assert new_among(database, former, project_id, EVENTS[::2]) == EVENTS[::2]
    turn_over(database)
    former.refresh()
    assert former.is_known
    assert new_among(database, former, project_id, EVENTS) == EVENTS[1::2]
    assert new_among(database, former, project_id, EVENTS) == []


def test_ids_of_several_projects_are_told_apart(database: Database, former: FormerIds) -> None:
    with database.transaction() as session:
        project_ids = [add_project(session, id=f"proj_{number}").id for number in range(4)]
    for number, project_id in enumerate(project_ids):
        new_among(database, former, project_id, EVENTS[number : number + 100])
    turn_over(database)
    former.refresh()
    records = [an_event(project_id, event_id=event_id) for event_id in EVENTS[:110] for project_id in project_ids]
    with database.transaction_by_indexes() as session:
        ids = remember(driver_cursor(session), prepare_batch(entries_of(records)).activity.ids, former.suspects)
    new = {(event.record.project_id, event.record.event_id) for event in ids.events}
    assert new == {
        (project_id, event_id)
        for number, project_id in enumerate(project_ids)
        for event_id in EVENTS[:number] + EVENTS[number + 100 : 110]
    }


@pytest.mark.parametrize("limit_bytes", [0, 1000, 8192, 1024 * 1024])
def test_new_ids_are_not_looked_up_in_the_turn_before_unless_they_are_too_many_to_remember(
    database: Database, project_id: str, limit_bytes: int
) -> None:
    fill(database, project_id, 70_000, "even")
    turn_over(database)
    former = FormerIds(database, limit_bytes=limit_bytes)
    former.refresh()
    assert former.is_known == (limit_bytes * 8 > 70_000)
    with database.transaction_by_indexes() as session:
        scans = [_scans_of(session, former, project_id, event_id) for event_id in EVENTS[:20]]
    # By chance one in some dozens is suspected.
    assert scans.count(0) > 10 if former.is_known else scans.count(0) == 0


def test_what_is_known_of_one_turn_is_not_believed_in_the_next(
    database: Database, former: FormerIds, project_id: str
) -> None:
    former.refresh()
    new_among(database, former, project_id, EVENTS[:2])
    turn_over(database)
    # What is remembered is of the turn before that, which had nothing.
    assert former.is_known
    assert new_among(database, former, project_id, EVENTS[:4]) == EVENTS[2:4]
    former.refresh()
    assert new_among(database, former, project_id, EVENTS[:6]) == EVENTS[4:6]


def test_a_turn_that_came_twice_is_another_turn(database: Database, former: FormerIds, project_id: str) -> None:
    turn_over(database)
    former.refresh()
    with database.transaction() as session:
        session.execute(text(CHANGE_TURNS_ONCE_MORE))
        cursor = driver_cursor(session)
        ids = prepare_batch(entries_of([an_event(project_id, event_id="evt")])).activity.ids
        cursor.execute(
            "INSERT INTO recent_event_ids_even (project, digest) SELECT %s, unnest(%s::uuid[])",
            [project_key(project_id), [ids.events[0].digest.hex()]],
        )
    assert new_among(database, former, project_id, ["evt", "other"]) == ["other"]


def test_turns_that_change_while_their_ids_are_read_leave_nothing_known(
    database: Database, former: FormerIds, project_id: str
) -> None:
    new_among(database, former, project_id, EVENTS[:2])
    turn_over(database)

    class TurningOver(threading.Event):
        def is_set(self) -> bool:
            turn_over(database, days=16)
            return False

    former.refresh(TurningOver())
    assert not former.is_known
    former.refresh()
    assert former.is_known


def test_a_stop_ends_the_reading(database: Database, former: FormerIds, project_id: str) -> None:
    new_among(database, former, project_id, EVENTS[:2])
    turn_over(database)
    stop = threading.Event()
    stop.set()
    former.refresh(stop)
    assert not former.is_known


def test_a_consumer_that_runs_remembers_and_counts_each_event_once(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_id: str
) -> None:
    records = [an_event(project_id, event_id=event_id) for event_id in EVENTS[:300]]
    turn_over(database)
    with running(settings):
        send(redis_client, records[:200])
        eventually(lambda: waiting(redis_client) == 0)
    turn_over(database, days=16)
    with running(settings) as consumer:
        eventually(lambda: consumer.former_ids.is_known)
        send(redis_client, records)
        eventually(lambda: waiting(redis_client) == 0)
    with database.transaction() as session:
        assert count(session, "events") == 300


def _scans_of(session: Session, former: FormerIds, project_id: str, event_id: str) -> int:
    before = session.scalar(text(SCANS))
    assert new_in(session, former, project_id, [event_id]) == [event_id]
    return (session.scalar(text(SCANS)) or 0) - (before or 0)
