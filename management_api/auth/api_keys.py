"""Personal API keys: one for each user, found by a keyed digest, encrypted to be shown again (contract, section 2)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import bindparam, func, or_, select, update
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key, is_well_formed
from common.errors import AuthenticationError
from common.timestamps import utc_now
from management_api.db.key_vault import KeyVault
from management_api.db.models.users import ApiKey
from management_api.db.prepared import Prepared

#: Precision of `last_used_at`, so that a busy key is not a write for each request.
LAST_USED_PRECISION = timedelta(minutes=1)

_OF_USER = Prepared(
    select(ApiKey.sealed, ApiKey.created_at, ApiKey.last_used_at).where(ApiKey.user_id == bindparam("user_id"))
)


@dataclass(frozen=True, slots=True)
class KnownApiKey:
    """The owner of a key, and whether its `last_used_at` has to be updated (`touch_last_used`)."""

    user_id: str
    is_stale: bool


@dataclass(frozen=True, slots=True)
class ShownApiKey:
    """A user's own key, decrypted."""

    api_key: str
    created_at: datetime
    last_used_at: datetime | None


def create_api_key(session: Session, vault: KeyVault, user_id: str) -> None:
    """Create the key of a new user."""
    key = generate_key(KeyPrefix.API)
    session.add(ApiKey(user_id=user_id, digest=vault.lookup_digest(key), sealed=vault.encrypt(key, owner_id=user_id)))
    session.flush()


def find_api_key(session: Session, vault: KeyVault, key: str) -> KnownApiKey:
    """Return the owner of a key. Raises AuthenticationError; a mistyped key does not reach the database."""
    if not is_well_formed(KeyPrefix.API, key):
        raise AuthenticationError.api_key()
    digests = {f"digest_{number}": digest for number, digest in enumerate(vault.lookup_digests(key))}
    row = _user_of_digests(tuple(digests)).row(session, digests)
    if row is None:
        raise AuthenticationError.api_key()
    user_id, last_used_at = row
    return KnownApiKey(user_id, last_used_at is None or last_used_at < utc_now() - LAST_USED_PRECISION)


def touch_last_used(session: Session, user_id: str) -> None:
    """Set `last_used_at` of a user's key to now, unless it is recent."""
    now = func.clock_timestamp()
    # Checked again in the statement: of concurrent requests only the first one writes.
    stale = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < now - LAST_USED_PRECISION)
    session.execute(update(ApiKey).where(ApiKey.user_id == user_id, stale).values(last_used_at=now))


def api_key_of(session: Session, vault: KeyVault, user_id: str) -> ShownApiKey:
    """Return a user's own key."""
    [(sealed, created_at, last_used_at)] = _OF_USER.rows(session, {"user_id": user_id})
    return ShownApiKey(vault.decrypt(sealed, owner_id=user_id), created_at, last_used_at)


def rotate_api_key(session: Session, vault: KeyVault, user_id: str) -> ShownApiKey:
    """Replace a user's key; the former key is invalid from the commit on."""
    key = generate_key(KeyPrefix.API)
    created_at = session.execute(
        update(ApiKey)
        .where(ApiKey.user_id == user_id)
        .values(
            digest=vault.lookup_digest(key),
            sealed=vault.encrypt(key, owner_id=user_id),
            created_at=func.clock_timestamp(),
            last_used_at=None,
        )
        .returning(ApiKey.created_at)
    ).scalar_one()
    return ShownApiKey(key, created_at, None)


@cache
def _user_of_digests(names: tuple[str, ...]) -> Prepared[str, datetime | None]:
    """Return the statement that finds a key by any of its digests, one for each master key.

    It runs for each request and is never cached, so a rotation ends the former key at once in every worker. It is one
    statement for all digests, so a key is also found while it is encrypted again.
    """
    is_one = ApiKey.digest.in_([bindparam(name) for name in names])
    return Prepared(select(ApiKey.user_id, ApiKey.last_used_at).where(is_one))
