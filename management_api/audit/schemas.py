"""The audit log in queries and responses (contract, section 3, Shapes)."""

from typing import Any

from pydantic import Field

from management_api.http.pagination import PageQuery
from management_api.http.responses import ResponseModel, Timestamp


class AuditLogQuery(PageQuery):
    """GET /projects/{project_id}/audit-log; `created_at` and `updated_at` are the `at` of an entry."""

    sortable = frozenset({"created_at", "updated_at"})


class AuditEntryView(ResponseModel):
    """One change of one object; `before` and `after` have the members that it changed."""

    id: str
    at: Timestamp
    user_id: str
    action: str = Field(description="The change, as `flow.update`.")
    entity_type: str
    entity_id: str
    before: dict[str, Any] | None = Field(description="The changed members before the change; null for a creation.")
    after: dict[str, Any] | None = Field(
        description="The same members after the change; null for a deletion. Keys never stand in it."
    )
