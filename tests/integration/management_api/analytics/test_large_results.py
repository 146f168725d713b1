"""Results of an experiment are read by indexes and from rollups, for any number of events.

`make bench-queries` runs this with 20 million events and half a million users, and prints the times.
"""

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.orm import Session

from common.settings.shared import DatabaseSettings
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.projects import Role
from management_api.experiments.results import experiment_results
from management_api.experiments.schemas import ResultsPart
from management_api.rollups import experiment_users
from management_api.rollups.rebuild import rebuild_project
from tests.support.clients.management import User, data_of, management_service
from tests.support.databases.fresh_databases import FreshDatabases
from tests.support.soak import report

pytestmark = pytest.mark.slow

EVENTS = int(os.environ.get("RESULTS_EVENTS", "100000"))
#: Half of the devices are users of the experiment. A tenth of the events is of its primary type.
DEVICES = EVENTS // 20
DAYS = 60
#: Projects with as many devices and users, but no events.
OTHERS = ("proj_1", "proj_2", "proj_3")
#: Twice the aim: on processors that are shared, the same work takes more of their time.
MAX_SECONDS = 2.0
TIMES = 5
#: In this order.
FILL = (
    "UPDATE experiments SET started_at = now() - interval '60 days' WHERE id = %(experiment)s",
    """
    INSERT INTO devices (project_id, device_id, number)
    SELECT project, 'device_' || n, n FROM unnest(%(projects)s::text[]) project, generate_series(0, %(devices)s - 1) n
    """,
    """
    INSERT INTO project_totals (project_id, devices, next_number) VALUES (%(project)s, %(devices)s, %(devices)s)
    ON CONFLICT (project_id) DO UPDATE SET devices = excluded.devices, next_number = excluded.next_number
    """,
    """
    INSERT INTO exposures (project_id, device_id, flow_id, experiment_id, variant, exposed_at)
    SELECT project, 'device_' || n, (%(flows)s::text[])[1 + n / 2 %% 2], %(experiment)s,
        (ARRAY['a', 'b'])[1 + n / 2 %% 2], now() - interval '59 days' + n %% %(days)s * interval '12 h'
    FROM unnest(%(projects)s::text[]) project, generate_series(0, %(devices)s - 1, 2) n
    """,
    """
    INSERT INTO events (project_id, event_id, event_type, device_id, flow_id, occurred_at, received_at, platform)
    SELECT %(project)s, 'evt_' || n, CASE WHEN n %% 10 = 0 THEN 'flow_completed' ELSE 'screen_viewed' END,
        'device_' || (n / 10)::bigint * 7919 %% %(devices)s, (%(flows)s::text[])[1 + n %% 2], moment, moment, 'ios'
    FROM generate_series(0, %(events)s - 1) n,
        LATERAL (SELECT date_trunc('milliseconds', now() - (%(events)s - n) * interval '1 s' * %(seconds)s) AS moment)
            AS moments
    """,
    "VACUUM ANALYZE",
)
_TABLES = """
    SELECT regexp_replace(relname, '_(default|[0-9]+.*)$', ''), sum(seq_scan) FROM pg_stat_xact_user_tables
    WHERE seq_scan > 0 OR idx_scan > 0 GROUP BY 1
"""


@dataclass(frozen=True)
class LargeProject:
    """A project with an experiment of many users, and its owner."""

    owner: User
    database: Database
    experiment_id: str


