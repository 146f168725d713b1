"""However records are shuffled, repeated and cut into batches, the tables are the same, and can be recomputed."""

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.rollups.compaction import compact_day, merge_deltas
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.storage import ROLLUP_TABLES, day_of
from tests.integration.management_api.event_consumer.stored_tables import (
    RAW,
    PlainRollup,
    Rows,
    count,
    expected_rollups,
    rollups_of,
    rows_of,
)
from tests.integration.management_api.event_consumer.stream_records import DAY_MS, NOON_MS, entries_of
from tests.support.data.rows import add_project
from tests.support.soak import soak_setting

pytestmark = pytest.mark.slow

PROJECT = "proj_shuffled"
NOW_MS = int(time.time() * 1000)

#: The database and its folder are shared by the examples; each of them empties the tables first.
shuffled = settings(
    max_examples=soak_setting("SHUFFLES", 10, 300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

moments = st.integers(min_value=NOON_MS - 2 * DAY_MS, max_value=NOON_MS)
devices = st.sampled_from(["device_a", "device_b"])
flows = st.sampled_from(["flow_1", "flow_2"])


#: How a path led to a view: unknown, from the start, by a rule, and by Back.
PROPERTIES: list[dict[str, Any]] = [
    {},
    {"from_screen_id": None, "rule": None, "step": 1},
    {"from_screen_id": "screen_0", "rule": "rule_1"},
    {"from_screen_id": "screen_2", "rule": None, "is_back": True},
]


@st.composite
def events(draw: st.DrawFn) -> EventRecord:
    """Draw an event; all else follows from its id, as a duplicate is a copy."""
    moment = draw(moments)
    return EventRecord(
        project_id=PROJECT,
        event_id=f"evt_{moment}",
        event_type=["flow_started", "flow_completed", "screen_viewed"][moment % 3],
        device_id=["device_a", "device_b"][moment % 2],
        occurred_at_ms=moment,
        received_at_ms=NOW_MS - (moment % 3) * 7 * DAY_MS,
        flow_id=[None, "flow_1", "flow_2"][moment % 5 % 3],
        screen_id=[None, "screen_1"][moment % 2],
        experiment_id=[None, "exp_1"][moment % 7 % 2],
        variant=[None, "a", "b"][moment % 11 % 3],
        platform=[None, "ios", "android"][moment % 13 % 3],
        locale=[None, "de", "pt-BR"][moment % 11 % 3],
        properties=PROPERTIES[moment % 17 % 4],
    )


@st.composite
def exposures(draw: st.DrawFn) -> ExposureRecord:
    return ExposureRecord(PROJECT, draw(devices), draw(flows), draw(moments))


def only_moment(exposure: ExposureRecord) -> ExposureRecord:
    """Return the exposure at the one moment that all exposures of its device and flow have."""
    moment = NOON_MS - DAY_MS * (len(exposure.device_id + exposure.flow_id) + ord(exposure.flow_id[-1])) % (3 * DAY_MS)
    return ExposureRecord(exposure.project_id, exposure.device_id, exposure.flow_id, moment)


@pytest.fixture
def project(database: Database) -> None:
    with database.transaction() as session:
        add_project(session, id=PROJECT)


def stored(
    database: Database, store: BatchStore, batches: list[list[StreamRecord]]
) -> tuple[dict[str, Rows], list[PlainRollup]]:
    """Store the batches in empty tables; return the rows of the tables."""
    with database.transaction() as session:
        tables = f"events, exposures, devices, {', '.join(ROLLUP_TABLES)}, project_totals, event_ids"
        session.execute(text(f"TRUNCATE {tables}"))
    for batch in batches:
        store.store(entries_of(batch))
    with database.transaction() as session:
        return rows_of(session, RAW), rollups_of(session)


@pytest.mark.usefixtures("project")
@shuffled
@given(st.data(), st.lists(events() | exposures().map(only_moment), min_size=1, max_size=12))
def test_any_order_and_repetition_stores_the_same_tables(
    database: Database, store: BatchStore, data: st.DataObject, records: list[StreamRecord]
) -> None:
    repeated = records + data.draw(st.lists(st.sampled_from(records), max_size=6))
    shuffle = data.draw(st.permutations(repeated))
    cut = data.draw(st.integers(min_value=0, max_value=len(shuffle)))
    assert stored(database, store, [shuffle[:cut], shuffle[cut:]]) == stored(database, store, [records])


@pytest.mark.usefixtures("project")
@shuffled
@given(st.lists(st.lists(events() | exposures(), max_size=8), max_size=4))
def test_rollups_equal_the_raw_tables(database: Database, store: BatchStore, batches: list[list[StreamRecord]]) -> None:
    _, rollups = stored(database, store, batches)
    with database.transaction() as session:
        assert rollups == expected_rollups(session)
        assert count(session, "devices") == session.scalar(text("SELECT coalesce(sum(devices), 0) FROM project_totals"))
    assert rebuild_project(database, PROJECT, repair=False) == []


@pytest.mark.usefixtures("project")
@shuffled
@given(st.lists(st.lists(events() | exposures(), max_size=8), max_size=4))
def test_compaction_keeps_the_counts_of_rollups(
    database: Database, store: BatchStore, batches: list[list[StreamRecord]]
) -> None:
    _, rollups = stored(database, store, batches)
    with database.transaction() as session:
        cursor = driver_cursor(session)
        days = session.scalars(text("SELECT DISTINCT day FROM activity_cells")).all()
        for day in days:
            merge_deltas(cursor, PROJECT, None if day is None else day_of(day))
        assert rollups_of(session) == rollups
        for day in days:
            compact_day(cursor, PROJECT, None if day is None else day_of(day))
        assert rollups_of(session) == rollups
        assert sum(count(session, table) for table in ROLLUP_TABLES) == len(rollups)
