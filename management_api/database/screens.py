"""Screens: the steps of a flow, numbered 0..n-1 without gaps."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.audited import Audited
from management_api.database.model import CreatedAt, Id, Model, PrimaryId, UpdatedAt


class ScreenType(StrEnum):
    """The types of screens (contract, section 3)."""

    WELCOME = "welcome"
    FEATURE = "feature"
    PERMISSIONS = "permissions"
    SIGNUP = "signup"
    QUESTION_TEXT = "question_text"
    QUESTION_SINGLE_CHOICE = "question_single_choice"
    QUESTION_MULTIPLE_CHOICE = "question_multiple_choice"
    QUESTION_PICKER = "question_picker"
    PAYWALL = "paywall"
    CUSTOM = "custom"


class Screen(Model):
    """One screen of a flow."""

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

    audited = Audited("screen", ("flow_id", "type", "name", "order", "content", "settings"))

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
