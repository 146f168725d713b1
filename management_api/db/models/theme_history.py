"""Versions and drafts of themes."""

from typing import Any

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column, synonym

from management_api.db.models.base import PrimaryId
from management_api.db.models.documents import ThemeDocument
from management_api.db.models.history import Draft, Version, is_object, part_of, version_constraints


class ThemeVersion(Version):
    """A version of a theme. The row of the theme has the members of the live one, which is `Theme.live_version`."""

    __tablename__ = "theme_versions"
    __table_args__ = version_constraints("theme_versions", "theme")

    theme_id: Mapped[PrimaryId]
    part_id = synonym("theme_id")
    document: Mapped[dict[str, Any]] = mapped_column(ThemeDocument)


class ThemeDraft(Draft):
    """The draft of a theme."""

    __tablename__ = "theme_drafts"
    __table_args__ = (
        part_of("theme_drafts", "theme"),
        is_object("document"),
        Index("ix_theme_drafts_project_id", "project_id"),
    )

    theme_id: Mapped[PrimaryId]
    part_id = synonym("theme_id")
    document: Mapped[dict[str, Any]] = mapped_column(ThemeDocument)
