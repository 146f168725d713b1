"""A maintenance chore that fails: all others are done, the failure is noted, and the thread goes on."""

import threading
from datetime import UTC, datetime
from functools import partial

import psycopg
import pytest
from sqlalchemy import text

from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.samples import SampleSet
from management_api.db.engine import Database
from management_api.db.models.maintenance import ChoreState, chore_states
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.metrics import poll_maintenance
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import connect
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.maintenance import Maintenance
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.background import in_background
from tests.support.data.rows import add_project
from tests.support.polling import eventually

pytestmark = pytest.mark.slow

NOW = datetime(2026, 6, 15, tzinfo=UTC)
CHORES = {
    "event_ids",
    "partitions",
    "retention",
    "preview_links",
    "idempotency_keys",
    "first_versions",
    "results",
    "compaction",
    "erasures",
    "deletions",
    "orphans",
}

#: The row is of a newer release, or damaged.
DAMAGE = "UPDATE activity_cells SET breakdown = 'unknown' WHERE project_id = :project AND breakdown = 'all'"
MEND = "UPDATE activity_cells SET breakdown = 'all' WHERE breakdown = 'unknown'"
UNCOMPACTED = "SELECT DISTINCT project_id FROM activity_cells WHERE NOT is_merged AND day IS NOT NULL"


def execute(database: Database, statement: str, **values: object) -> None:
    """Execute a statement in a transaction of its own."""
    with database.transaction() as session:
        session.execute(text(statement), values)


def uncompacted(database: Database) -> set[str]:
    """Return the projects with uncompacted deltas."""
    with database.transaction() as session:
        return set(session.scalars(text(UNCOMPACTED)))


def states(database: Database) -> dict[str, ChoreState]:
    """Return the noted state of each chore."""
    with database.transaction() as session:
        return {chore.name: chore for chore in chore_states(driver_cursor(session))}


def failing(database: Database) -> set[str]:
    """Return the chores with a noted failure."""
    return {name for name, state in states(database).items() if state.reason is not None}


@pytest.fixture
def maintenance(database: Database) -> Maintenance:
    """Return the maintenance of a process that repeats a failed chore in the next round."""
    return Maintenance(database, keep_days=400, now=lambda: NOW, retry_seconds=0.0)


@pytest.fixture
def projects(database: Database, store: BatchStore) -> list[str]:
    """Return two projects with uncompacted deltas; a row of the first one is damaged."""
    with database.transaction() as session:
        projects = [add_project(session).id for _ in range(2)]
    for device in ("a", "b", "c"):
        store.store(entries_of([an_event(project_id, device_id=device) for project_id in projects]))
    execute(database, DAMAGE, project=projects[0])
    return projects


def test_damaged_row_leaves_other_projects_and_chores_done(
    database: Database, maintenance: Maintenance, projects: list[str]
) -> None:
    maintenance.round(is_large=True)
    assert uncompacted(database) == {projects[0]}
    assert states(database).keys() == CHORES
    assert failing(database) == {"compaction"}
    reason = states(database)["compaction"].reason
    assert reason is not None
    assert f"{projects[0]}: ValueError: 'unknown' is not a valid Breakdown" in reason


def test_failed_chore_is_repeated_and_noted_as_done(
    database: Database, maintenance: Maintenance, projects: list[str]
) -> None:
    assert projects
    maintenance.round(is_large=True)
    execute(database, MEND)
    maintenance.round(is_large=True)
    assert (uncompacted(database), failing(database)) == (set(), set())


def test_thread_goes_on_after_any_error(database: Database, maintenance: Maintenance, projects: list[str]) -> None:
    with in_background(threading.Event(), partial(maintenance.run_until, every_seconds=0.05, is_long=False)):
        eventually(lambda: uncompacted(database) == {projects[0]})
        execute(database, "ALTER TABLE activity_cells RENAME TO renamed_cells")
        eventually(lambda: "UndefinedTable" in str(states(database).get("compaction")))
        execute(database, "ALTER TABLE renamed_cells RENAME TO activity_cells")
        execute(database, MEND)
        eventually(lambda: failing(database) == set())


def test_lock_that_is_not_had_leaves_other_chores_done(
    database: Database, database_url: str, maintenance: Maintenance, project_id: str
) -> None:
    assert project_id
    with psycopg.connect(database_url) as holder:
        holder.execute("SELECT FROM event_ids")
        maintenance.round(is_large=True)
        assert failing(database) == {"event_ids"}
        assert states(database).keys() == CHORES
    maintenance.round()
    assert failing(database) == set()


def test_chore_that_fails_for_too_long_makes_the_consumer_unwell(
    settings: ConsumerSettings, database: Database, store: BatchStore, projects: list[str]
) -> None:
    assert projects
    maintenance = Maintenance(database, keep_days=400, now=lambda: NOW, retry_seconds=0.0, max_failing_seconds=0.0)
    with connect(settings.redis_url.get_secret_value()) as client:
        consumer = EventConsumer(settings, client, store, Aggregator(database), maintenance)
        assert consumer.state().is_well
        maintenance.round(is_large=True)
        assert not consumer.state().is_well
        execute(database, MEND)
        maintenance.round(is_large=True)
        assert consumer.state().is_well


def test_metric_has_the_age_of_the_last_success(
    database: Database, maintenance: Maintenance, projects: list[str]
) -> None:
    assert projects
    maintenance.round(is_large=True)
    execute(database, "UPDATE maintenance_chores SET succeeded_at = now() - interval '1 h' WHERE name = 'retention'")
    samples = SampleSet()
    poll_maintenance(database, samples)
    ages = {sample.labels[0]: sample.value for sample in samples.samples}
    assert {sample.metric for sample in samples.samples} == {catalogue.MAINTENANCE_AGE.name}
    assert ages.keys() == CHORES
    assert 3600 <= ages.pop("retention") < 3700
    assert max(ages.values()) < 60
