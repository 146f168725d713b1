"""The database of a run, and the projects in it, as rows: flows, screens, a member, and a draft of an experiment."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from loadtests.benchmarks.storage.synthetic_events import SyntheticFlow, synthetic_flows
from loadtests.measurement.programs import running_postgresql
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.documents import upcast
from management_api.db.models.event_ids import WEEK
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow
from management_api.db.models.history import VersionOrigin
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Member, Project, Role
from management_api.db.models.users import User
from management_api.db.psycopg_connection import driver_connection
from management_api.flows.lifecycle.versions import make_live
from management_api.rollups.partitions import EVENT_IDS, make_partitions

#: The days of the events that are read.
DAYS = 90


@contextmanager
def running_database(folder: Path) -> Iterator[tuple[DatabaseSettings, Database]]:
    """Run PostgreSQL with the partitions of all days, and of the ids of the week before."""
    with running_postgresql(folder) as url:
        settings = DatabaseSettings(database_url=SecretStr(url))
        database = Database(settings)
        try:
            for days in (DAYS, DAYS * 2 // 3, DAYS // 3, 0):
                with database.transaction() as session:
                    make_partitions(driver_connection(session), utc_now() - timedelta(days=days))
            with database.transaction() as session:
                make_partitions(driver_connection(session), utc_now() - WEEK, EVENT_IDS)
            yield settings, database
        finally:
            database.close()


def add_project(database: Database) -> tuple[str, Caller, list[SyntheticFlow]]:
    """Add a project with flows and screens. Returns its id, a caller who may read it, and the flows."""
    flows = synthetic_flows()
    with database.transaction() as session:
        project_id, user_id = new_id(IdPrefix.PROJECT), new_id(IdPrefix.USER)
        session.add_all(
            [
                User(id=user_id, issuer="https://issuer.test", subject=user_id),
                Project(id=project_id, name="Project", platforms=["ios", "android"], public_key_sealed=b"sealed"),
            ]
        )
        session.flush()
        session.add_all(
            [
                Publication(project_id=project_id),
                Member(project_id=project_id, user_id=user_id, role=Role.OWNER.value),
            ]
        )
        for flow in flows:
            _add_flow(session, project_id, flow)
        for flow in flows:
            if flow.experiment_id is not None:
                session.add(_experiment(project_id, flow.experiment_id, [flows[0].flow_id, flows[1].flow_id]))
    return project_id, Caller(user_id, Role.VIEWER), flows


def _add_flow(session: Session, project_id: str, flow: SyntheticFlow) -> None:
    row = Flow(id=flow.flow_id, project_id=project_id, name="Flow", status="active")
    session.add(row)
    session.flush()
    screens = [{"id": screen_id, "type": "welcome"} for screen_id in flow.screen_ids]
    make_live(session, row, upcast({"name": row.name, "screens": screens}), VersionOrigin.CREATED, None)


def _experiment(project_id: str, experiment_id: str, flow_ids: list[str]) -> Experiment:
    """Return a draft between two flows, half and half, the first one the control."""
    return Experiment(
        id=experiment_id,
        project_id=project_id,
        name="Experiment",
        variants=[
            {"key": key, "name": key, "flow_id": flow_id, "weight": 50, "is_control": key == "a", "ranges": ranges}
            for key, flow_id, ranges in zip("ab", flow_ids, ([[0, 5000]], [[5000, 10_000]]), strict=True)
        ],
        primary_event="flow_completed",
    )
