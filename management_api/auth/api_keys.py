"""Personal API keys: one for each user, found by a keyed digest, encrypted to be shown again (contract, section 2)."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key, is_well_formed
from common.errors import AuthenticationError
from common.timestamps import utc_now
from management_api.db.key_vault import KeyVault
from management_api.db.models.users import ApiKey

#: Precision of `last_used_at`, so that a busy key is not a write for each request.
LAST_USED_PRECISION = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class KnownApiKey:
    """The owner of a key, and whether its `last_used_at` has to be updated (`touch_last_used`)."""

    user_id: str
    is_stale: bool


def create_api_key(session: Session, vault: KeyVault, user_id: str) -> None:
    """Create the key of a new user."""
    key = generate_key(KeyPrefix.API)
    session.add(ApiKey(user_id=user_id, digest=vault.lookup_digest(key), sealed=vault.encrypt(key, owner_id=user_id)))
    session.flush()


def find_api_key(session: Session, vault: KeyVault, key: str) -> KnownApiKey:
    """Return the owner of a key. Raises AuthenticationError; a mistyped key does not reach the database."""
    if not is_well_formed(KeyPrefix.API, key):
        raise AuthenticationError.api_key()
    # The statement runs for each request and its result is never cached, so a rotation ends the former key at once in
    # every worker. There is one digest for each master key, so a key is also found while it is encrypted again.
    statement = select(ApiKey.user_id, ApiKey.last_used_at).where(ApiKey.digest.in_(vault.lookup_digests(key)))
    row = session.execute(statement).one_or_none()
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


def get_api_key(session: Session, user_id: str) -> ApiKey:
    """Return the key of a user."""
    return session.get_one(ApiKey, user_id)


def rotate_api_key(session: Session, vault: KeyVault, user_id: str) -> ApiKey:
    """Replace a user's key; the former key is invalid from the commit on."""
    key = session.get_one(ApiKey, user_id, with_for_update=True)
    now = session.execute(select(func.clock_timestamp())).scalar_one()
    new_key = generate_key(KeyPrefix.API)
    key.digest = vault.lookup_digest(new_key)
    key.sealed = vault.encrypt(new_key, owner_id=user_id)
    key.created_at = now
    key.last_used_at = None
    return key
