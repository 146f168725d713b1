"""Analytics read rollups as a stream, so the memory of a request does not grow with the days of its period.

`SOAK_ANALYSED_DEVICES=10000000` measures the figures of loadtests/RESULTS.md; `-s` prints them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from pydantic import SecretStr
from sqlalchemy.orm import Session

from common.settings.shared import DatabaseSettings
from management_api.analytics.breakdown import analyse
from management_api.analytics.dates import DateRange
from management_api.analytics.funnel import analyse_funnel
from management_api.analytics.paths import analyse_paths
from management_api.analytics.project_statistics import project_statistics
from management_api.analytics.schemas import AnalyticsQuery, FunnelQuery, GroupBy, PathsQuery
from management_api.auth.access import Caller
from management_api.db.engine import Database
from management_api.db.models.projects import Role
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.event_keys import START
from management_api.rollups.rollup import DAY_MS, Breakdown, Rollup, RollupKey, set_of
from management_api.rollups.storage import day_of, write_rollups
from tests.support.data.rows import add_flow, add_member, add_project, add_screen, add_user
from tests.support.databases.fresh_databases import FreshDatabases
from tests.support.peak_memory import peak_growth
from tests.support.soak import report, soak_setting

DEVICES = soak_setting("ANALYSED_DEVICES", 2**20, 10**7)
#: Devices a day that use the project, and that start and complete its flow.
USERS, STARTERS = DEVICES // 40, DEVICES // 1000
DAYS = 400
LAST = date(2026, 6, 20)
DATES = DateRange(LAST - timedelta(days=DAYS - 1), LAST)
QUARTER = DateRange(LAST - timedelta(days=89), LAST)


@dataclass(frozen=True)
class AnalysedProject:
    """A project with rollups of many days, and its owner."""

    database: Database
    caller: Caller
    project_id: str
    flow_id: str
    #: The size of the sets of devices of one breakdown.
    stored_bytes: int


def sample(chance: np.random.Generator, size: int, *, with_times: bool = False) -> Rollup:
    devices = set_of(chance.integers(0, DEVICES, size))
    times = chance.integers(0, DAY_MS, len(devices)).astype(np.uint32) if with_times else None
    return Rollup(2 * size, devices, times)


@pytest.fixture(scope="module")
def project(postgresql_url: str, run_folder: Path) -> Iterator[AnalysedProject]:
    chance = np.random.default_rng(1)
    with FreshDatabases(postgresql_url, run_folder).migrated() as url:
        database = Database(DatabaseSettings(database_url=SecretStr(url)))
        with database.transaction() as session:
            project, user = add_project(session), add_user(session)
            add_member(session, project, user)
            flow = add_flow(session, project)
            screen, later = (str(add_screen(session, flow)["id"]) for _ in range(2))
            session.flush()
            stored_bytes = 0
            for day in map(day_of, DATES.days):
                used = sample(chance, USERS)
                stored_bytes += len(used.to_row()[1])
                rollups = {
                    RollupKey(Breakdown.ALL, day): used,
                    RollupKey(Breakdown.PLATFORM, day, platform="ios"): used,
                    RollupKey(Breakdown.FLOW, day, "opened", flow.id): used,
                }
                for event_type in ("flow_started", "flow_completed"):
                    key = RollupKey(Breakdown.FLOW, day, event_type, flow.id)
                    rollups[key] = sample(chance, STARTERS, with_times=True)
                for event_type in ("screen_viewed", "screen_completed"):
                    key = RollupKey(Breakdown.SCREEN, day, event_type, None, screen)
                    rollups[key] = sample(chance, STARTERS, with_times=True)
                views = rollups[RollupKey(Breakdown.SCREEN, day, "screen_viewed", None, screen)]
                rollups[RollupKey(Breakdown.LINK, day, screen_id=screen, from_screen_id=START)] = views
                views = sample(chance, STARTERS // 2, with_times=True)
                rollups[RollupKey(Breakdown.SCREEN, day, "screen_viewed", None, later)] = views
                rollups[RollupKey(Breakdown.LINK, day, screen_id=later, from_screen_id=screen)] = views
                write_rollups(driver_cursor(session), [(project.id, *of_key) for of_key in rollups.items()])
            found = AnalysedProject(database, Caller(user.id, Role.VIEWER), project.id, flow.id, stored_bytes)
        yield found
        database.close()


@pytest.mark.slow
def test_requests_take_little_memory_for_any_number_of_days(project: AnalysedProject) -> None:
    by = {group: AnalyticsQuery(project_id=project.project_id, group_by=group) for group in GroupBy}
    funnel, paths = FunnelQuery(flow_id=project.flow_id), PathsQuery(flow_id=project.flow_id)
    caller = project.caller
    requests: dict[str, Callable[[Session], object]] = {
        "by day": lambda session: analyse(session, caller, by[GroupBy.DAY], DATES),
        "by platform": lambda session: analyse(session, caller, by[GroupBy.PLATFORM], DATES),
        "funnel": lambda session: analyse_funnel(session, caller, funnel, DATES),
        "paths": lambda session: analyse_paths(session, caller, paths, DATES),
        "statistics": lambda session: project_statistics(session, caller, project.project_id, QUARTER),
    }
    grown = {}
    for name, request in requests.items():
        with project.database.repeatable_read() as session:
            grown[name] = peak_growth(lambda request=request, session=session: request(session))  # type: ignore[misc]
    report(
        f"MiB of memory, for sets of {project.stored_bytes >> 20} MiB",
        {name: f"{size / 2**20:.1f}" for name, size in grown.items()},
    )
    assert max(grown.values()) < 0.75 * project.stored_bytes, grown
