"""Flows and the themes of a project."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar, cast

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from common.ids import MAX_ID_LENGTH
from common.rules.bucketing import BUCKETS
from management_api.db.models.base import AuditSpec, CreatedAt, Document, Id, Model, PrimaryId, UpdatedAt
from management_api.db.models.projects import Project

#: The palette of dark devices: a member of the colours of a theme, and stored among its looks, because release 0.2.0
#: fails at a theme with a colour that is no text.
DARK = "dark"


class Theme(Model):
    """Colours, typography, corner radii and looks; at most one theme of a project is its default."""

    __tablename__ = "themes"
    __table_args__ = (
        UniqueConstraint("id", "project_id"),
        CheckConstraint("char_length(name) BETWEEN 1 AND 50", name="name_length"),
        CheckConstraint("char_length(description) <= 500", name="description_length"),
        CheckConstraint("jsonb_typeof(colors) = 'object'", name="colors"),
        CheckConstraint("jsonb_typeof(typography) = 'object'", name="typography"),
        CheckConstraint("jsonb_typeof(border_radius) = 'object'", name="border_radius"),
        CheckConstraint("jsonb_typeof(looks) = 'object'", name="looks"),
        Index("uq_themes_default", "project_id", unique=True, postgresql_where=text("is_default")),
        Index("ix_themes_project_id_created_at", "project_id", "created_at"),
    )

    audited = AuditSpec(
        "theme", ("name", "description", "is_default", "colors", "typography", "border_radius", "looks")
    )

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    description: Mapped[str | None]
    is_default: Mapped[bool] = mapped_column(server_default="false")
    colors: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    typography: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    border_radius: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    #: The number of the version whose members the row has; 0 only while the theme is created.
    live_version: Mapped[int] = mapped_column(server_default="0")
    #: The members that are absent where they are not set: `appearance`, `background`, `logo` and others.
    looks: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]


def theme_members(colors: Mapping[str, Any], looks: Mapping[str, Any]) -> dict[str, Any]:
    """Return the colours and the looks of a theme by the two columns that they are stored in."""
    palettes = {**colors, DARK: looks[DARK]} if DARK in looks else colors
    return {"colors": palettes, **{name: value for name, value in looks.items() if name != DARK}}


class FlowStatus(StrEnum):
    """The status of a flow; any may become any other."""

    DRAFT = "draft"
    ACTIVE = "active"
    ARCHIVED = "archived"


class Flow(Model):
    """An onboarding sequence of screens. Its content is the document of its live version (`flow_history.py`)."""

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

    #: Members of the document that are columns too: lists sort and search by the name, and a theme has a foreign key.
    document_columns: ClassVar = ("name", "theme_id")
    audited = AuditSpec("flow", (*document_columns, "priority", "status"))

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=FlowStatus.DRAFT.value)
    theme_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH))
    priority: Mapped[int] = mapped_column(server_default="0")
    #: The number of the version whose document is live. 0 only while release 0.2.0 creates a flow.
    live_version: Mapped[int] = mapped_column(server_default="0")
    #: The bytes of the live document.
    document_bytes: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[CreatedAt]
    #: Of the last change of the flow itself; its screens have times of their own.
    updated_at: Mapped[UpdatedAt]

    #: Loaded with a flow that is locked for a change.
    project: Mapped[Project] = relationship(primaryjoin="foreign(Flow.project_id) == Project.id", viewonly=True)

    @classmethod
    def evaluation_order(cls) -> tuple[ColumnElement[Any], ...]:
        """Return the order in which active flows are evaluated (contract, section 4)."""
        return cls.priority.desc(), cls.created_at.asc(), cls.id.asc()


# --- columns and rows of release 0.2.0, which triggers keep equal to live documents (migrations 0050 and 0052) ---

_flows = cast("Table", Flow.__table__)
_flows.append_column(Column("description", Text))
_flows.append_column(Column("rollout_buckets", Integer, server_default=str(BUCKETS), nullable=False))
_flows.append_column(Column("conditions", Document, server_default="[]", nullable=False))
Table(
    "screens",
    Model.metadata,
    Column("id", String(MAX_ID_LENGTH), primary_key=True),
    Column("flow_id", String(MAX_ID_LENGTH), nullable=False),
    Column("project_id", String(MAX_ID_LENGTH), nullable=False),
    Column("type", Text, nullable=False),
    Column("name", Text),
    Column("order", Integer, nullable=False),
    Column("content", Document, server_default="{}", nullable=False),
    Column("settings", Document, server_default="{}", nullable=False),
    Column("created_at", DateTime(timezone=True), server_default=func.clock_timestamp(), nullable=False),
    Column("updated_at", DateTime(timezone=True), server_default=func.clock_timestamp(), nullable=False),
    ForeignKeyConstraint(
        ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name="fk_screens_flow", ondelete="CASCADE"
    ),
    UniqueConstraint("flow_id", "order", deferrable=True, initially="DEFERRED"),
    CheckConstraint("char_length(name) <= 100", name="name_length"),
    CheckConstraint('"order" >= 0', name="order"),
    CheckConstraint("jsonb_typeof(content) = 'object'", name="content"),
    CheckConstraint("jsonb_typeof(settings) = 'object'", name="settings"),
    Index("ix_screens_project_id", "project_id"),
)
