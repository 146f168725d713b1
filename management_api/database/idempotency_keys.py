"""Which POST was sent under which Idempotency-Key, and what it was answered (contract, section 3)."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import Model, PrimaryId


def answer_owner(user_id: str, key: str) -> str:
    """Give to whom an answer is sealed: one key of one user."""
    return f"{user_id} {key}"


class IdempotencyKey(Model):
    """A key that a user has sent, and the answer. Both are written in the transaction of the change itself.

    Status 0 and an empty body mean that it is not answered yet, which nobody sees but that transaction.
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
    #: Answers may show keys, so they are sealed like keys.
    body_sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
