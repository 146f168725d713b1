"""Bodies and responses that the histories of flows and of themes share (contract, section 7)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from management_api.db.models.history import MAX_NOTE_LENGTH, VersionOrigin
from management_api.history.diff import Operation
from management_api.http.fields import number_between, one_of, text_between, whole_number_between
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import ETagModel, ResponseModel, Timestamp

MAX_VERSION = 2**31 - 1

Note = Annotated[str, text_between(0, MAX_NOTE_LENGTH)]
VersionNumber = Annotated[int, whole_number_between(1, MAX_VERSION)]


class DraftFields(RequestModel):
    """The members of a draft besides its document."""

    read_only = frozenset({"flow_id", "theme_id", "live_version", "updated_by", "approvals", "required_approvals"})

    base_version: VersionNumber | None = Field(
        default=None, description="The version that the draft was begun from; by default the live one."
    )


class PublicationFields(RequestModel):
    """The members of a publication; every one may be left out, and so may the body."""

    note: Note | None = Field(default=None, examples=["Shorter welcome"])
    ignore_warnings: bool = False


class RestoreTarget(StrEnum):
    """The target of a restoration."""

    LIVE = "live"
    DRAFT = "draft"


class RestoreBody(RequestModel):
    """POST .../versions/{number}/restore; every member may be left out, and so may the body."""

    to: Annotated[RestoreTarget, one_of(RestoreTarget)] = RestoreTarget.LIVE
    note: Note | None = None


class VersionListQuery(PageQuery):
    """GET .../versions, the newest first."""

    sortable: ClassVar[frozenset[str]] = frozenset({"created_at"})


class VersionDiffQuery(RequestModel):
    """GET .../versions/{number}/diff; by default the version before is compared."""

    against: Annotated[int, number_between(1, MAX_VERSION)] | None = None


class StoredModel(ResponseModel):
    """A part of a stored document, whose members of a newer release are passed on."""

    model_config = ConfigDict(extra="allow")


class ApprovalView(ResponseModel):
    """The approval of a draft."""

    user_id: str
    at: Timestamp


class DraftState(ETagModel):
    """The members of a draft besides its document. Its entity tag covers the document and the base version."""

    base_version: int
    live_version: int = Field(description="The newest version; above `base_version` the draft is stale.")
    updated_at: Timestamp
    updated_by: str
    approvals: Sequence[ApprovalView]
    required_approvals: int


class VersionState(ResponseModel):
    """The members of a version besides its document."""

    number: int
    origin: VersionOrigin
    note: str | None
    restored_from: int | None
    created_at: Timestamp
    created_by: str | None = Field(description="A user; null for a version that the service has made itself.")


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
