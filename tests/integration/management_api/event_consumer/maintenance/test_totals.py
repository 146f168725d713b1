"""Totals of large projects equal the bitmaps after writes of both releases, in any order."""

import random

import pytest
from sqlalchemy import text

from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from common.wire.stream_records import EventRecord
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.projects import Role
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.flows.operations import get_flow_detail
from management_api.projects.operations import read_project_with_stats
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.compaction import compact_day, merge_deltas
from management_api.rollups.erasure import begin_erasure, complete_erasures
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.rollup import COMPLETED, STARTED, Breakdown, Rollup, RollupKey
from management_api.rollups.storage import write_rollups
from management_api.rollups.totals import MIN_DEVICES
from management_api.rollups.usage import Usage
from tests.integration.management_api.event_consumer.stream_records import NOON_MS, an_event, entries_of
from tests.support.chores import run_chores
from tests.support.data.rows import add_flow, add_member, add_project, add_user
from tests.support.soak import soak_setting

FLOWS = [new_id(IdPrefix.FLOW) for _ in range(3)]
DAY_MS = 86_400_000
NO_QUOTAS = Usage(0, 0, 0)

MANY_DEVICES = (
    """
    INSERT INTO devices (project_id, device_id, number)
    SELECT :id, 'device_' || n, n FROM generate_series(0, :devices - 1) AS n
    """,
    "INSERT INTO project_totals (project_id, devices, next_number) VALUES (:id, :devices, :devices)",
)


@pytest.fixture
def store(database: Database) -> BatchStore:
    return BatchStore(database)


@pytest.fixture
def caller(database: Database) -> Caller:
    """Return the owner of a project with flows that counts as a large one."""
    with database.transaction() as session:
        project, user = add_project(session, id=new_id(IdPrefix.PROJECT)), add_user(session)
        add_member(session, project, user)
        for flow_id in FLOWS:
            add_flow(session, project, id=flow_id)
        for statement in MANY_DEVICES:
            session.execute(text(statement), {"id": project.id, "devices": MIN_DEVICES})
        return Caller(user.id, Role.OWNER)


@pytest.fixture
def project_id(database: Database, caller: Caller) -> str:
    with database.transaction() as session:
        return str(session.scalar(text("SELECT project_id FROM members WHERE user_id = :id"), {"id": caller.user_id}))


def figures(database: Database, caller: Caller, project_id: str) -> tuple[float, list[tuple[int, float]]]:
    """Return the completion rate of the project, and the views and the rate of each flow."""
    with database.transaction() as session:
        _, project, _ = read_project_with_stats(session, caller, project_id, NO_QUOTAS)
        flows = [get_flow_detail(session, flow_id).stats for flow_id in FLOWS]
    return project.completion_rate, [(flow.total_views, flow.completion_rate) for flow in flows]


def expected_figures(database: Database) -> tuple[float, list[tuple[int, float]]]:
    with database.transaction() as session:
        rows = session.execute(text("SELECT flow_id, event_type, device_id FROM events")).all()
    started = {flow_id: {row.device_id for row in rows if row[:2] == (flow_id, STARTED)} for flow_id in FLOWS}
    both = {
        flow_id: devices & {row.device_id for row in rows if row[:2] == (flow_id, COMPLETED)}
        for flow_id, devices in started.items()
    }
    starters, completers = set().union(*started.values()), set().union(*both.values())
    return len(completers) / len(starters) if starters else 0.0, [
        (
            sum(row[:2] == (flow_id, STARTED) for row in rows),
            len(both[flow_id]) / len(devices) if devices else 0.0,
        )
        for flow_id, devices in started.items()
    ]


def valid_rows(database: Database, caller: Caller, project_id: str) -> set[str]:
    """Return the flows whose totals readers take, "" for those of the project."""
    with database.transaction() as session:
        found = {flow_id for flow_id in FLOWS if get_flow_detail(session, flow_id).flow.totals is not None}
        project, _, _ = read_project_with_stats(session, caller, project_id, NO_QUOTAS)
        return found | ({""} if project.totals is not None else set())


def spoil_totals(database: Database) -> None:
    """Make all totals wrong, so that a figure shows whether it was read from totals."""
    with database.transaction() as session:
        session.execute(text("UPDATE flow_totals SET started = 8, completed = 2"))


def some_records(project_id: str, chance: random.Random, count: int) -> list[EventRecord]:
    """Return starts and completions of few devices, of the last days."""
    return [
        an_event(
            project_id,
            device_id=f"d{chance.randrange(12)}",
            event_type=chance.choice([STARTED, COMPLETED]),
            flow_id=chance.choice(FLOWS),
            occurred_at_ms=NOON_MS - chance.randrange(3) * DAY_MS,
        )
        for _ in range(count)
    ]


def an_event_of_d1(project_id: str, event_type: str, flow_id: str) -> EventRecord:
    """Return an event of the device d1."""
    return an_event(project_id, device_id="d1", event_type=event_type, flow_id=flow_id)


