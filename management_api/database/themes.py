"""Themes: how a project's flows look."""

from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.audited import Audited
from management_api.database.model import CreatedAt, Id, Model, PrimaryId, UpdatedAt


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

    audited = Audited("theme", ("name", "description", "is_default", "colors", "typography", "border_radius"))

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
