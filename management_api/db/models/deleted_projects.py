"""The log of deleted projects, of the whole installation: the audit log of a project goes with it."""

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import CreatedAt, Id, Model, PrimaryId


class DeletedProject(Model):
    """A project that a user has deleted. Its rows are purged in the background, and this one stays.

    Releases up to 0.2.0 delete a project at once, without a row here.
    """

    __tablename__ = "deleted_projects"
    __table_args__ = (Index("ix_deleted_projects_deleted_at", "deleted_at"),)

    project_id: Mapped[PrimaryId]
    name: Mapped[str]
    deleted_by: Mapped[Id]
    deleted_at: Mapped[CreatedAt]
    #: Null until nothing else of the project is left.
    purged_at: Mapped[datetime | None] = mapped_column()
