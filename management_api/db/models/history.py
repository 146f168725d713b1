"""The columns that versions and drafts of flows and of themes share."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import SchemaItem

from common.ids import MAX_ID_LENGTH
from management_api.db.models.base import CreatedAt, Id, Model, UpdatedAt

MAX_NOTE_LENGTH = 500


class VersionOrigin(StrEnum):
    """The kind of change that made a version."""

    CREATED = "created"
    DIRECT = "direct"
    PUBLISHED = "published"
    RESTORED = "restored"
    SCHEDULED = "scheduled"


def one_of(column: str, values: type[StrEnum]) -> CheckConstraint:
    """Return the constraint that a column has one of the values."""
    return CheckConstraint(f"{column} IN ({', '.join(repr(value.value) for value in values)})", name=column)


def note_length() -> CheckConstraint:
    """Return the constraint of notes."""
    return CheckConstraint(f"char_length(note) <= {MAX_NOTE_LENGTH}", name="note_length")


def is_object(column: str) -> CheckConstraint:
    """Return the constraint that a column of JSON has objects."""
    return CheckConstraint(f"jsonb_typeof({column}) = 'object'", name=column)


def part_of(table: str, part: str) -> ForeignKeyConstraint:
    """Return the foreign key of a table of a history: its rows go with the flow or the theme."""
    return ForeignKeyConstraint(
        [f"{part}_id", "project_id"],
        [f"{part}s.id", f"{part}s.project_id"],
        name=f"fk_{table}_{part}",
        ondelete="CASCADE",
    )


def version_constraints(table: str, part: str) -> tuple[SchemaItem, ...]:
    """Return the constraints of a table of versions."""
    return (
        part_of(table, part),
        one_of("origin", VersionOrigin),
        CheckConstraint("number > 0", name="number"),
        note_length(),
        is_object("document"),
    )


class Version(Model):
    """A document of a flow or a theme. The newest one is live, and no version changes after it was live.

    Only a `direct` version may be replaced, for a few minutes, by the next direct write of the same user.
    """

    __abstract__ = True

    #: The id of the flow or the theme, under one name for both.
    part_id: Mapped[str]
    number: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[Id]
    origin: Mapped[str]
    note: Mapped[str | None]
    restored_from: Mapped[int | None]
    document: Mapped[dict[str, Any]]
    created_at: Mapped[CreatedAt]
    #: None for a version that the service has made itself.
    created_by: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH))


class Draft(Model):
    """The document that is being edited beside the live one; a flow or a theme has at most one."""

    __abstract__ = True

    part_id: Mapped[str]
    project_id: Mapped[Id]
    document: Mapped[dict[str, Any]]
    #: The version that the draft was begun from.
    base_version: Mapped[int]
    updated_at: Mapped[UpdatedAt]
    updated_by: Mapped[Id]
