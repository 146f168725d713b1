"""The work of `onboarding devices`."""

import sys
from collections.abc import Iterator, Sequence

import orjson
from rich.console import Console
from sqlalchemy import select
from sqlalchemy.orm import Session

from cli.connections import open_database
from cli.console import plural
from cli.errors import CommandError
from cli.settings import CommandSettings
from common.timestamps import format_timestamp, utc_now
from management_api.analytics.device_export import export_device, record_device_export
from management_api.analytics.erasure import erase_device
from management_api.analytics.named_devices import places_that_name
from management_api.analytics.schemas import DeviceDataView
from management_api.db.audit import OPERATOR, set_audit_actor
from management_api.db.engine import Database
from management_api.db.models.projects import Project
from management_api.db.project_locks import own_project
from management_api.db.psycopg_connection import driver_cursor


def export_to_stdout(settings: CommandSettings, project_id: str, device_id: str) -> None:
    """Write the data of a device as one document, page by page. Raises CommandError for an unknown project."""
    count = 0
    with open_database(settings) as database:
        with database.transaction() as session:
            _check_project(session, project_id)
            set_audit_actor(session, OPERATOR)
            record_device_export(session, project_id, device_id, OPERATOR)
        with Console(stderr=True).status("Reading events") as status:
            for part, items in _parts(_pages(database, project_id, device_id)):
                sys.stdout.buffer.write(part)
                count += items
                status.update(f"Reading events: {plural(count, 'item')}")


def erase_for_operator(settings: CommandSettings, project_id: str, device_id: str) -> Sequence[str]:
    """Record the erasure of a device, and return the flows and experiments with a condition that names it.

    Raises CommandError for an unknown project.
    """
    with open_database(settings) as database, database.transaction() as session:
        if not own_project(driver_cursor(session), project_id):
            raise _no_project(project_id)
        set_audit_actor(session, OPERATOR)
        erase_device(session, project_id, device_id)
        return places_that_name(session, project_id, device_id)


def _check_project(session: Session, project_id: str) -> None:
    if session.scalar(select(Project.id).where(Project.id == project_id)) is None:
        raise _no_project(project_id)


def _no_project(project_id: str) -> CommandError:
    return CommandError(f"no project {project_id}")


def _pages(database: Database, project_id: str, device_id: str) -> Iterator[DeviceDataView]:
    cursor = None
    while True:
        with database.repeatable_read() as session:
            page = export_device(session, project_id, device_id, cursor)
        yield page
        cursor = page.next
        if cursor is None:
            return


def _parts(pages: Iterator[DeviceDataView]) -> Iterator[tuple[bytes, int]]:
    """Yield the document in parts, each with the number of its items. All dead letters follow all events."""
    member = ""
    for page in pages:
        if not member:
            about = page.model_dump(mode="json", exclude={"events", "dead_letters", "next"})
            head = orjson.dumps({"exported_at": format_timestamp(utc_now()), **about})
            yield head.removesuffix(b"}") + b',"events":[', 0
            member, separator = "events", b"\n"
        for name, items in (("events", page.events), ("dead_letters", page.dead_letters)):
            for item in items:
                if name != member:
                    yield b'],"dead_letters":[', 0
                    member, separator = name, b"\n"
                yield separator + item.model_dump_json().encode(), 1
                separator = b",\n"
    yield b"]}\n" if member == "dead_letters" else b'],"dead_letters":[]}\n', 0
