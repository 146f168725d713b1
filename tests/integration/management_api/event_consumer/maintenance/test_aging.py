"""The ids of devices that were not seen for the retention time are deleted, and no figure changes."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from common.wire.stream_records import EventRecord, ExposureRecord
from management_api.db.engine import Database
from management_api.db.models.projects import Project
from management_api.db.psycopg_connection import driver_connection
from management_api.event_consumer.store import BatchStore
from management_api.rollups import aging
from management_api.rollups.aging import age_project, projects_to_age
from management_api.rollups.partitions import drop_partitions
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.stream_records import an_event, an_exposure, entries_of
from tests.support.chores import run_chores
from tests.support.data.rows import add_experiment, add_flow

JUNE = datetime(2026, 6, 15, tzinfo=UTC)
AUGUST = datetime(2026, 8, 20, tzinfo=UTC)
KEEP_DAYS = 31
FIGURES = """
    SELECT breakdown, day, event_type, flow_id, experiment_id, sum(events), array_agg(devices) FROM activity_cells
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""


def seen(project_id: str, moment: datetime, device_id: str) -> EventRecord:
    milliseconds = int(moment.timestamp() * 1000)
    return an_event(project_id, device_id=device_id, received_at_ms=milliseconds, occurred_at_ms=milliseconds)


def exposed(project_id: str, moment: datetime, device_id: str, **fields: object) -> ExposureRecord:
    return an_exposure(project_id, device_id=device_id, exposed_at_ms=int(moment.timestamp() * 1000), **fields)


def age_out(database: Database, now: datetime = AUGUST) -> None:
    """Do all chores, of which one drops events and one the ids of devices."""
    run_chores(database, keep_days=KEEP_DAYS, now=lambda: now)


def devices_in(database: Database, table: str) -> list[str]:
    """Return the devices of a table, sorted."""
    with database.transaction() as session:
        return list(session.scalars(text(f"SELECT DISTINCT device_id FROM {table} ORDER BY 1")))  # noqa: S608 - ours


def totals(database: Database) -> tuple[int, int]:
    """Return the number of devices, and of those whose ids were deleted."""
    with database.transaction() as session:
        devices, aged = session.execute(text("SELECT devices, aged_devices FROM project_totals")).one()
        return devices, aged


@pytest.fixture
def months(database: Database) -> None:
    run_chores(database, keep_days=KEEP_DAYS, now=lambda: JUNE)


@pytest.mark.usefixtures("months")
def test_unseen_device_loses_its_id_and_figures_stay(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([seen(project_id, JUNE, "old"), exposed(project_id, JUNE, "old")]))
    store.store(entries_of([seen(project_id, JUNE, "kept"), seen(project_id, AUGUST, "kept")]))
    store.store(entries_of([exposed(project_id, JUNE, "exposed"), exposed(project_id, AUGUST, "new")]))
    # Compacts the day.
    age_out(database, JUNE + timedelta(days=16))
    with database.transaction() as session:
        before = session.execute(text(FIGURES)).all()
    age_out(database)
    assert devices_in(database, "devices") == ["kept", "new"]
    assert devices_in(database, "exposures") == ["new"]
    assert totals(database) == (4, 2)
    with database.transaction() as session:
        assert session.execute(text(FIGURES)).all() == before
    assert rebuild_project(database, project_id, repair=False) == []


@pytest.mark.usefixtures("months")
def test_device_that_returns_is_a_new_one(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([seen(project_id, JUNE, "device"), exposed(project_id, JUNE, "device")]))
    age_out(database)
    store.store(entries_of([seen(project_id, AUGUST, "device"), exposed(project_id, AUGUST, "device")]))
    assert totals(database) == (2, 1)
    with database.transaction() as session:
        assert session.execute(text("SELECT device_id, number FROM devices")).all() == [("device", 1)]
    assert rebuild_project(database, project_id, repair=False) == []


@pytest.mark.usefixtures("months")
def test_nothing_is_aged_out_before_events_are_dropped(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([seen(project_id, JUNE, "device")]))
    age_out(database, JUNE + timedelta(days=30))
    assert devices_in(database, "devices") == ["device"]


@pytest.mark.usefixtures("months")
@pytest.mark.parametrize("suffix", ["", ":2"])
def test_running_experiment_keeps_its_users(
    database: Database, store: BatchStore, project_id: str, suffix: str
) -> None:
    with database.transaction() as session:
        project = session.get_one(Project, project_id)
        flow, other = add_flow(session, project), add_flow(session, project)
        experiment_id = add_experiment(session, flow, other, status="running", started_at=JUNE).id
    exposure = exposed(project_id, JUNE, "user", experiment_id=experiment_id + suffix, variant="a")
    store.store(entries_of([exposure, exposed(project_id, JUNE, "other")]))
    age_out(database)
    assert (devices_in(database, "devices"), devices_in(database, "exposures")) == (["user"], ["user"])
    with database.transaction() as session:
        session.execute(text("UPDATE experiments SET status = 'completed', ended_at = :end"), {"end": JUNE})
        session.execute(text("UPDATE project_totals SET aged_to = NULL"))
    age_out(database)
    assert (devices_in(database, "devices"), devices_in(database, "exposures")) == ([], [])


@pytest.mark.usefixtures("months")
def test_device_that_returns_during_the_pass_keeps_its_number(
    database: Database, store: BatchStore, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def return_in_the_pause(_began: float) -> None:
        store.store(entries_of([seen(project_id, AUGUST, "returned")]))

    store.store(entries_of([seen(project_id, JUNE, "returned"), seen(project_id, JUNE, "old")]))
    with database.transaction() as session:
        drop_partitions(driver_connection(session), AUGUST, keep_days=KEEP_DAYS)
    monkeypatch.setattr(aging, "PORTION", 1)
    monkeypatch.setattr(aging, "rest_since", return_in_the_pause)
    [(_, first_kept)] = projects_to_age(database)
    age_project(database, project_id, first_kept, stop=threading.Event())
    assert devices_in(database, "devices") == ["returned"]
    assert totals(database) == (2, 1)
    assert rebuild_project(database, project_id, repair=False) == []


@pytest.mark.usefixtures("months")
def test_exposure_that_is_not_counted_yet_stays(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([seen(project_id, JUNE, "device"), exposed(project_id, JUNE, "device")]))
    BatchStore(database).store(entries_of([exposed(project_id, AUGUST, "device", flow_id="flow_2")]))
    age_project(database, project_id, AUGUST.date(), stop=threading.Event())
    assert devices_in(database, "devices") == []
    assert devices_in(database, "exposures") == ["device"]


def test_interrupted_pass_is_begun_again(
    database: Database, store: BatchStore, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = threading.Event()
    monkeypatch.setattr(aging, "PAGE", 2)
    monkeypatch.setattr(aging, "rest_since", lambda _began: stop.set())
    store.store(entries_of([seen(project_id, JUNE, f"device_{number}") for number in range(5)]))
    age_project(database, project_id, AUGUST.date(), stop=stop)
    assert totals(database) == (5, 2)
    age_project(database, project_id, AUGUST.date(), stop=threading.Event())
    assert totals(database) == (5, 5)
    assert devices_in(database, "devices") == []
