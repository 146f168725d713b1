"""Tells which statements would change audited rows behind the audit log's back."""

from typing import cast

from sqlalchemy import ClauseElement, Executable
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.visitors import iterate

from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.base import Model

#: The execution option of a statement whose effect follows from a change that has an entry of its own.
FOLLOWS_FROM_AUDITED_CHANGE = "follows_from_audited_change"


class UnauditedChangeError(RuntimeError):
    """Audited rows would be changed without an entry in the audit log: a defect of ours."""


def refuse_unaudited(*statements: Executable | ClauseElement) -> None:
    """Raise UnauditedChangeError if the parts of a statement change audited rows and there is no entry among them."""
    changes = [
        part
        for statement in statements
        for part in iterate(cast("ClauseElement", statement))
        if isinstance(part, UpdateBase)
    ]
    if AuditEntry.__table__ in {change.table for change in changes}:
        return
    audited = {mapper.local_table: mapper.class_ for mapper in Model.registry.mappers if mapper.class_.audited}
    for change in changes:
        if change.table in audited and not _follows(change):
            raise UnauditedChangeError(f"a change of {audited[change.table].__name__} would not be audited")


def _follows(change: Executable) -> bool:
    return bool(change.get_execution_options().get(FOLLOWS_FROM_AUDITED_CHANGE, False))
