"""A deletion holds at once, is logged, and is purged in the background at any size."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import select, text
from typer.testing import CliRunner

from cli.main import app
from common.timestamps import utc_now
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.metadata import TABLES
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Project
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.bisecting import BisectingStore
from management_api.event_consumer.store import BatchStore
from management_api.rollups.aggregator import Aggregator
from management_api.rollups.erasure import begin_erasure
from management_api.rollups.purge import purge_orphans, purge_project, unpurged_projects
from management_api.rollups.storage import lock_rollups
from tests.integration.management_api.event_consumer.stream_records import an_event, an_exposure, entries_of
from tests.support.chores import run_chores
from tests.support.clients.management import Management, User
from tests.support.polling import eventually

#: They outlive a project.
KEPT = (Publication, DeletedProject)


@pytest.fixture
def alice(management: Management) -> User:
    return management.user("alice")


@pytest.fixture
def project_id(management: Management, alice: User) -> str:
    """Return the id of a deleted project that had a row in most tables."""
    project_id = str(alice.create_project(name="Gone soon")["id"])
    flow_id = alice.create_flow(project_id, screens=[{"type": "custom"}])["id"]
    alice.put(f"/api/projects/{project_id}/qa-devices", {"devices": {"d1": flow_id}})
    BatchStore(management.database).store(
        entries_of([*(an_event(project_id) for _ in range(25)), an_exposure(project_id)])
    )
    with management.database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "another", utc_now())
    assert alice.delete(f"/api/projects/{project_id}").status_code == 200
    return project_id


def rows_left(management: Management, project_id: str) -> list[str]:
    """Return the tables with rows of the project, but for those that outlive it."""
    selects = {
        table.__tablename__: select(table).where(table.__table__.c.project_id == project_id)
        for table in TABLES
        if table not in KEPT and "project_id" in table.__table__.columns
    }
    with management.database.transaction() as session:
        return [
            *(name for name, found in selects.items() if session.execute(found).first()),
            *session.scalars(text("SELECT 'projects' FROM projects WHERE id = :id"), {"id": project_id}),
            *session.scalars(text("SELECT 'event_ids' FROM event_ids LIMIT 1")),
        ]


def test_purge_in_small_portions_leaves_only_the_tombstone_and_the_log(management: Management, project_id: str) -> None:
    purge_project(management.database, project_id, seconds=0, portion=10)
    assert unpurged_projects(management.database) == [(project_id,)]
    purge_project(management.database, project_id, portion=10)
    assert rows_left(management, project_id) == []
    assert unpurged_projects(management.database) == []
    assert management.publication_of(project_id)[1]


def test_events_in_the_streams_of_a_deleted_project_are_dropped(management: Management, project_id: str) -> None:
    store = BisectingStore(BatchStore(management.database))
    outcome = store.store(entries_of([an_event(project_id, event_id="late")]))
    assert (outcome.deferred, outcome.dead_letters) == ((), 0)
    with management.database.transaction() as session:
        assert session.scalar(text("SELECT count(*) FROM events WHERE event_id = 'late'")) == 0


def test_events_that_leave_a_spool_after_the_purge_are_dropped(management: Management, project_id: str) -> None:
    purge_project(management.database, project_id)
    weeks_ago_ms = int((utc_now() - timedelta(days=30)).timestamp() * 1000)
    event = an_event(project_id, received_at_ms=weeks_ago_ms, occurred_at_ms=weeks_ago_ms)
    entries = entries_of([event, an_exposure(project_id, exposed_at_ms=weeks_ago_ms)])
    late = [msgspec.structs.replace(entry, age_ms=30 * 86_400_000) for entry in entries]
    outcome = BisectingStore(BatchStore(management.database)).store(late)
    assert (outcome.deferred, outcome.dead_letters) == ((), 0)
    assert rows_left(management, project_id) == []


def test_rows_of_a_consumer_of_release_0_2_0_are_purged_with_the_project(
    management: Management, project_id: str
) -> None:
    with management.database.transaction() as session:
        session.execute(text("DELETE FROM deleted_projects"))
    BatchStore(management.database).store(entries_of([an_event(project_id, event_id="former")]))
    with management.database.transaction() as session:
        session.add(DeletedProject(project_id=project_id, name="Gone soon", deleted_by="user"))
    purge_project(management.database, project_id)
    assert rows_left(management, project_id) == []


def test_deletion_is_logged_for_operators_after_the_purge(
    management: Management, project_id: str, database_url: str
) -> None:
    purge_project(management.database, project_id)
    shown = CliRunner().invoke(app, ["projects", "deleted", "--json"], env={"ONBOARDING_DATABASE_URL": database_url})
    [row] = json.loads(shown.stdout)
    assert (row["project_id"], row["name"], row["deleted_by"]) == (
        project_id,
        "Gone soon",
        management.user_id("alice"),
    )
    assert row["deleted_at"] <= row["purged_at"]


def test_deleted_project_needs_no_quota_and_is_in_no_list(management: Management, alice: User, project_id: str) -> None:
    assert alice.get("/api/projects").json["data"] == []
    assert alice.get(f"/api/projects/{project_id}").status_code == 404
    assert alice.create_project(name="Gone soon")["id"] != project_id
    with management.database.transaction() as session:
        assert session.get_one(Project, project_id).created_by is None
        actions = session.scalars(select(AuditEntry.action).where(AuditEntry.project_id == project_id)).all()
    assert "project.create" in actions
    assert "project.update" not in actions


def test_compaction_beside_the_purge_leaves_no_rollups(management: Management, alice: User) -> None:
    database = management.database
    project_id = str(alice.create_project()["id"])
    for _ in range(2):
        BatchStore(database).store(entries_of([an_event(project_id)]))
        Aggregator(database).count_all()
    with ThreadPoolExecutor(2) as pool:
        with database.transaction() as session:
            lock_rollups(driver_cursor(session), project_id)
            compaction = pool.submit(run_chores, database, keep_days=10_000)
            eventually(lambda: waiting_for_locks(management) == 1)
            assert alice.delete(f"/api/projects/{project_id}").status_code == 200
            purge = pool.submit(purge_project, database, project_id)
            eventually(lambda: waiting_for_locks(management) == 2)
        compaction.result()
        purge.result()
    assert rows_left(management, project_id) == []


def waiting_for_locks(management: Management) -> int:
    """Return the number of statements that wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with management.database.transaction() as session:
        return session.scalar(text(query)) or 0


def test_rollups_without_a_project_are_deleted(management: Management, alice: User) -> None:
    kept = str(alice.create_project()["id"])
    BatchStore(management.database).store(entries_of([an_event(kept)]))
    Aggregator(management.database).count_all()
    with management.database.transaction() as session:
        copy = "INSERT INTO activity_cells (project_id, breakdown, events, devices) SELECT 'proj_gone', 'all', 1, ''"
        session.execute(text(copy))
    purge_orphans(management.database)
    with management.database.transaction() as session:
        assert set(session.scalars(text("SELECT project_id FROM activity_cells"))) == {kept}
