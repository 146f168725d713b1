"""Bodies and responses of drafts, versions, schedules and preview links (contract, section 7)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator

from common.timestamps import utc_now
from management_api.db.models.documents import upcast
from management_api.db.models.flow_history import (
    MAX_NOTE_LENGTH,
    ScheduleAction,
    ScheduleState,
    VersionOrigin,
    VoidReason,
)
from management_api.flows.lifecycle.diff import Operation
from management_api.flows.schemas import DocumentFields, FlowContentView
from management_api.flows.targeting import ConditionView
from management_api.http.fields import (
    REQUIRED,
    IdText,
    Rule,
    field_error,
    list_up_to,
    moment_of,
    number_between,
    one_of,
    text_between,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel, resolve_alias
from management_api.http.responses import ETagModel, ResponseModel, Timestamp
from management_api.screens.schemas import ScreenContent, ScreenFields, ScreenTypeField
from management_api.settings import MAX_SCREENS_PER_FLOW

MAX_VERSION = 2**31 - 1
MAX_SCHEDULE_DAYS = 365

Note = Annotated[str, text_between(0, MAX_NOTE_LENGTH)]
VersionNumber = Annotated[int, whole_number_between(1, MAX_VERSION)]

_DOCUMENT_EXAMPLE = {
    "name": "Welcome",
    "screens": [{"type": "welcome", "name": "Hello", "content": {"title": "Welcome aboard"}, "settings": {}}],
}


class DocumentScreen(ScreenFields):
    """A screen of a document. One without an id is new."""

    id: IdText | None = None
    type: Annotated[ScreenTypeField, REQUIRED]


class DocumentBody(DocumentFields):
    """The document of a flow. Members that are left out have the defaults of POST /flows."""

    screens: Annotated[list[DocumentScreen], list_up_to(MAX_SCREENS_PER_FLOW)] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _resolve_alias(cls, document: object) -> object:
        resolved = resolve_alias(document, "themeId", "theme_id")
        # The documents of the first drafts had it.
        return {n: v for n, v in resolved.items() if n != "priority"} if isinstance(resolved, dict) else resolved

    def document(self) -> dict[str, Any]:
        """Return the document as it is stored; new screens have the id None."""
        screens = [{"id": screen.id, **screen.new_members()} for screen in self.screens]
        return {**self.applied_to(upcast({})), "screens": screens}


class DraftBody(RequestModel):
    """PUT /flows/{flow_id}/draft."""

    read_only = frozenset({"flow_id", "live_version", "updated_by", "approvals", "required_approvals"})

    document: Annotated[DocumentBody, REQUIRED] = Field(examples=[_DOCUMENT_EXAMPLE])
    base_version: VersionNumber | None = Field(
        default=None, description="The version that the draft was begun from; by default the live one."
    )


class PublishBody(RequestModel):
    """POST /flows/{flow_id}/publish; every member may be left out, and so may the body."""

    note: Note | None = Field(default=None, examples=["Shorter welcome"])
    ignore_warnings: bool = False
    activate: bool = Field(default=False, description="Whether the flow's status becomes active too.")


class RestoreTarget(StrEnum):
    """The target of a restoration."""

    LIVE = "live"
    DRAFT = "draft"


class RestoreBody(RequestModel):
    """POST /flows/{flow_id}/versions/{number}/restore; every member may be left out, and so may the body."""

    to: Annotated[RestoreTarget, one_of(RestoreTarget)] = RestoreTarget.LIVE
    note: Note | None = None


def _run_at(value: object) -> datetime:
    moment, now = moment_of(value), utc_now()
    if not now <= moment <= now + timedelta(days=MAX_SCHEDULE_DAYS):
        raise field_error("must be from now to one year ahead")
    return moment


RunAt = Annotated[
    datetime,
    Rule(_run_at, {"examples": ["2027-01-04T09:00:00Z"]}),
]


class ScheduleBody(RequestModel):
    """POST /flows/{flow_id}/schedules."""

    action: Annotated[ScheduleAction, one_of(ScheduleAction), REQUIRED] = Field(examples=["activate"])
    version: VersionNumber | None = Field(default=None, description="The version to restore; of a restore only.")
    activate: bool = Field(
        default=False, description="Whether a publication or a restore makes the flow's status active too."
    )
    run_at: Annotated[RunAt, REQUIRED] = Field(examples=["2027-01-04T09:00:00Z"])
    note: Note | None = None
    ignore_warnings: bool = False


class PreviewLinkBody(RequestModel):
    """POST /flows/{flow_id}/preview-link; every member may be left out, and so may the body."""

    draft: bool = Field(
        default=True, description="Whether the page shows the draft. Without a draft it shows the live flow."
    )


class VersionListQuery(PageQuery):
    """GET /flows/{flow_id}/versions, the newest first."""

    sortable: ClassVar[frozenset[str]] = frozenset({"created_at"})


class ScheduleListQuery(PageQuery):
    """GET /flows/{flow_id}/schedules, the newest first."""

    sortable: ClassVar[frozenset[str]] = frozenset({"created_at", "run_at"})


class VersionDiffQuery(RequestModel):
    """GET /flows/{flow_id}/versions/{number}/diff; by default the version before is compared."""

    against: Annotated[int, number_between(1, MAX_VERSION)] | None = None


Percentage = Annotated[int | float, Field(json_schema_extra={"minimum": 0, "maximum": 100})]


class _StoredModel(ResponseModel):
    """A part of a stored document, whose members of a newer release are passed on."""

    model_config = ConfigDict(extra="allow")


class DocumentTargeting(_StoredModel):
    """The targeting of a document."""

    percentage: Percentage
    conditions: Sequence[ConditionView]


class DocumentScreenView(ScreenContent, _StoredModel):
    """A screen of a document; its place in the list is its order."""

    id: str
    type: str
    name: str | None


class DocumentView(FlowContentView, _StoredModel):
    """The document of a flow: all of its content, without status, default, priority and statistics."""

    targeting: DocumentTargeting
    screens: Sequence[DocumentScreenView]


class ApprovalView(ResponseModel):
    """The approval of a draft."""

    user_id: str
    at: Timestamp


class DraftView(ETagModel):
    """The draft of a flow. Its entity tag covers the document and the base version."""

    flow_id: str
    document: DocumentView
    base_version: int
    live_version: int = Field(description="The newest version; above `base_version` the draft is stale.")
    updated_at: Timestamp
    updated_by: str
    approvals: Sequence[ApprovalView]
    required_approvals: int


class VersionView(ResponseModel):
    """A version of a flow."""

    flow_id: str
    number: int
    origin: VersionOrigin
    note: str | None
    restored_from: int | None
    created_at: Timestamp
    created_by: str | None = Field(description="A user; null for a version that the service has made itself.")


class VersionWithDocument(VersionView, ETagModel):
    """A version with its document."""

    document: DocumentView


class ChangeView(ResponseModel):
    """One difference of two documents."""

    op: Operation
    path: str = Field(description="A JSON pointer in which screens are named by their ids.")
    before: Any = Field(description="The former value, or the former position of a screen that was moved.")
    after: Any = Field(description="The new value, or the new position of a screen that was moved.")


class DiffView(ResponseModel):
    """The differences of two documents."""

    from_: int = Field(serialization_alias="from", description="A version; 0 is an empty document.")
    to: int | Literal["draft"]
    changes: Sequence[ChangeView]


class ProblemView(ResponseModel):
    """An error or a warning of a document."""

    field: str = Field(description="A JSON pointer in which screens are named by their ids.")
    code: str
    message: str


class ValidationView(ResponseModel):
    """The result of a validation: errors forbid a publication, warnings have to be ignored explicitly."""

    errors: Sequence[ProblemView]
    warnings: Sequence[ProblemView]


class ScheduleView(ResponseModel):
    """A change of a flow at a time."""

    id: str
    flow_id: str
    action: ScheduleAction
    version: int | None
    activate: bool = Field(description="Whether a publication or a restore makes the flow's status active too.")
    run_at: Timestamp
    note: str | None
    void_reason: VoidReason | None = Field(description="What would fail a pending schedule if it ran now.")
    state: ScheduleState
    error: str | None = Field(description="Why it failed, such as `missed` or `draft_changed`.")
    created_by: str
    created_at: Timestamp
    ended_at: Timestamp | None


class PreviewLinkView(ResponseModel):
    """A link to a hosted page that shows a flow and records nothing."""

    url: str = Field(
        description="A page of the edge, for a browser or a QR code. Everyone with the link can see the flow.",
        examples=["https://edge.example.com/s/kwGoY.../onboarding/flow_01h455vb4pex5vsknk084sn02q/1"],
    )
    expires_at: Timestamp