def store_as_0_2_0(database: Database, project_id: str, flow_id: str) -> None:
    """Add a delta of an event that is counted already, as a consumer without totals would."""
    with database.transaction() as session:
        cursor = driver_cursor(session)
        cursor.execute("SELECT number FROM devices WHERE project_id = %s AND device_id = 'd1'", [project_id])
        [(number,)] = cursor.fetchall()
        key = RollupKey(Breakdown.ALL_TIME, None, COMPLETED, flow_id)
        write_rollups(cursor, [(project_id, key, Rollup.from_occurrences([number], None))])


@pytest.mark.parametrize("seed", range(soak_setting("SEEDS", 1, 20)))
def test_figures_stay_exact_through_all_that_changes_rollups(
    database: Database, store: BatchStore, caller: Caller, project_id: str, seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        store.store(entries_of(some_records(project_id, chance, chance.randrange(1, 25))))
        Aggregator(database).count_all()
        match chance.randrange(4):
            case 0:
                with database.transaction() as session:
                    begin_erasure(driver_cursor(session), project_id, f"d{chance.randrange(12)}", utc_now())
                complete_erasures(database, project_id)
            case 1:
                with database.transaction() as session:
                    compact_day(driver_cursor(session), project_id, None)
            case 2:
                with database.transaction() as session:
                    merge_deltas(driver_cursor(session), project_id, None)
            case _:
                assert rebuild_project(database, project_id, repair=chance.random() < 0.5) == []
        assert figures(database, caller, project_id) == expected_figures(database)
        with database.transaction() as session:
            counted = {*session.scalars(text("SELECT DISTINCT flow_id FROM activity_cells WHERE breakdown = 'ever'"))}
        assert valid_rows(database, caller, project_id) == {*counted, ""}


def test_totals_are_read_in_place_of_bitmaps(
    database: Database, store: BatchStore, caller: Caller, project_id: str
) -> None:
    store.store(entries_of([an_event_of_d1(project_id, STARTED, FLOWS[0])]))
    Aggregator(database).count_all()
    spoil_totals(database)
    assert figures(database, caller, project_id) == (0.25, [(1, 0.25), (0, 0), (0, 0)])


def test_wrong_totals_are_a_discrepancy_and_repaired(
    database: Database, store: BatchStore, caller: Caller, project_id: str
) -> None:
    store.store(entries_of([an_event_of_d1(project_id, STARTED, FLOWS[0])]))
    Aggregator(database).count_all()
    spoil_totals(database)
    found = {
        (each.subject, each.stored, each.recomputed) for each in rebuild_project(database, project_id, repair=True)
    }
    values = ("8 started, 2 completed", "1 started, 0 completed")
    assert {(f"totals of {FLOWS[0]}", *values), ("totals of all flows", *values)} <= found
    assert figures(database, caller, project_id) == expected_figures(database)
    assert [one.subject for one in rebuild_project(database, project_id, repair=False)] == []


def test_deltas_of_release_0_2_0_void_the_totals_until_a_chore(
    database: Database, store: BatchStore, caller: Caller, project_id: str
) -> None:
    records = [an_event_of_d1(project_id, STARTED, flow_id) for flow_id in FLOWS[:2]]
    store.store(entries_of(records))
    Aggregator(database).count_all()
    store_as_0_2_0(database, project_id, FLOWS[0])
    assert figures(database, caller, project_id) == (1, [(1, 1), (1, 0), (0, 0)])
    assert valid_rows(database, caller, project_id) == {FLOWS[1]}
    run_chores(database)
    assert valid_rows(database, caller, project_id) == {*FLOWS[:2], ""}
    assert figures(database, caller, project_id) == (1, [(1, 1), (1, 0), (0, 0)])


def test_damaged_row_leaves_its_flow_without_totals(
    database: Database, store: BatchStore, caller: Caller, project_id: str
) -> None:
    records = [an_event_of_d1(project_id, STARTED, flow_id) for flow_id in FLOWS[:2]]
    store.store(entries_of(records))
    Aggregator(database).count_all()
    with database.transaction() as session:
        session.execute(
            text("UPDATE activity_cells SET devices = 'x' WHERE breakdown = 'ever' AND flow_id = :flow"),
            {"flow": FLOWS[0]},
        )
    store.store(
        entries_of(
            [an_event(project_id, device_id="d1", event_type=COMPLETED, flow_id=flow_id) for flow_id in FLOWS[:2]]
        )
    )
    Aggregator(database).count_all()
    assert figures(database, caller, project_id) == (1, [(1, 0), (1, 1), (0, 0)])
    assert valid_rows(database, caller, project_id) == {FLOWS[1]}
    rebuild_project(database, project_id, repair=True)
    assert figures(database, caller, project_id) == expected_figures(database)
