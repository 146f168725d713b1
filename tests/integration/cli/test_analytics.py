"""`onboarding analytics recompute`: rollups are compared with the stored events, and repaired."""

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from management_api.db.engine import Database
from tests.support.command import run_command
from tests.support.data.analytics_events import add_events, an_event
from tests.support.data.rows import add_project

_DAY = datetime(2026, 3, 2, 12, tzinfo=UTC)

Recompute = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project_id(database: Database) -> str:
    """Return a project with three counted events of two devices."""
    with database.transaction() as session:
        project_id = add_project(session).id
        events = [an_event(_DAY, device_id=device, event_type="[red]x[/]") for device in ("d1", "d1", "d2")]
        add_events(session, project_id, events)
    return project_id


@pytest.fixture
def recompute(database_url: str) -> Recompute:
    """Return a function that runs the command on the test's database."""

    def run(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        variables = {"ONBOARDING_DATABASE_URL": database_url, **changes}
        return run_command("analytics", "recompute", *arguments, **variables)

    return run


def _damage(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("UPDATE activity_cells SET events = events + 4 WHERE breakdown IN ('all', 'flow')"))


@pytest.mark.usefixtures("project_id")
def test_equal_rollups_are_no_difference(recompute: Recompute) -> None:
    done = recompute("--all", "--check")
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 project recomputed, 0 differences" in done.stderr


def test_check_reports_differences_and_changes_nothing(
    database: Database, recompute: Recompute, project_id: str
) -> None:
    _damage(database)
    for _ in range(2):
        done = recompute("--project", project_id, "--check")
        assert done.returncode == 1
        assert "2 differences found" in done.stderr
        lines = [line for line in done.stdout.splitlines() if project_id in line]
        assert all("2026-03-02" in line and "7 events, 2 devices" in line for line in lines)
        assert all("3 events, 2 devices" in line for line in lines)
        # What devices made up is shown as it is.
        assert [any("event_type=[red]x[/]" in line for line in lines), len(lines)] == [True, 2]


@pytest.mark.usefixtures("project_id")
def test_differences_are_repaired_and_reported_once(database: Database, recompute: Recompute) -> None:
    _damage(database)
    done = recompute("--all")
    assert (done.returncode, "2 differences repaired" in done.stderr) == (1, True)
    assert recompute("--all", "--check").returncode == 0


def test_missing_project_is_one_line_and_no_difference(recompute: Recompute) -> None:
    done = recompute("--project", "proj_none", "--check")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no project proj_none" in done.stderr
    assert "Traceback" not in done.stderr


def test_unreachable_database_is_one_line_and_no_difference(recompute: Recompute) -> None:
    done = recompute("--all", ONBOARDING_DATABASE_URL="postgresql://nobody:s3cret@127.0.0.1:1/nothing")
    assert (done.returncode, done.stdout) == (3, "")
    assert "PostgreSQL: " in done.stderr.splitlines()[-1]
    assert "s3cret" not in done.stderr


@pytest.mark.parametrize("arguments", [(), ("--all", "--project", "proj_none")])
def test_either_all_or_one_project_is_recomputed(recompute: Recompute, arguments: tuple[str, ...]) -> None:
    done = recompute(*arguments)
    assert done.returncode == 2
    assert "--project or --all" in done.stderr
