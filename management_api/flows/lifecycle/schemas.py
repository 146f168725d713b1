"""Bodies and responses of drafts, versions, schedules and preview links (contract, section 7)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from common.timestamps import utc_now
from management_api.db.models.documents import upcast
from management_api.db.models.flow_history import ScheduleAction, ScheduleState, VoidReason
from management_api.flows.schemas import DocumentFields, FlowContentView
from management_api.flows.targeting import ConditionView
from management_api.history.schemas import (
    DraftFields,
    DraftState,
    Note,
    PublicationFields,
    StoredModel,
    VersionNumber,
    VersionState,
)
from management_api.http.fields import REQUIRED, IdText, Rule, field_error, list_up_to, moment_of, one_of
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel, resolve_alias
from management_api.http.responses import ETagModel, ResponseModel, Timestamp
from management_api.screens.schemas import ScreenContent, ScreenFields, ScreenTypeField
from management_api.settings import MAX_SCREENS_PER_FLOW

MAX_SCHEDULE_DAYS = 365

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


class DraftBody(DraftFields):
    """PUT /flows/{flow_id}/draft."""

    document: Annotated[DocumentBody, REQUIRED] = Field(examples=[_DOCUMENT_EXAMPLE])


class PublishBody(PublicationFields):
    """POST /flows/{flow_id}/publish; every member may be left out, and so may the body."""

    activate: bool = Field(default=False, description="Whether the flow's status becomes active too.")


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


class ScheduleListQuery(PageQuery):
    """GET /flows/{flow_id}/schedules, the newest first."""

    sortable: ClassVar[frozenset[str]] = frozenset({"created_at", "run_at"})


Percentage = Annotated[int | float, Field(json_schema_extra={"minimum": 0, "maximum": 100})]


class DocumentTargeting(StoredModel):
    """The targeting of a document."""

    percentage: Percentage
    conditions: Sequence[ConditionView]


class DocumentScreenView(ScreenContent, StoredModel):
    """A screen of a document; its place in the list is its order."""

    id: str
    type: str
    name: str | None


class DocumentView(FlowContentView, StoredModel):
    """The document of a flow: all of its content, without status, default, priority and statistics."""

    targeting: DocumentTargeting
    screens: Sequence[DocumentScreenView]


class DraftView(DraftState):
    """The draft of a flow. Its entity tag covers the document and the base version."""

    flow_id: str
    document: DocumentView


class VersionView(VersionState):
    """A version of a flow."""

    flow_id: str


class VersionWithDocument(VersionView, ETagModel):
    """A version with its document."""

    document: DocumentView


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
