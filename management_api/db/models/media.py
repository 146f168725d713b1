"""Media files of projects: pictures, animations, videos and fonts, and the files that are kept of each."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from common.ids import MAX_ID_LENGTH
from management_api.db.models.base import AuditSpec, CreatedAt, Document, Id, Model, PrimaryId, UpdatedAt


class Media(Model):
    """A media file. Its bytes are in the media store, under the names of its MediaFile rows.

    A deleted one stays until no version of a flow has it, so a restored version still shows it.
    """

    __tablename__ = "media"
    __table_args__ = (
        UniqueConstraint("id", "project_id"),
        ForeignKeyConstraint(
            ["dark_media_id", "project_id"],
            ["media.id", "media.project_id"],
            name="fk_media_dark",
            ondelete="SET NULL (dark_media_id)",
        ),
        ForeignKeyConstraint(
            ["poster_media_id", "project_id"],
            ["media.id", "media.project_id"],
            name="fk_media_poster",
            ondelete="SET NULL (poster_media_id)",
        ),
        CheckConstraint("char_length(name) BETWEEN 1 AND 100", name="name_length"),
        CheckConstraint("char_length(alt) <= 300", name="alt_length"),
        CheckConstraint("kind IN ('image', 'animation', 'lottie', 'video', 'font')", name="kind"),
        Index("ix_media_project_id_created_at", "project_id", "created_at"),
        Index("ix_media_created_by", "created_by"),
        Index("ix_media_dark_media_id", "dark_media_id"),
        Index("ix_media_poster_media_id", "poster_media_id"),
        Index("ix_media_deleted_at", "deleted_at", postgresql_where=text("deleted_at IS NOT NULL")),
    )

    #: What devices get of it is written by the functions that change it, because a new name publishes nothing.
    audited = AuditSpec(
        "media",
        ("name", "alt", "dark_media_id", "poster_media_id", "focal_point"),
        is_published=False,
    )

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    alt: Mapped[str] = mapped_column(server_default="")
    kind: Mapped[str]
    #: Null where the kind has none: fonts have no size, and only moving kinds have a duration.
    width: Mapped[int | None]
    height: Mapped[int | None]
    duration_seconds: Mapped[float | None]
    family: Mapped[str | None]
    weight: Mapped[int | None]
    style: Mapped[str | None]
    #: Of fonts, `FontMetrics` as JSON.
    metrics: Mapped[dict[str, Any] | None] = mapped_column(Document(none_as_null=True))
    placeholder_color: Mapped[str | None]
    #: The darkest and the lightest colour of an image; null where they are unknown, or another colour shows through.
    tones: Mapped[list[str] | None] = mapped_column(Document(none_as_null=True))
    #: `{"x", "y"}` from 0 to 1; the part of an image that stays in sight when it is cut.
    focal_point: Mapped[dict[str, Any] | None] = mapped_column(Document(none_as_null=True))
    dark_media_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH))
    poster_media_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH))
    #: The SHA-256 of the uploaded file, in hexadecimal digits.
    upload_digest: Mapped[str]
    #: The bytes of all kept files.
    stored_bytes: Mapped[int] = mapped_column(BigInteger)
    #: The kept files, `MediaFile` as JSON; the first one is the file of the media's own address.
    files: Mapped[list[dict[str, Any]]]
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]
    created_by: Mapped[Id | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    deleted_at: Mapped[datetime | None]


class MediaObject(Model):
    """The name of an object in the media store that a media file needs. Equal files of a project share it."""

    __tablename__ = "media_objects"
    __table_args__ = (Index("ix_media_objects_media_id", "media_id"),)

    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    media_id: Mapped[Id] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), primary_key=True)
