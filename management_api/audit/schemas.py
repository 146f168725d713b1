"""The audit log in queries and responses (contract, section 3, Shapes)."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from management_api.audit.filters import AuditFilters
from management_api.http.fields import IdText, Moment, SearchText, one_of
from management_api.http.pagination import PageQuery
from management_api.http.responses import ResponseModel, Timestamp, is_none


class AuditPart(StrEnum):
    """The members of entries that are left out unless they are requested."""

    NAMES = "names"


class AuditLogQuery(PageQuery):
    """GET /projects/{project_id}/audit-log; `created_at` and `updated_at` are the `at` of an entry."""

    sortable = frozenset({"created_at", "updated_at"})

    include: Annotated[AuditPart, one_of(AuditPart)] | None = Field(
        default=None, description="`names`: each entry has `entity_name` and `user_name` too."
    )
    since: Moment | None = Field(default=None, description="Only entries from this time on.")
    entity_type: IdText | None = Field(default=None, description="Only changes of this kind of object, such as `flow`.")
    user_id: IdText | None = Field(default=None, description="Only changes of this user.")
    search: SearchText | None = Field(
        default=None, description="A part of the name that the object has or had at the change, or its whole id."
    )

    def filters(self) -> AuditFilters:
        """Return the filters of the log."""
        return AuditFilters(self.since, self.entity_type, self.user_id, self.search)


class AuditEntryView(ResponseModel):
    """A change of an object, or a read of its secrets; `before` and `after` have the members that it changed."""

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
    entity_name: str | None = Field(
        default=None,
        exclude_if=is_none,
        description="The name that the object has now; with `include=names`, unless it is deleted or has none.",
    )
    user_name: str | None = Field(
        default=None,
        exclude_if=is_none,
        description="The name of the user, or else the email address; with `include=names`, where one is known.",
    )
