"""The audit logs: each change in a project with its user (contract, section 3), and what happens to users."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import Id, Model, PrimaryId


class AuditEntry(Model):
    """One change of one row. It is deleted with its project, and stays when its user is deleted."""

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_entries_project_id_at_id", "project_id", "at", "id"),
        Index("ix_audit_entries_project_id_entity_type_entity_id", "project_id", "entity_type", "entity_id"),
        Index("ix_audit_entries_at", "at"),
        # The digests of devices that have no key yet; few rows are in it.
        Index("ix_audit_entries_unkeyed", "id", postgresql_where=text("entity_id ~ '^sha256:[0-9a-f]{64}$'")),
    )

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    user_id: Mapped[Id]
    action: Mapped[str]
    entity_type: Mapped[str]
    entity_id: Mapped[str]
    #: The changed members before the change; None for a creation.
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    #: The same members after the change; None for a deletion.
    after: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))


class InstallationEntry(Model):
    """An entry that belongs to no project, such as the deactivation of a user. It has neither names nor addresses.

    The deletions of projects are in `deleted_projects`.
    """

    __tablename__ = "installation_entries"
    __table_args__ = (Index("ix_installation_entries_at", "at"),)

    id: Mapped[PrimaryId]
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    #: The acting user, or OPERATOR of `db/audit.py`.
    user_id: Mapped[Id]
    action: Mapped[str]
    entity_type: Mapped[str]
    entity_id: Mapped[Id]
