"""Statistics that begin at a checkpoint are those of all days."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from common.wire.stream_records import StreamRecord
from management_api.analytics.dates import DateRange, Period
from management_api.analytics.project_statistics import project_statistics
from management_api.analytics.statistics_schemas import StatisticsPart, StatisticsView
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.projects import Role
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.rollups import checkpoints
from management_api.rollups.checkpoints import KEPT_MONTHS, make_checkpoint
from management_api.rollups.compaction import compact_day
from management_api.rollups.erasure import begin_erasure, complete_erasures
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.storage import day_of
from management_api.rollups.totals import MIN_DEVICES
from tests.integration.management_api.event_consumer.stream_records import an_event, an_exposure, entries_of
from tests.support.chores import run_chores
from tests.support.data.analytics_events import add_events
from tests.support.data.analytics_events import an_event as a_stored_event
from tests.support.data.rows import add_member, add_project, add_user
from tests.support.soak import soak_setting

TODAY = date(2026, 6, 20)
MONTHS = [date(2026, month, 1) for month in (3, 4, 5, 6)]
PERIODS = [Period.WEEK, Period.MONTH, Period.QUARTER]
DAYS_AGO = (0, 1, 3, 10, 20, 25, 40, 60, 100)
FLOWS = ["flow_a", "flow_b", None]


@pytest.fixture
def caller(database: Database) -> Caller:
    with database.transaction() as session:
        project, user = add_project(session, id=new_id(IdPrefix.PROJECT)), add_user(session)
        add_member(session, project, user)
        return Caller(user.id, Role.OWNER)


@pytest.fixture
def project_id(database: Database, caller: Caller) -> str:
    with database.transaction() as session:
        return str(session.scalar(text("SELECT project_id FROM members WHERE user_id = :id"), {"id": caller.user_id}))


def statistics(session: Session, caller: Caller, project_id: str) -> list[StatisticsView]:
    dates = [DateRange.from_period(period, TODAY) for period in PERIODS]
    return [project_statistics(session, caller, project_id, each, StatisticsPart.SERIES) for each in dates]


def with_and_without(
    database: Database, caller: Caller, project_id: str
) -> tuple[list[StatisticsView], list[StatisticsView]]:
    """Return the statistics as they are, and as they are without checkpoints."""
    with database.transaction() as session:
        found = statistics(session, caller, project_id)
        session.execute(text("DELETE FROM rollup_checkpoints"))
        whole = statistics(session, caller, project_id)
        session.rollback()
    return found, whole


def some_days(store: BatchStore, project_id: str, chance: random.Random) -> None:
    """Store events and exposures of few devices, on days of the last months."""
    midnight = datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC)
    records: list[StreamRecord] = []
    for _ in range(30):
        moment = midnight - timedelta(days=chance.choice(DAYS_AGO), seconds=chance.random() * 9)
        device, flow = f"d{chance.randrange(15)}", chance.choice(FLOWS)
        milliseconds = int(moment.timestamp() * 1000) + 43_200_000
        if flow is not None and chance.random() < 0.1:
            records.append(an_exposure(project_id, device_id=device, flow_id=flow, exposed_at_ms=milliseconds))
        kind = chance.choice(["flow_started", "flow_completed", "opened"])
        records.append(
            an_event(project_id, device_id=device, event_type=kind, flow_id=flow, occurred_at_ms=milliseconds)
        )
    store.store(entries_of(records))


@pytest.mark.parametrize("seed", range(soak_setting("SEEDS", 1, 20)))
def test_statistics_with_a_checkpoint_are_those_of_all_days(
    database: Database, store: BatchStore, caller: Caller, project_id: str, seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(8):
        some_days(store, project_id, chance)
        match chance.randrange(4):
            case 0 | 1:
                make_checkpoint(database, project_id, chance.choice(MONTHS))
            case 2:
                with database.transaction() as session:
                    begin_erasure(driver_cursor(session), project_id, f"d{chance.randrange(15)}", utc_now())
                complete_erasures(database, project_id)
            case _:
                with database.transaction() as session:
                    for ago in (25, 40, 60):
                        compact_day(driver_cursor(session), project_id, day_of(TODAY) - ago)
        found, whole = with_and_without(database, caller, project_id)
        assert found == whole


@pytest.mark.parametrize("few_places", [0, 2000])
def test_rows_that_a_checkpoint_covers_are_not_read(
    database: Database,
    store: BatchStore,
    caller: Caller,
    project_id: str,
    monkeypatch: pytest.MonkeyPatch,
    few_places: int,
) -> None:
    monkeypatch.setattr(checkpoints, "FEW_PLACES", few_places)
    chance = random.Random(7)
    for _ in range(4):
        some_days(store, project_id, chance)
    make_checkpoint(database, project_id, MONTHS[-1])
    with database.transaction() as session:
        whole = statistics(session, caller, project_id)[0]
        session.execute(text("DELETE FROM activity_cells WHERE day < :day"), {"day": MONTHS[-1]})
        assert statistics(session, caller, project_id)[0] == whole
    assert whole.overview.avg_completion_time > 0


def test_checkpoint_waits_for_a_count_that_has_written_rows(
    database: Database, caller: Caller, project_id: str
) -> None:
    moment = datetime(2026, 5, 2, 12, tzinfo=UTC)
    with ThreadPoolExecutor(1) as threads:
        with database.transaction() as session:
            add_events(session, project_id, [a_stored_event(moment, device_id="old")])
            made = threads.submit(make_checkpoint, database, project_id, MONTHS[-1])
            with database.transaction() as other:
                # A row of another project takes a higher id.
                another = add_project(other).id
                add_events(other, another, [a_stored_event(moment)])
        made.result()
    with database.transaction() as session:
        today = datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC)
        add_events(session, project_id, [a_stored_event(today, device_id="old")])
    found, whole = with_and_without(database, caller, project_id)
    assert found == whole
    assert found[0].overview.new_users == 0


def test_repair_deletes_checkpoints(database: Database, store: BatchStore, project_id: str) -> None:
    some_days(store, project_id, random.Random(1))
    make_checkpoint(database, project_id, MONTHS[-1])
    rebuild_project(database, project_id, repair=True)
    with database.transaction() as session:
        assert session.scalar(text("SELECT count(*) FROM rollup_checkpoints WHERE flow_id = ''")) == 1
        session.execute(text("UPDATE activity_cells SET events = events + 1 WHERE day < '2026-05-20'"))
    rebuild_project(database, project_id, repair=True)
    with database.transaction() as session:
        assert session.scalar(text("SELECT count(*) FROM rollup_checkpoints")) == 0


def checkpoints_after_chores(database: Database, now: datetime) -> Sequence[date]:
    """Run the chores, and return the days of the checkpoints."""
    run_chores(database, now=lambda: now)
    with database.transaction() as session:
        return session.scalars(text("SELECT before FROM rollup_checkpoints ORDER BY 1")).all()


def test_chore_keeps_the_checkpoints_of_the_last_months(database: Database, project_id: str) -> None:
    with database.transaction() as session:
        session.execute(
            text("INSERT INTO project_totals (project_id, devices) VALUES (:id, :devices)"),
            {"id": project_id, "devices": MIN_DEVICES},
        )
    before, after = (checkpoints_after_chores(database, datetime(2026, 6, day, tzinfo=UTC)) for day in (2, 20))
    assert len(before) == len(after) == KEPT_MONTHS
    assert (before[-1], after[-1]) == (date(2026, 5, 1), date(2026, 6, 1))
