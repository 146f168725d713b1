"""Chores: one process does each, a long or failing one delays no other, and a failure is recorded and repeated."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import text

from common.errors import UnavailableError
from common.telemetry.catalogue import process as catalogue
from common.telemetry.samples import SampleSet
from management_api.background.chores import CONSUMER_CHORES, ChoreContext
from management_api.background.health import MAX_FAILING_SECONDS, ChoreState, chore_states, poll_chores
from management_api.background.runner import Chore, ChoreRunner
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import connect
from management_api.rollups.usage import Usage
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.chores import DATABASE_CHORES, chore_runner
from tests.support.data.rows import add_project
from tests.support.polling import eventually

NOW = datetime(2026, 6, 15, tzinfo=UTC)
CHORES = {chore.name for chore in DATABASE_CHORES}
CHORE: Chore[list[str]] = Chore("chore", lambda done: done.append("chore"), every_seconds=600, retry_seconds=0.05)

#: The row is of a newer release, or damaged.
DAMAGE = "UPDATE activity_cells SET breakdown = 'unknown' WHERE project_id = :project AND breakdown = 'all'"
MEND = "UPDATE activity_cells SET breakdown = 'all' WHERE breakdown = 'unknown'"
UNCOMPACTED = "SELECT DISTINCT project_id FROM activity_cells WHERE NOT is_merged AND day IS NOT NULL"


def execute(database: Database, statement: str, **values: object) -> None:
    with database.transaction() as session:
        session.execute(text(statement), values)


def uncompacted(database: Database) -> set[str]:
    with database.transaction() as session:
        return set(session.scalars(text(UNCOMPACTED)))


def states(database: Database) -> dict[str, ChoreState]:
    with database.transaction() as session:
        return {chore.name: chore for chore in chore_states(driver_cursor(session), {*CHORES, CHORE.name})}


def failing(database: Database) -> set[str]:
    return {name for name, state in states(database).items() if state.reason is not None}


@pytest.fixture
def chores(database: Database) -> ChoreRunner[ChoreContext]:
    return chore_runner(database, now=lambda: NOW)


@pytest.fixture
def projects(database: Database, store: BatchStore) -> list[str]:
    """Return two projects with uncompacted deltas; a row of the first one is damaged."""
    with database.transaction() as session:
        projects = [add_project(session).id for _ in range(2)]
    for device in ("a", "b", "c"):
        store.store(entries_of([an_event(project_id, device_id=device) for project_id in projects]))
    execute(database, DAMAGE, project=projects[0])
    return projects


@pytest.fixture
def done() -> list[str]:
    return []


RunnerOf = Callable[..., ChoreRunner[list[str]]]


@pytest.fixture
def runner_of(database: Database, done: list[str]) -> RunnerOf:
    """Return a function that makes the runner of one process."""
    return lambda *chores: ChoreRunner(database, chores, done, threading.Event())


def test_damaged_row_leaves_other_projects_and_chores_done(
    database: Database, chores: ChoreRunner[ChoreContext], projects: list[str]
) -> None:
    chores.run_all()
    assert uncompacted(database) == {projects[0]}
    assert states(database).keys() == CHORES
    assert failing(database) == {"compaction"}
    reason = states(database)["compaction"].reason
    assert reason is not None
    assert f"{projects[0]}: ValueError: 'unknown' is not a valid Breakdown" in reason


def test_failed_chore_is_repeated_and_noted_as_done(
    database: Database, chores: ChoreRunner[ChoreContext], projects: list[str]
) -> None:
    assert projects
    chores.run_all()
    execute(database, MEND)
    chores.run_all()
    assert (uncompacted(database), failing(database)) == (set(), set())


def test_chore_goes_on_after_any_error(database: Database, projects: list[str]) -> None:
    context = ChoreContext(database, connect("redis://unused"), 400, 5000, Usage(1, 1, 1), now=lambda: NOW)
    repeated = [
        replace(chore, every_seconds=0.05, retry_seconds=0.05)
        for chore in CONSUMER_CHORES
        if chore.name == "compaction"
    ]
    with ChoreRunner(database, repeated, context, context.stop).running():
        eventually(lambda: uncompacted(database) == {projects[0]})
        execute(database, "ALTER TABLE activity_cells RENAME TO renamed_cells")
        eventually(lambda: "UndefinedTable" in str(states(database).get("compaction")))
        execute(database, "ALTER TABLE renamed_cells RENAME TO activity_cells")
        execute(database, MEND)
        eventually(lambda: failing(database) == set())


def test_lock_that_is_not_had_leaves_other_chores_done(
    database: Database, database_url: str, chores: ChoreRunner[ChoreContext], project_id: str
) -> None:
    assert project_id
    with psycopg.connect(database_url) as holder:
        holder.execute("SELECT FROM event_ids")
        chores.run_all()
        assert failing(database) == {"event_ids"}
        assert states(database).keys() == CHORES
    chores.run_all()
    assert failing(database) == set()


def test_chore_that_fails_for_too_long_makes_the_consumer_unwell(
    settings: ConsumerSettings, database: Database, store: BatchStore, projects: list[str]
) -> None:
    assert projects
    chores = chore_runner(database, now=lambda: NOW, max_failing_seconds=0.0)
    with connect(settings.redis_url.get_secret_value()) as client:
        consumer = EventConsumer(settings, client, store, chores)
        assert consumer.state().is_healthy
        chores.run_all()
        assert not consumer.state().is_healthy
        execute(database, MEND)
        chores.run_all()
        assert consumer.state().is_healthy


def test_metric_has_the_age_of_the_last_success(database: Database, chores: ChoreRunner[ChoreContext]) -> None:
    chores.run_all()
    execute(database, "UPDATE maintenance_chores SET succeeded_at = now() - interval '1 h' WHERE name = 'retention'")
    # A chore of another release may never be done again.
    execute(database, "INSERT INTO maintenance_chores VALUES ('of_another_release', now() - interval '9 days')")
    samples = SampleSet()
    poll_chores("consumer", database, CHORES, samples)
    ages = {sample.labels[1]: sample.value for sample in samples.samples}
    assert {sample.metric for sample in samples.samples} == {catalogue.MAINTENANCE_AGE.name}
    assert ages.keys() == CHORES
    assert 3600 <= ages.pop("retention") < 3700
    assert max(ages.values()) < 60


def test_chore_succeeds_more_often_than_it_counts_as_failing() -> None:
    assert all(chore.every_seconds * 1.5 <= MAX_FAILING_SECONDS for chore in CONSUMER_CHORES)


def test_chore_of_two_processes_is_done_by_one(database: Database, runner_of: RunnerOf, done: list[str]) -> None:
    other = runner_of(CHORE)
    nested: Chore[list[str]] = Chore("chore", lambda _: other.run_all(), every_seconds=600)
    runner_of(nested).run_all()
    assert done == []
    assert states(database)["chore"].reason is None
    other.run_all()
    assert done == ["chore"]


def test_long_chore_delays_no_other_lane(runner_of: RunnerOf, done: list[str]) -> None:
    release = threading.Event()
    long: Chore[list[str]] = Chore("long", lambda _: release.wait(60), every_seconds=600, lane="long")
    with runner_of(long, CHORE).running():
        eventually(lambda: done == ["chore"])
        release.set()


def test_frequent_chore_starves_no_other_of_its_lane(runner_of: RunnerOf, done: list[str]) -> None:
    often = replace(CHORE, name="often", run=lambda done: done.append("often"), every_seconds=0.01)
    with runner_of(often, CHORE).running():
        eventually(lambda: done.count("chore") == 1 and done.count("often") > 2)


def test_process_stops_although_a_chore_hangs(
    runner_of: RunnerOf, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("management_api.background.runner.STOP_SECONDS", 0.1)
    release, started = threading.Event(), threading.Event()

    def hang(_: list[str]) -> None:
        started.set()
        release.wait(60)

    last = replace(CHORE, runs_at_stop=True, is_exclusive=False, lane="last")
    with runner_of(Chore("hangs", hang, every_seconds=600, lane="hangs"), last).running():
        assert started.wait(30)
        eventually(lambda: len(done) == 1)
    eventually(lambda: len(done) == 2)
    release.set()
    eventually(lambda: "hangs" not in {thread.name for thread in threading.enumerate()})


def test_outage_is_survived_and_recorded_afterwards(database: Database, runner_of: RunnerOf, done: list[str]) -> None:
    def fail_twice(done: list[str]) -> None:
        done.append("tried")
        if len(done) < 3:
            raise UnavailableError("no server")

    with runner_of(replace(CHORE, run=fail_twice)).running():
        eventually(lambda: len(done) == 3)
        eventually(lambda: failing(database) == set() and "chore" in states(database))
    assert timedelta(seconds=states(database)["chore"].age_seconds) < timedelta(minutes=1)
