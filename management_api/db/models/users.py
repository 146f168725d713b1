"""Users, their personal API keys, and the responses kept for Idempotency-Keys."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import CreatedAt, Model, PrimaryId


class User(Model):
    """Someone with a role in projects: one (issuer, subject) of an identity provider."""

    __tablename__ = "users"
    __table_args__ = (
        UniqueConstraint("issuer", "subject"),
        # Members are found by their address, regardless of case.
        Index("ix_users_email", text("lower(email)")),
    )

    id: Mapped[PrimaryId]
    issuer: Mapped[str]
    subject: Mapped[str]
    email: Mapped[str | None]
    name: Mapped[str | None]
    created_at: Mapped[CreatedAt]
    #: The last sign-in of the log of the installation, by the clock of the identity provider.
    signed_in_at: Mapped[datetime | None]
    #: The time of the newest token whose groups were applied, and the roles in projects that they gave.
    groups_at: Mapped[datetime | None]
    group_roles: Mapped[dict[str, Any] | None]
    #: From then on no credential of the user is accepted; None: it is.
    deactivated_at: Mapped[datetime | None]

    @classmethod
    def is_active(cls) -> ColumnElement[bool]:
        """Return the condition of users who are not deactivated."""
        return cls.deactivated_at.is_(None)


class ApiKey(Model):
    """The one personal API key of a user: a digest to find it by, a ciphertext to show it again."""

    __tablename__ = "api_keys"

    user_id: Mapped[PrimaryId] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    digest: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    last_used_at: Mapped[datetime | None]


def response_owner(user_id: str, key: str) -> str:
    """Return the owner for whom a stored response is encrypted: one key of one user."""
    return f"{user_id} {key}"


#: The lifetime of a stored response (contract, section 3).
IDEMPOTENCY_LIFETIME = timedelta(hours=24)


class IdempotencyKey(Model):
    """A key that a user has sent, and the response. Both are written in the transaction of the change itself.

    Status 0 and an empty body mean that there is no response yet, which only that transaction reads.
    """

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        CheckConstraint("char_length(key) BETWEEN 1 AND 255", name="key_length"),
        Index("ix_idempotency_keys_created_at", "created_at"),
    )

    user_id: Mapped[PrimaryId] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(primary_key=True)
    #: SHA-256 of the method, the path and the body.
    fingerprint: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[int] = mapped_column(SmallInteger)
    etag: Mapped[str | None]
    #: Encrypted, because a response may contain keys.
    body_sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]

    @classmethod
    def is_expired(cls) -> ColumnElement[bool]:
        """Return the condition of keys that have expired."""
        return cls.created_at < func.clock_timestamp() - IDEMPOTENCY_LIFETIME
