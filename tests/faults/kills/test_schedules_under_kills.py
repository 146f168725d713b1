"""Schedules that are due in the same minute run once each, soon, though one of two publishers is killed meanwhile."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from common.settings.shared import DatabaseSettings
from common.timestamps import utc_now
from management_api.db.engine import Database
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.flow_history import FlowSchedule, FlowVersion
from tests.support.data.rows import add_flow, add_member, add_project, add_schedule, add_user, add_version
from tests.support.polling import eventually
from tests.support.servers.service_process import StartedProcess
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

SCHEDULES = soak_setting("SCHEDULES", 40, 200)
#: The time in which all of them are due, and the time before that, in which the publishers start.
DUE_SECONDS = soak_setting("SCHEDULES_DUE_SECONDS", 4, 60)
START_SECONDS = 5
PROJECTS = 5
#: The aim, on processors that no other test uses.
MAX_DELAY_SECONDS = soak_setting("SCHEDULE_DELAY_SECONDS", 60, 5)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    yield database
    database.close()


def add_schedules(database: Database) -> None:
    """Add flows of two versions with a schedule each, which restores the first, to several projects."""
    first = utc_now() + timedelta(seconds=START_SECONDS)
    with database.transaction() as session:
        for project_number in range(PROJECTS):
            project, owner = add_project(session), add_user(session)
            add_member(session, project, owner)
            for number in range(project_number, SCHEDULES, PROJECTS):
                flow = add_flow(session, project)
                add_version(session, flow, name="Changed")
                run_at = first + timedelta(seconds=DUE_SECONDS * number / SCHEDULES)
                add_schedule(session, flow, owner, action="restore", version=1, run_at=run_at)


def pending(database: Database) -> int:
    """Return the number of schedules that have not run."""
    with database.reading() as session:
        return len(session.scalars(select(FlowSchedule.id).where(FlowSchedule.state == "pending")).all())


def test_schedules_run_once_with_two_publishers_of_which_one_is_killed(
    database: Database, database_url: str, redis_url: str, master_key: str, tmp_path: Path
) -> None:
    environment = {
        "ONBOARDING_DATABASE_URL": database_url,
        "ONBOARDING_REDIS_URL": redis_url,
        "ONBOARDING_MASTER_KEY": master_key,
    }
    log_files = [tmp_path / f"publisher-{number}.log" for number in range(2)]
    with (
        StartedProcess("publisher.main", "PublisherSettings", environment, log_files[0]) as killed,
        StartedProcess("publisher.main", "PublisherSettings", environment, log_files[1]),
    ):
        eventually(lambda: all("publisher.started" in file.read_text() for file in log_files), within=60)
        add_schedules(database)
        eventually(lambda: pending(database) <= SCHEDULES * 2 // 3, within=START_SECONDS + DUE_SECONDS + 30)
        killed.kill()
        eventually(lambda: pending(database) == 0, within=DUE_SECONDS + 30)
    with database.reading() as session:
        schedules = session.scalars(select(FlowSchedule)).all()
        delays = [(schedule.ended_at - schedule.run_at).total_seconds() for schedule in schedules if schedule.ended_at]
        origins = Counter(session.scalars(select(FlowVersion.origin)))
        restored = session.scalars(select(AuditEntry.entity_id).where(AuditEntry.action == "flow.restored")).all()
    assert Counter(schedule.state for schedule in schedules) == {"done": SCHEDULES}
    assert origins == {"created": SCHEDULES, "published": SCHEDULES, "scheduled": SCHEDULES}
    assert len(restored) == len(set(restored)) == SCHEDULES
    report("schedules", {"ran once": SCHEDULES, "longest delay in seconds": round(max(delays), 2)})
    assert min(delays) >= 0
    assert max(delays) <= MAX_DELAY_SECONDS
