"""Users: someone the identity provider vouches for becomes a user, with one API key, at first sight."""

from dataclasses import dataclass

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from management_api.auth.api_keys import give_api_key
from management_api.database.key_vault import KeyVault
from management_api.database.prepared import Prepared
from management_api.database.reading import Readable
from management_api.database.users import User

_ROW_OF_IDENTITY = Prepared(
    select(User.id, User.email, User.name).where(
        User.issuer == bindparam("issuer"), User.subject == bindparam("subject")
    )
)
_SHOWN = Prepared(select(User.id, User.email, User.name).where(User.id == bindparam("user_id")))


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a verified token speaks of: (issuer, subject) names a user; the rest is only shown."""

    issuer: str
    subject: str
    email: str | None = None
    name: str | None = None


def known_user(session: Readable, identity: Identity) -> str | None:
    """Give the user's id, or None when `user_of_identity` has something to write: who is new, or says something new."""
    row = _row_of(session, identity)
    if row is None or _changes(identity, *row):
        return None
    user_id, _, _ = row
    return user_id


def user_of_identity(session: Session, vault: KeyVault, identity: Identity) -> str:
    """Give the user's id; made exactly once, however many first requests race."""
    row = _row_of(session, identity)
    if row is None:
        return _make_user(session, vault, identity)
    user_id, _, _ = row
    changes = _changes(identity, *row)
    if changes:
        session.execute(update(User).where(User.id == user_id).values(**changes))
    return user_id


def user_of(session: Readable, user_id: str) -> Row[str, str | None, str | None]:
    """Give id, email and name of a user who is known to exist, such as the caller."""
    [user] = _SHOWN.rows(session, {"user_id": user_id})
    return user


def _make_user(session: Session, vault: KeyVault, identity: Identity) -> str:
    # Whoever loses the race waits here for the winner's commit, inserts nothing, and reads the winner's row.
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
        [(user_id, _, _)] = _ROW_OF_IDENTITY.rows(session, _key_of(identity))
        return user_id
    give_api_key(session, vault, made)
    return made


def _changes(identity: Identity, _user_id: str, email: str | None, name: str | None) -> dict[str, str]:
    """Say what is new; a token without an address or a name does not take back what an earlier one said."""
    said = (("email", identity.email, email), ("name", identity.name, name))
    return {column: new for column, new, old in said if new is not None and new != old}


def _row_of(session: Readable, identity: Identity) -> Row[str, str | None, str | None] | None:
    return _ROW_OF_IDENTITY.row(session, _key_of(identity))


def _key_of(identity: Identity) -> dict[str, str]:
    return {"issuer": identity.issuer, "subject": identity.subject}
