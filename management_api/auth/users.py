"""Users: an identity of the provider becomes a user, with one API key, at its first request."""

from dataclasses import dataclass

from sqlalchemy import Select, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from management_api.auth.api_keys import create_api_key
from management_api.db.key_vault import KeyVault
from management_api.db.models.users import User


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity in a verified token: (issuer, subject) identifies a user. `email` is a verified address."""

    issuer: str
    subject: str
    email: str | None = None
    name: str | None = None


def find_user(session: Session, identity: Identity) -> str | None:
    """Return the user's id, or None for a new user or new claims, which `find_or_create_user` writes."""
    row = session.execute(_by_identity(identity)).one_or_none()
    if row is None or _changes(identity, *row):
        return None
    user_id, _, _ = row
    return user_id


def find_or_create_user(session: Session, vault: KeyVault, identity: Identity) -> str:
    """Return the user's id; concurrent first requests create the user once."""
    row = session.execute(_by_identity(identity)).one_or_none()
    if row is None:
        return _make_user(session, vault, identity)
    user_id, _, _ = row
    changes = _changes(identity, *row)
    if changes:
        session.execute(update(User).where(User.id == user_id).values(**changes))
    return user_id


def get_user(session: Session, user_id: str) -> User:
    """Return a user who exists, such as the caller."""
    return session.get_one(User, user_id)


def _make_user(session: Session, vault: KeyVault, identity: Identity) -> str:
    # A concurrent insert of the same user waits here for the commit, inserts nothing, and reads that row.
    made: str | None = session.scalar(
        insert(User)
        .values(
            id=new_id(IdPrefix.USER),
            issuer=identity.issuer,
            subject=identity.subject,
            email=identity.email,
            name=identity.name,
        )
        .on_conflict_do_nothing(index_elements=[User.issuer, User.subject])
        .returning(User.id)
    )
    if made is None:
        user_id, _, _ = session.execute(_by_identity(identity)).one()
        return user_id
    create_api_key(session, vault, made)
    return made


def _changes(identity: Identity, _user_id: str, email: str | None, name: str | None) -> dict[str, str]:
    """Return the changed columns; a token without an address or a name removes nothing."""
    said = (("email", identity.email, email), ("name", identity.name, name))
    return {column: new for column, new, old in said if new is not None and new != old}


def _by_identity(identity: Identity) -> Select[str, str | None, str | None]:
    return select(User.id, User.email, User.name).where(
        User.issuer == identity.issuer, User.subject == identity.subject
    )
