"""The audit log: who changed what in a project, and how it looked before and after (contract, section 3)."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import Id, Model, PrimaryId


class AuditEntry(Model):
    """One change of one row. It goes with its project; the user it names, it outlives."""

    __tablename__ = "audit_entries"
    __table_args__ = (Index("ix_audit_entries_project_id_at_id", "project_id", "at", "id"),)

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    user_id: Mapped[Id]
    action: Mapped[str]
    entity_type: Mapped[str]
    entity_id: Mapped[str]
    #: What the change touched, as it was; None of something new.
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: The same as it is now; None of something deleted.
    after: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
