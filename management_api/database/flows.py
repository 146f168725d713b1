"""Flows: a status, whom they are for, and the theme that they wear."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, ForeignKeyConstraint, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from common.ids import MAX_ID_LENGTH
from common.rules.bucketing import BUCKETS
from management_api.database.audited import Audited
from management_api.database.model import CreatedAt, Id, Model, PrimaryId, UpdatedAt


class FlowStatus(StrEnum):
    """Any status may become any other (contract, section 3)."""

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

    audited = Audited(
        "flow",
        ("name", "description", "status", "theme_id", "priority", "rollout_buckets", "conditions"),
    )

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
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]

    @classmethod
    def order_of_trial(cls) -> tuple[ColumnElement[Any], ...]:
        """Give the order in which active flows are tried (contract, section 4)."""
        return cls.priority.desc(), cls.created_at.asc(), cls.id.asc()
