"""The ids of a batch among those that are stored already: told apart by the key, however many there are."""

from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from common.wire.stream_records import EventRecord
from management_api.database.driver import driver_cursor
from management_api.database.transactions import Database
from management_api.event_consumer.new_events import remember
from management_api.event_consumer.preparation import prepare_batch
from tests.integration.management_api.event_consumer.stored_tables import count
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.integration.management_api.event_consumer.turns import fill, turn_over

#: So many that PostgreSQL would rather read them all than look some up, if it knew nothing of the table.
MANY = 50_000

#: Of both tables and their keys: rows and entries of the index that this transaction was given to look at.
READ = """
    SELECT sum(pg_stat_get_xact_tuples_returned(oid)) FROM pg_class WHERE relname IN (
        'recent_event_ids_even', 'recent_event_ids_odd', 'pk_recent_event_ids_even', 'pk_recent_event_ids_odd'
    )
"""


def new_among(session: Session, records: Sequence[EventRecord]) -> list[str]:
    """Give the ids of those of the records that were new, which are stored."""
    ids = remember(driver_cursor(session), prepare_batch(entries_of(records)).activity.ids)
    return sorted(event.record.event_id for event in ids.events)


@pytest.mark.parametrize("turn", ["even", "odd"])
@pytest.mark.parametrize("repeated", [0, 1, 20])
def test_only_what_is_asked_for_is_read_however_many_are_known(
    database: Database, project_id: str, turn: str, repeated: int
) -> None:
    if turn == "odd":
        turn_over(database, days=8)
    fill(database, project_id, MANY, "even", "odd")
    records = [an_event(project_id, event_id=f"evt_{number:02}") for number in range(20)]
    with database.transaction_by_indexes() as session:
        assert len(new_among(session, records[:repeated])) == repeated
    with database.transaction_by_indexes() as session:
        assert new_among(session, records) == [record.event_id for record in records[repeated:]]
        # Up to three statements find those that are repeated.
        assert session.scalar(text(READ)) <= 3 * len(records)


def test_ids_of_the_turn_before_and_of_this_one_are_known(database: Database, project_id: str) -> None:
    records = [an_event(project_id, event_id=f"evt_{number}") for number in range(4)]
    with database.transaction_by_indexes() as session:
        assert new_among(session, records[:1]) == ["evt_0"]
    turn_over(database, days=8)
    for known, expected in ((records[:2], ["evt_1"]), (records[:3], ["evt_2"]), (records, ["evt_3"]), (records, [])):
        with database.transaction_by_indexes() as session:
            assert new_among(session, known) == expected
    with database.transaction() as session:
        assert [count(session, f"recent_event_ids_{name}") for name in ("even", "odd")] == [1, 3]
