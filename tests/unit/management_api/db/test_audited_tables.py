"""No table of a project is left out of the audit log by oversight, and no column of a key is let in."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import LargeBinary, inspect

from management_api.db.models import metadata
from management_api.db.models.analytics import (
    ActivityRollup,
    DeadLetter,
    Device,
    ErasedDevice,
    Event,
    EventType,
    Exposure,
    FlowTotal,
    LinkRollup,
    LocaleRollup,
    PendingErasure,
    ProjectTotal,
    ProjectUsage,
    ResultRollup,
    RollupCheckpoint,
    UncountedBatch,
)
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.base import Model
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.event_ids import EventId, EventStorage
from management_api.db.models.flow_history import FlowDraft, FlowSchedule, FlowVersion, PreviewLink, ScreenId
from management_api.db.models.maintenance import MaintenanceChore
from management_api.db.models.media import MediaObject
from management_api.db.models.metadata import TABLES
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Project
from management_api.db.models.theme_history import ThemeDraft, ThemeVersion

#: Tables whose operations write entries themselves, under the flow or the theme, because an entry of each save would
#: repeat the document.
AUDITED_AS_PART = {FlowVersion, FlowDraft, FlowSchedule, PreviewLink, ScreenId, ThemeVersion, ThemeDraft}
#: Tables of reports of devices and of internal state; no user changes them.
NOT_CHANGED_BY_USERS = {
    AuditEntry,
    Publication,
    Event,
    EventType,
    Exposure,
    DeadLetter,
    Device,
    ErasedDevice,
    PendingErasure,
    DeletedProject,
    MaintenanceChore,
    MediaObject,
    ActivityRollup,
    ResultRollup,
    LinkRollup,
    LocaleRollup,
    ProjectTotal,
    FlowTotal,
    RollupCheckpoint,
    ProjectUsage,
    UncountedBatch,
    EventId,
    EventStorage,
}

#: Statements on audited tables that pass no flush, and write no entry, each with the reason.
WITHOUT_AN_ENTRY = {
    ("media/operations.py", "update", "Media"): "the mark of a deletion, which has an entry of its own",
    ("analytics/erasure.py", "delete", "QaDevice"): "the entry of the erasure has a pseudonym instead of the device",
    ("background/key_use.py", "UPDATE", "SecretKey"): "the time of the last use is in no entry",
    ("projects/operations.py", "update", "Project"): "the log of the installation has the deletion of the project",
    ("projects/operations.py", "delete", "Member"): "the log of the installation has the deletion of the project",
    ("projects/operations.py", "delete", "SecretKey"): "the log of the installation has the deletion of the project",
    ("rollups/purge.py", "DELETE", "Project"): "the log of the installation has the deletion of the project",
    ("flows/lifecycle/versions.py", "update", "Flow"): "live versions have no entry, the end of a theme writes its own",
    ("themes/lifecycle/versions.py", "update", "Theme"): "the number of the live version has no entry",
    ("flows/operations.py", "update", "Flow"): "the order of flows writes its entries itself",
    ("projects/secret_keys.py", "delete", "SecretKey"): "expired keys go with the entry of the rotation",
}

of_a_project = pytest.mark.parametrize(
    "table", [table for table in TABLES if table is Project or "project_id" in table.__table__.columns]
)


@of_a_project
def test_every_table_that_users_change_is_audited(table: type[Model]) -> None:
    assert (table.audited is None) is (table in NOT_CHANGED_BY_USERS | AUDITED_AS_PART)


@of_a_project
def test_only_columns_that_hold_no_key_are_shown(table: type[Model]) -> None:
    if table.audited is not None:
        columns = inspect(table).columns
        shown = [columns[name] for name in table.audited.columns]
        assert not any(isinstance(column.type, LargeBinary) for column in shown)
        assert table.audited.id_column in columns


def test_entities_have_names_of_their_own() -> None:
    names = [table.audited.entity for table in TABLES if table.audited is not None]
    assert len(set(names)) == len(names)


def test_bulk_statements_on_audited_tables_are_known() -> None:
    tables = {table.__tablename__: table.__name__ for table in TABLES if table.audited is not None}
    root = Path(metadata.__file__).parents[2]
    found = {
        (str(file.relative_to(root)), *statement)
        for file in root.rglob("*.py")
        if "migrations" not in file.parts
        for statement in bulk_statements(ast.parse(file.read_text()), tables)
    }
    assert found == WITHOUT_AN_ENTRY.keys()


def bulk_statements(source: ast.Module, tables: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the kind and the model of each INSERT, UPDATE and DELETE on a table, by SQLAlchemy or as text."""
    in_text = re.compile(rf"\b(INSERT|UPDATE|DELETE)(?: INTO| FROM)? ({'|'.join(tables)})\b")
    for node in ast.walk(source):
        match node:
            case ast.Call(func=ast.Name("insert" | "update" | "delete" as kind), args=[ast.Name(model), *_]):
                if model in tables.values():
                    yield kind, model
            case ast.Constant(str(text)):
                yield from ((kind, tables[table]) for kind, table in in_text.findall(text))
