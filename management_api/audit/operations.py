"""Reading the audit log of a project (contract, section 3); `db/audit.py` writes it."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.auth.access import Caller, check_may_read
from management_api.db.models.audit_log import AuditEntry
from management_api.http.pagination import Page, PageRequest, read_page

#: `at` is the only time of an entry.
SORTABLE: dict[str, InstrumentedAttribute[Any]] = {"created_at": AuditEntry.at, "updated_at": AuditEntry.at}


def list_audit_log(session: Session, caller: Caller, project_id: str, page: PageRequest) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's audit log. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    entries = select(
        AuditEntry.id, AuditEntry.at, AuditEntry.user_id, AuditEntry.action, AuditEntry.entity_type,
        AuditEntry.entity_id, AuditEntry.before, AuditEntry.after,
    ).where(AuditEntry.project_id == project_id)  # fmt: skip
    return read_page(session, entries, page, sortable=SORTABLE, tie_breaker=AuditEntry.id)
