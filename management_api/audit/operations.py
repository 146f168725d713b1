"""The audit log of a project, as it is read (contract, section 3); `db/audit.py` writes it."""

from typing import Any

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.auth.access import Caller, check_may_read
from management_api.db.models.audit_log import AuditEntry
from management_api.http.pagination import Page, PageRequest, read_page

#: The one moment that an entry has is its `at`.
SORTABLE: dict[str, InstrumentedAttribute[Any]] = {"created_at": AuditEntry.at, "updated_at": AuditEntry.at}
_LISTED: Select[*tuple[Any, ...]] = select(
    AuditEntry.id, AuditEntry.at, AuditEntry.user_id, AuditEntry.action, AuditEntry.entity_type,
    AuditEntry.entity_id, AuditEntry.before, AuditEntry.after,
).where(AuditEntry.project_id == bindparam("project_id"))  # fmt: skip


def list_audit_log(session: Session, caller: Caller, project_id: str, page: PageRequest) -> Page[*tuple[Any, ...]]:
    """Give a page of the project's audit log. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    return read_page(session, _LISTED, page, {"project_id": project_id}, sortable=SORTABLE, tie_breaker=AuditEntry.id)
