"""`onboarding audit export`: the logs of all projects and of the installation, for collectors."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from common.errors import SettingsError
from common.timestamps import utc_now
from management_api.audit import export
from tests.support.clients.management import Management, data_of, management_service


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    with management_service(database_url, master_key, tmp_path) as service:
        yield service


def exported(database_url: str, *arguments: str) -> str:
    environment = {"ONBOARDING_DATABASE_URL": database_url}
    result = CliRunner().invoke(app, ["audit", "export", *arguments], env=environment)
    if result.exception:
        raise result.exception
    return result.output


def entries(database_url: str, since: str = "2026-01-01T00:00:00Z") -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(database_url, "--since", since).splitlines()]


def test_all_logs_are_exported_in_the_order_of_time(
    management: Management, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PORTION", 2)
    alice = management.user("alice", email="alice@example.com")
    first, second = (alice.create_project(name)["id"] for name in ("First", "Second"))
    alice.api_key()
    alice.delete(f"/api/projects/{first}")
    found = entries(database_url)
    assert [entry["at"] for entry in found] == sorted(entry["at"] for entry in found)
    assert len({entry["id"] for entry in found}) == len(found)
    by_project = [(entry["project_id"], entry["action"]) for entry in found]
    assert by_project[0] == (None, "user.sign_in")
    assert {(None, "api_key.show"), (first, "project.delete")} <= set(by_project)
    assert sorted(action for project_id, action in by_project if project_id == second) == [
        "member.add",
        "project.create",
        "secret_key.create",
    ]
    assert {entry["user_id"] for entry in found} == {management.user_id("alice")}
    assert "alice@example.com" not in json.dumps(found)
    assert entries(database_url, found[-1]["at"])[-1] == found[-1]
    rows = list(csv.DictReader(io.StringIO(exported(database_url, "--since", found[0]["at"], "--csv"))))
    assert len(rows) == len(found)
    [deletion] = [row for row in rows if row["action"] == "project.delete"]
    assert json.loads(deletion["before"]) == {"name": "First"}


def test_export_begins_with_a_time_or_a_day(management: Management, database_url: str) -> None:
    assert data_of(management.user("alice").get("/api/user"))
    today = utc_now().date()
    assert len(entries(database_url, str(today))) == 1
    assert entries(database_url, str(today + timedelta(days=1))) == []
    for wrong in ("yesterday", "2026-13-01"):
        with pytest.raises(SettingsError, match="--since: must be a time"):
            exported(database_url, "--since", wrong)
