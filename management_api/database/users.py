"""Users as the identity provider knows them, and their personal API keys."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import CreatedAt, Model, PrimaryId


class User(Model):
    """Someone with a role in projects: one (issuer, subject) of an identity provider."""

    __tablename__ = "users"
    __table_args__ = (
        UniqueConstraint("issuer", "subject"),
        # Members are added by their address, in whatever case it is written.
        Index("ix_users_email", text("lower(email)")),
    )

    id: Mapped[PrimaryId]
    issuer: Mapped[str]
    subject: Mapped[str]
    email: Mapped[str | None]
    name: Mapped[str | None]
    created_at: Mapped[CreatedAt]


class ApiKey(Model):
    """The one personal API key of a user: a digest to find it by, a ciphertext to show it again."""

    __tablename__ = "api_keys"

    user_id: Mapped[PrimaryId] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    digest: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    last_used_at: Mapped[datetime | None]
