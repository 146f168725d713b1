"""The audit log as the interface shows it (contract, section 3, Shapes)."""

from typing import Any

from pydantic import Field

from management_api.http.pagination import PageQuery
from management_api.http.responses import ResponseModel, Timestamp


class AuditLogQuery(PageQuery):
    """GET /projects/{project_id}/audit-log; an entry never changes: `created_at` and `updated_at` are its `at`."""

    sortable = frozenset({"created_at", "updated_at"})


class AuditEntryView(ResponseModel):
    """One change of one thing; `before` and `after` have the members that it touched."""

    id: str
    at: Timestamp
    user_id: str
    action: str = Field(description="The change, as `flow.update`.")
    entity_type: str
    entity_id: str
    before: dict[str, Any] | None = Field(description="The members that changed, as they were; null for what was made.")
    after: dict[str, Any] | None = Field(
        description="The same members as they are; null for what was deleted. Never a key."
    )
