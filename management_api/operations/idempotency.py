"""Idempotency-Key: whatever is sent twice under one key is done once, and answered alike (contract, section 3).

The key is written first, in the transaction of the change. A twin that comes meanwhile waits at the unique index: when
the first one commits the twin gets its answer, when it fails or its process is killed the twin goes on as if alone.
"""

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.errors import ConflictError
from common.key_vault import KeyVault
from management_api.database.idempotency_keys import IdempotencyKey

LIFETIME = timedelta(hours=24)
#: Every new key takes a few that are over along, so that the table holds little more than a day.
CLEANED_AT_ONCE = 5


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What a POST was answered."""

    status: int
    body: bytes
    etag: str | None


@dataclass(frozen=True, slots=True)
class KeyedPost:
    """A POST that carries an Idempotency-Key. `path` is the one without a version, so that /api and /api/v1 are one."""

    user_id: str
    key: str
    path: str
    body: bytes

    @property
    def fingerprint(self) -> bytes:
        """Tell this request from others, in 32 bytes."""
        return hashlib.sha256(b"\0".join((b"POST", self.path.encode(), self.body))).digest()

    @property
    def answer_owner(self) -> str:
        """To whom the answer is sealed: one key of one user."""
        return f"{self.user_id} {self.key}"


def claim(session: Session, vault: KeyVault, post: KeyedPost) -> StoredAnswer | None:
    """Take the key for this transaction, or give the answer if the request has been answered under it.

    Waits for a transaction that has the key. Raises ConflictError when the key was used for another request.
    """
    now = func.clock_timestamp()
    taken = session.scalar(
        insert(IdempotencyKey)
        .values(
            user_id=post.user_id,
            key=post.key,
            fingerprint=post.fingerprint,
            status=0,
            body_sealed=b"",
            created_at=now,
        )
        .on_conflict_do_update(
            index_elements=[IdempotencyKey.user_id, IdempotencyKey.key],
            set_={"fingerprint": post.fingerprint, "created_at": now},
            where=_is_over(),
        )
        .returning(IdempotencyKey.key)
    )
    if taken is not None:
        return None
    # The statement above has locked the row that it could not take, so it is there, as it was committed.
    fingerprint, status, sealed, etag = session.execute(
        select(
            IdempotencyKey.fingerprint, IdempotencyKey.status, IdempotencyKey.body_sealed, IdempotencyKey.etag
        ).where(_is_of(post))
    ).one()
    if fingerprint != post.fingerprint:
        raise ConflictError("The Idempotency-Key has been used for another request")
    return StoredAnswer(status, vault.open(sealed, owner_id=post.answer_owner).encode(), etag)


def store(session: Session, vault: KeyVault, post: KeyedPost, answer: StoredAnswer) -> None:
    """Keep the answer with the key that this transaction has claimed, and clean up a little."""
    session.flush()
    sealed = vault.seal(answer.body.decode(), owner_id=post.answer_owner)
    session.execute(
        update(IdempotencyKey)
        .where(_is_of(post))
        .values(status=answer.status, body_sealed=sealed, etag=answer.etag)
        .execution_options(synchronize_session=False)
    )
    _clean_up(session)


def _clean_up(session: Session) -> None:
    """Delete some keys that are over. One that somebody is taking anew is passed over, so nobody waits for this."""
    identity = (IdempotencyKey.user_id, IdempotencyKey.key)
    old = (
        select(*identity)
        .where(_is_over())
        .order_by(IdempotencyKey.created_at)
        .limit(CLEANED_AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    session.execute(
        delete(IdempotencyKey).where(tuple_(*identity).in_(old)).execution_options(synchronize_session=False)
    )


def _is_of(post: KeyedPost) -> ColumnElement[bool]:
    return (IdempotencyKey.user_id == post.user_id) & (IdempotencyKey.key == post.key)


def _is_over() -> ColumnElement[bool]:
    return IdempotencyKey.created_at < func.clock_timestamp() - LIFETIME
