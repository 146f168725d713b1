"""Flows, their screens and the themes of a project."""

from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from common.ids import MAX_ID_LENGTH
from common.rules.bucketing import BUCKETS
from common.wire.public_responses import ScreenType
from management_api.db.models.base import AuditSpec, CreatedAt, Id, Model, PrimaryId, UpdatedAt
from management_api.db.models.projects import Project


class Theme(Model):
    """Colours, typography and corner radii; at most one theme of a project is its default."""

    __tablename__ = "themes"
    __table_args__ = (
        UniqueConstraint("id", "project_id"),
        CheckConstraint("char_length(name) BETWEEN 1 AND 50", name="name_length"),
        CheckConstraint("char_length(description) <= 500", name="description_length"),
        CheckConstraint("jsonb_typeof(colors) = 'object'", name="colors"),
        CheckConstraint("jsonb_typeof(typography) = 'object'", name="typography"),
        CheckConstraint("jsonb_typeof(border_radius) = 'object'", name="border_radius"),
        Index("uq_themes_default", "project_id", unique=True, postgresql_where=text("is_default")),
        Index("ix_themes_project_id_created_at", "project_id", "created_at"),
    )

    audited = AuditSpec("theme", ("name", "description", "is_default", "colors", "typography", "border_radius"))

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    description: Mapped[str | None]
    is_default: Mapped[bool] = mapped_column(server_default="false")
    colors: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    typography: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    border_radius: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]


class FlowStatus(StrEnum):
    """The status of a flow; any may become any other."""

    DRAFT = "draft"
    ACTIVE = "active"
    ARCHIVED = "archived"


class Flow(Model):
    """An onboarding sequence of screens."""

    __tablename__ = "flows"
    __table_args__ = (
        UniqueConstraint("id", "project_id"),
        ForeignKeyConstraint(
            ["theme_id", "project_id"],
            ["themes.id", "themes.project_id"],
            name="fk_flows_theme",
            ondelete="SET NULL (theme_id)",
        ),
        CheckConstraint("char_length(name) BETWEEN 1 AND 100", name="name_length"),
        CheckConstraint("char_length(description) <= 500", name="description_length"),
        CheckConstraint(f"status IN ({', '.join(repr(status.value) for status in FlowStatus)})", name="status"),
        CheckConstraint(f"rollout_buckets BETWEEN 0 AND {BUCKETS}", name="rollout_buckets"),
        CheckConstraint("jsonb_typeof(conditions) = 'array'", name="conditions"),
        Index("ix_flows_project_id_created_at", "project_id", "created_at"),
        Index("ix_flows_theme_id", "theme_id"),
    )

    #: The columns that are members of the flow's document (lifecycle, Model), under the same name.
    document_columns: ClassVar = ("name", "description", "theme_id")
    audited = AuditSpec("flow", (*document_columns, "priority", "status", "rollout_buckets", "conditions"))

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    description: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=FlowStatus.DRAFT.value)
    theme_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH))
    priority: Mapped[int] = mapped_column(server_default="0")
    #: The rollout in buckets of 10,000: the percentage of the interface x 100.
    rollout_buckets: Mapped[int] = mapped_column(server_default=str(BUCKETS))
    conditions: Mapped[list[dict[str, Any]]] = mapped_column(server_default="[]")
    #: The bytes of the newest version's document.
    document_bytes: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]

    #: Loaded with a flow that is locked for a change.
    project: Mapped[Project] = relationship(primaryjoin="foreign(Flow.project_id) == Project.id", viewonly=True)

    @classmethod
    def evaluation_order(cls) -> tuple[ColumnElement[Any], ...]:
        """Return the order in which active flows are evaluated (contract, section 4)."""
        return cls.priority.desc(), cls.created_at.asc(), cls.id.asc()


class Screen(Model):
    """One screen of a flow."""

    #: The columns that are members of a screen in a document, under the same name.
    document_columns: ClassVar[tuple[str, ...]]
    audited: ClassVar[AuditSpec]

    __tablename__ = "screens"
    __table_args__ = (
        ForeignKeyConstraint(
            ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name="fk_screens_flow", ondelete="CASCADE"
        ),
        # Checked at commit, so that one statement can shift many screens past each other.
        UniqueConstraint("flow_id", "order", deferrable=True, initially="DEFERRED"),
        CheckConstraint(f"type IN ({', '.join(repr(kind.value) for kind in ScreenType)})", name="type"),
        CheckConstraint("char_length(name) <= 100", name="name_length"),
        CheckConstraint('"order" >= 0', name="order"),
        CheckConstraint("jsonb_typeof(content) = 'object'", name="content"),
        CheckConstraint("jsonb_typeof(settings) = 'object'", name="settings"),
        Index("ix_screens_project_id", "project_id"),
    )

    id: Mapped[PrimaryId]
    flow_id: Mapped[Id]
    project_id: Mapped[Id]
    type: Mapped[str]
    name: Mapped[str | None]
    order: Mapped[int]
    content: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    settings: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]


#: The columns of a screen that are its place in a project.
_PLACE = frozenset({"flow_id", "project_id", "order", "created_at", "updated_at"})
Screen.document_columns = tuple(column.key for column in Screen.__table__.columns if column.key not in _PLACE)
Screen.audited = AuditSpec("screen", ("flow_id", "order", *(n for n in Screen.document_columns if n != "id")))