@pytest.fixture(scope="module")
def project(postgresql_url: str, run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LargeProject]:
    """Return a project with this number of events, their rollups and an experiment."""
    with (
        FreshDatabases(postgresql_url, run_folder).migrated() as url,
        management_service(url, "A" * 43 + "=", tmp_path_factory.mktemp("identity")) as management,
        closing(Database(DatabaseSettings(database_url=SecretStr(url)))) as database,
    ):
        owner = management.user("owner")
        project_id = owner.create_project("Large")["id"]
        flows = [owner.create_flow(project_id, name, status="active")["id"] for name in ("A", "B")]
        variants = [
            {"key": key, "name": key, "flow_id": flow_id, "weight": 50, "is_control": key == "a"}
            for key, flow_id in zip("ab", flows, strict=True)
        ]
        body = {"project_id": project_id, "name": "Large", "variants": variants}
        experiment_id = data_of(owner.post("/api/experiments", body), 201)["id"]
        data_of(owner.post(f"/api/experiments/{experiment_id}/start"))
        values = {
            "project": project_id,
            "projects": [project_id, *OTHERS],
            "experiment": experiment_id,
            "flows": flows,
            "devices": DEVICES,
            "events": EVENTS,
            "days": DAYS,
            "seconds": DAYS * 86400 / EVENTS,
        }
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in FILL:
                connection.execute(statement.encode(), values)
            rebuild_project(database, project_id, repair=True)
            connection.execute("VACUUM ANALYZE")
        yield LargeProject(owner, database, experiment_id)


def test_results_are_the_same_in_blocks_of_devices(project: LargeProject, monkeypatch: pytest.MonkeyPatch) -> None:
    with project.database.repeatable_read() as session:
        results = experiment_results(session, owner_of(project), project.experiment_id, ResultsPart.SERIES)
    monkeypatch.setattr(experiment_users, "_DEVICES_AT_ONCE", 100)
    with project.database.repeatable_read() as session:
        in_blocks = experiment_results(session, owner_of(project), project.experiment_id, ResultsPart.SERIES)
    assert in_blocks == results


@pytest.mark.timeout(3600)
def test_results_scan_no_large_table_for_any_number_of_events(project: LargeProject) -> None:
    path = f"/api/experiments/{project.experiment_id}/results"
    measured: dict[str, tuple[float, float]] = {}
    for state in ("running", "completed"):
        if state == "completed":
            # The events of the day on which it ends are read, too.
            data_of(project.owner.post(f"/api/experiments/{project.experiment_id}/complete", {}))
        measured[state] = measure(project)
        results = data_of(project.owner.get(path))
        assert results["users"] == DEVICES // 2
        assert all(variant["conversions"] for variant in results["variants"])
    report(
        f"Results of an experiment with {DEVICES // 2} users among {EVENTS} events",
        {
            f"{state}, seconds of processors and in all": f"{used:.2f} {taken:.2f}"
            for state, (used, taken) in measured.items()
        },
    )
    # The processors may be shared with other tests.
    assert max(used for used, _ in measured.values()) < MAX_SECONDS


def measure(project: LargeProject) -> tuple[float, float]:
    """Return the median of the processor time and of the time of the results, in seconds."""
    caller, used, taken = owner_of(project), [], []
    with project.database.repeatable_read() as session:
        experiment_results(session, caller, project.experiment_id)
        scanned = {name: scans for name, scans in session.execute(text(_TABLES)) if scans}
        assert scanned.keys().isdisjoint({"events", "exposures", "devices"}), scanned
        for _ in range(TIMES):
            begun, used_before = time.perf_counter(), processor_seconds(session)
            experiment_results(session, caller, project.experiment_id)
            used.append(processor_seconds(session) - used_before)
            taken.append(time.perf_counter() - begun)
    return statistics.median(used), statistics.median(taken)


def processor_seconds(session: Session) -> float:
    """Return the processor time of this process, of the session's process of PostgreSQL, and of its ended workers."""
    backend = psutil.Process(session.execute(text("SELECT pg_backend_pid()")).scalar_one())
    server = backend.parent()
    assert server is not None
    own, ended = backend.cpu_times(), server.cpu_times()
    return time.process_time() + own.user + own.system + ended.children_user + ended.children_system


def owner_of(project: LargeProject) -> Caller:
    with project.database.reading() as session:
        user_id = session.execute(text("SELECT user_id FROM members WHERE role = 'owner'")).scalar_one()
    return Caller(user_id, Role.OWNER)
