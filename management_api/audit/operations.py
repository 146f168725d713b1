"""Reading the audit log of a project (contract, section 3); `db/audit.py` writes it."""

from typing import Any

from sqlalchemy import bindparam, select

from management_api.auth.access import Caller
from management_api.db.engine import Reader
from management_api.db.models.audit_log import AuditEntry
from management_api.http.pagination import Page, PagedSelect, PageRequest

_LIST = PagedSelect(
    select(
        AuditEntry.id, AuditEntry.at, AuditEntry.user_id, AuditEntry.action, AuditEntry.entity_type,
        AuditEntry.entity_id, AuditEntry.before, AuditEntry.after,
    ).where(AuditEntry.project_id == bindparam("project_id")),
    # The only time of an entry.
    {"created_at": AuditEntry.at, "updated_at": AuditEntry.at},
    AuditEntry.id,
)  # fmt: skip


def list_audit_log(reader: Reader, caller: Caller, project_id: str, page: PageRequest) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's audit log. Raises ProjectNotFoundError, ForbiddenError."""
    return _LIST.read_in_project(reader, caller, project_id, page)
