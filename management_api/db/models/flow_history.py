"""Versions, drafts, schedules and preview links of flows."""

from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Index,
    Text,
    false,
    func,
    literal_column,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column, synonym

from management_api.db.models.base import CreatedAt, Id, Model, PrimaryId
from management_api.db.models.documents import FlowDocument
from management_api.db.models.flows import Flow
from management_api.db.models.history import (
    Draft,
    Version,
    is_object,
    note_length,
    one_of,
    part_of,
    version_constraints,
)


class ScheduleAction(StrEnum):
    """The change that a schedule makes."""

    PUBLISH = "publish"
    RESTORE = "restore"
    ACTIVATE = "activate"
    ARCHIVE = "archive"


class ScheduleState(StrEnum):
    """A schedule leaves `pending` once, and never returns to it."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class VoidReason(StrEnum):
    """What would fail a pending schedule if it ran now."""

    DRAFT_CHANGED = "draft_changed"
    CONFLICT = "conflict"
    APPROVALS_MISSING = "approvals_missing"


class FlowVersion(Version):
    """A version of a flow; `Flow.live_version` is the number of the live one."""

    __tablename__ = "flow_versions"
    __table_args__ = version_constraints("flow_versions", "flow")

    flow_id: Mapped[PrimaryId]
    part_id = synonym("flow_id")
    #: Whether its content may reach devices while the project requires approvals (contract, section 7, Review).
    is_reviewed: Mapped[bool] = mapped_column(server_default="false")
    document: Mapped[dict[str, Any]] = mapped_column(FlowDocument)


class FlowDraft(Draft):
    """The draft of a flow."""

    __tablename__ = "flow_drafts"
    __table_args__ = (
        part_of("flow_drafts", "flow"),
        is_object("document"),
        Index("ix_flow_drafts_project_id", "project_id"),
    )

    flow_id: Mapped[PrimaryId]
    part_id = synonym("flow_id")
    document: Mapped[dict[str, Any]] = mapped_column(FlowDocument)
    document_bytes: Mapped[int] = mapped_column(server_default="0")
    #: All users who have changed the draft since it was begun; none of them may approve it.
    authors: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")


class ScreenId(Model):
    """The flow that the id of a screen belongs to: of a live screen, or of a screen in a version or the draft.

    The screen itself is a member of a document.
    """

    __tablename__ = "screen_ids"
    __table_args__ = (part_of("screen_ids", "flow"), Index("ix_screen_ids_flow_id", "flow_id"))

    id: Mapped[PrimaryId]
    flow_id: Mapped[Id]
    project_id: Mapped[Id]
    #: Whether a version has had it. Other ids go when the draft is replaced.
    is_versioned: Mapped[bool] = mapped_column(server_default="false")
    #: When the screen became live, and when a live version changed it or its place last.
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())


class DraftApproval(Model):
    """The approval of a draft by one user; a change of the draft deletes its approvals."""

    __tablename__ = "draft_approvals"

    flow_id: Mapped[PrimaryId] = mapped_column(ForeignKey("flow_drafts.flow_id", ondelete="CASCADE"))
    user_id: Mapped[PrimaryId]
    created_at: Mapped[CreatedAt]


class FlowSchedule(Model):
    """A change of a flow at a time; the publisher process makes it in the name of its creator."""

    __tablename__ = "flow_schedules"
    __table_args__ = (
        part_of("flow_schedules", "flow"),
        one_of("action", ScheduleAction),
        one_of("state", ScheduleState),
        note_length(),
        Index("ix_flow_schedules_flow_id_created_at", "flow_id", "created_at"),
        Index("ix_flow_schedules_run_at", "run_at", postgresql_where=text("state = 'pending'")),
    )

    id: Mapped[PrimaryId]
    flow_id: Mapped[Id]
    project_id: Mapped[Id]
    action: Mapped[str]
    #: Of a restore.
    version: Mapped[int | None]
    #: Of a publication: the entity tag of the draft when the schedule was made.
    draft_tag: Mapped[str | None]
    #: Of a publication or a restore: whether the status of the flow becomes active too.
    activate: Mapped[bool] = mapped_column(server_default="false")
    run_at: Mapped[datetime]
    note: Mapped[str | None]
    state: Mapped[str] = mapped_column(server_default=ScheduleState.PENDING.value)
    #: Why it failed.
    error: Mapped[str | None]
    created_by: Mapped[Id]
    created_at: Mapped[CreatedAt]
    ended_at: Mapped[datetime | None]


class PreviewLink(Model):
    """The right of everyone with the link to see a flow, or its draft, on a hosted page until `expires_at`."""

    __tablename__ = "preview_links"
    __table_args__ = (
        part_of("preview_links", "flow"),
        Index("ix_preview_links_flow_id", "flow_id"),
        Index("ix_preview_links_project_id", "project_id"),
        Index("ix_preview_links_expires_at", "expires_at"),
    )

    id: Mapped[PrimaryId]
    project_id: Mapped[Id]
    flow_id: Mapped[Id]
    #: Whether the page shows the draft while there is one.
    draft: Mapped[bool]
    #: Tickets that were issued before belong to links that were revoked. None: a link from before this column.
    valid_from: Mapped[datetime | None]
    expires_at: Mapped[datetime]
    created_by: Mapped[Id]

    @classmethod
    def is_valid(cls) -> ColumnElement[bool]:
        """Return the condition of links that have not expired."""
        return cls.expires_at > func.clock_timestamp()


T = TypeVar("T")


def live(expression: ColumnElement[T] | InstrumentedAttribute[T]) -> ColumnElement[T]:
    """Return an expression of the live version of the row of `flows` in the enclosing statement."""
    is_live = (FlowVersion.flow_id == Flow.id) & (FlowVersion.number == Flow.live_version)
    return select(expression).where(is_live).correlate_except(FlowVersion).scalar_subquery()


def live_document() -> ColumnElement[dict[str, Any]]:
    """Return the live document of the row of `flows` in the enclosing statement."""
    return live(FlowVersion.document)


def live_content() -> ColumnElement[dict[str, Any]]:
    """Return the live document without its screens, which are most of its bytes."""
    return live(FlowVersion.document.op("-", return_type=FlowDocument())(literal_column("'screens'")))


def is_reviewed() -> ColumnElement[bool]:
    """Return whether the live version of the row of `flows` in the enclosing statement is reviewed."""
    return func.coalesce(live(FlowVersion.is_reviewed), false())
