"""No table of a project is left out of the audit log by oversight, and no column of a key is let in."""

import pytest
from sqlalchemy import LargeBinary, inspect

from management_api.db.models.analytics import (
    ActivityRollup,
    DeadLetter,
    Device,
    ErasedDevice,
    Event,
    Exposure,
    PendingErasure,
    ProjectTotal,
    ResultRollup,
)
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.base import Model
from management_api.db.models.event_ids import EventId, EventStorage
from management_api.db.models.flow_history import FlowDraft, FlowSchedule, FlowVersion, PreviewLink
from management_api.db.models.maintenance import MaintenanceChore
from management_api.db.models.metadata import TABLES
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Project

#: Tables whose operations write entries themselves, under the flow: an entry of each save would repeat the document.
AUDITED_AS_FLOW = {FlowVersion, FlowDraft, FlowSchedule, PreviewLink}
#: Tables of reports of devices and of internal state; no user changes them.
NOT_CHANGED_BY_USERS = {
    AuditEntry,
    Publication,
    Event,
    Exposure,
    DeadLetter,
    Device,
    ErasedDevice,
    PendingErasure,
    MaintenanceChore,
    ActivityRollup,
    ResultRollup,
    ProjectTotal,
    EventId,
    EventStorage,
}

of_a_project = pytest.mark.parametrize(
    "table", [table for table in TABLES if table is Project or "project_id" in table.__table__.columns]
)


@of_a_project
def test_every_table_that_users_change_is_audited(table: type[Model]) -> None:
    assert (table.audited is None) is (table in NOT_CHANGED_BY_USERS | AUDITED_AS_FLOW)


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
