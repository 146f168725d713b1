"""`onboarding devices`: the data of a device, for the operators of an installation."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, select
from typer.testing import CliRunner, Result

from cli.main import app
from common.timestamps import utc_now
from common.wire.stream_records import EventRecord, encode_record
from management_api.analytics import device_export
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.db.models.audit_log import AuditEntry
from management_api.rollups.erasure import complete_erasures, pseudonym_of
from tests.support.data.analytics_events import add_events, an_event
from tests.support.data.rows import add_project

Command = Callable[..., Result]
DEVICE = "a/b%"


@pytest.fixture
def command(database_url: str) -> Command:
    """Return a function that runs `onboarding devices`."""
    environment = {"ONBOARDING_DATABASE_URL": database_url}
    return lambda *arguments: CliRunner().invoke(app, ["devices", *arguments], env=environment)


@pytest.fixture
def project_id(database: Database) -> str:
    """Return a project with seven events and a dead letter of a device."""
    with database.transaction() as session:
        project_id = add_project(session).id
        at = utc_now() - timedelta(days=1)
        add_events(session, project_id, [an_event(at, device_id=DEVICE, event_id=f"evt_{n}") for n in range(7)])
        record = EventRecord(project_id, "evt_dead", "opened", DEVICE, 0, 0)
        session.execute(insert(DeadLetter).values(stream="s", entry_id="1", body=encode_record(record), reason="Odd"))
        return project_id


def audit_log(database: Database) -> list[tuple[str, str, str]]:
    columns = (AuditEntry.user_id, AuditEntry.action, AuditEntry.entity_id)
    with database.reading() as session:
        return [(user, action, entity) for user, action, entity in session.execute(select(*columns))]


@pytest.mark.parametrize("page_size", [2, 7, 100])
def test_export_is_one_document_of_all_pages(
    database: Database, command: Command, project_id: str, monkeypatch: pytest.MonkeyPatch, page_size: int
) -> None:
    monkeypatch.setattr(device_export, "MAX_ITEMS", page_size)
    exported = command("export", project_id, DEVICE)
    document = json.loads(exported.stdout)
    assert exported.exit_code == 0
    assert (document["project_id"], document["device_id"]) == (project_id, DEVICE)
    assert [event["event_id"] for event in document["events"]] == [f"evt_{number}" for number in range(7)]
    assert [letter["record"]["event_id"] for letter in document["dead_letters"]] == ["evt_dead"]
    assert audit_log(database) == [("operator", "device.export", pseudonym_of(project_id, DEVICE))]


def test_export_of_an_erased_device_is_empty(database: Database, command: Command, project_id: str) -> None:
    assert command("erase", project_id, DEVICE).exit_code == 0
    for _ in range(2):
        document = json.loads(command("export", project_id, DEVICE).stdout)
        assert (document["events"], document["dead_letters"]) == ([], [])
        complete_erasures(database, project_id)
    actions = [(user, action) for user, action, _ in audit_log(database)]
    assert actions == [("operator", "device.erase"), ("operator", "device.export")]


@pytest.mark.parametrize("verb", ["export", "erase"])
def test_unknown_project_is_named(command: Command, verb: str) -> None:
    done = command(verb, "proj_none", DEVICE)
    assert (done.stdout, str(done.exception)) == ("", "no project proj_none")
