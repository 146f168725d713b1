"""Personal API keys: one for each user, found by a keyed digest, sealed to be shown again (contract, section 2)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ARRAY, LargeBinary, any_, bindparam, func, or_, select, update
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key, is_well_formed
from common.errors import AuthenticationError
from common.key_vault import KeyVault
from common.timestamps import utc_now
from management_api.database.prepared import Prepared
from management_api.database.reading import Readable
from management_api.database.users import ApiKey

#: How exact `last_used_at` is: a busy key is not a write for each request.
LAST_USED_PRECISION = timedelta(minutes=1)

#: Asked once for every request, never remembered: a key that is rotated dies at once, in every worker.
#: In one statement under whichever master key it was stored: a key that is resealed meanwhile is always found.
_USER_OF_DIGESTS = Prepared(
    select(ApiKey.user_id, ApiKey.last_used_at).where(
        ApiKey.digest == any_(bindparam("digests", type_=ARRAY(LargeBinary)))
    )
)
_OF_USER = Prepared(
    select(ApiKey.sealed, ApiKey.created_at, ApiKey.last_used_at).where(ApiKey.user_id == bindparam("user_id"))
)


@dataclass(frozen=True, slots=True)
class KnownApiKey:
    """Whose a key is that was just used, and whether that has to be noted (`note_use`)."""

    user_id: str
    is_use_to_note: bool


@dataclass(frozen=True, slots=True)
class ShownApiKey:
    """A user's own key, opened."""

    api_key: str
    created_at: datetime
    last_used_at: datetime | None


def give_api_key(session: Session, vault: KeyVault, user_id: str) -> None:
    """Make the key of a new user."""
    key = generate_key(KeyPrefix.API)
    session.add(ApiKey(user_id=user_id, digest=vault.lookup_digest(key), sealed=vault.seal(key, owner_id=user_id)))
    session.flush()


def known_api_key(session: Readable, vault: KeyVault, key: str) -> KnownApiKey:
    """Find a key. Raises AuthenticationError; a mistyped key does not reach the database."""
    if not is_well_formed(KeyPrefix.API, key):
        raise AuthenticationError.api_key()
    row = _USER_OF_DIGESTS.row(session, {"digests": vault.lookup_digests(key)})
    if row is None:
        raise AuthenticationError.api_key()
    user_id, last_used_at = row
    return KnownApiKey(user_id, last_used_at is None or last_used_at < utc_now() - LAST_USED_PRECISION)


def note_use(session: Session, user_id: str) -> None:
    """Note that a user's key was used just now."""
    now = func.clock_timestamp()
    # Asked again in the statement: of many requests at once, those that waited for the first write nothing.
    stale = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < now - LAST_USED_PRECISION)
    session.execute(update(ApiKey).where(ApiKey.user_id == user_id, stale).values(last_used_at=now))


def api_key_of(session: Readable, vault: KeyVault, user_id: str) -> ShownApiKey:
    """Give a user's own key."""
    [(sealed, created_at, last_used_at)] = _OF_USER.rows(session, {"user_id": user_id})
    return ShownApiKey(vault.open(sealed, owner_id=user_id), created_at, last_used_at)


def rotate_api_key(session: Session, vault: KeyVault, user_id: str) -> ShownApiKey:
    """Replace a user's key; the old one is not found any more from the commit on."""
    key = generate_key(KeyPrefix.API)
    created_at = session.execute(
        update(ApiKey)
        .where(ApiKey.user_id == user_id)
        .values(
            digest=vault.lookup_digest(key),
            sealed=vault.seal(key, owner_id=user_id),
            created_at=func.clock_timestamp(),
            last_used_at=None,
        )
        .returning(ApiKey.created_at)
    ).scalar_one()
    return ShownApiKey(key, created_at, None)
