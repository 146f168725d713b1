"""Secret keys of projects: shown to admins, rotated with a time of grace, recognised when sent to the wrong door."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ARRAY, LargeBinary, Row, any_, bindparam, delete, func, or_, select
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key, is_well_formed
from common.errors import ConflictError
from common.ids import IdPrefix, is_id, new_id
from management_api.auth.access import Caller, project_to_change, project_to_read
from management_api.db.audited_rows import add_row, change_row
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import SecretKey
from management_api.db.prepared import Prepared
from management_api.projects.quotas import Quotas

_NOW = Prepared(select(func.clock_timestamp().label("now")))
_OF_PROJECT = SecretKey.project_id == bindparam("project_id")
_IS_ALIVE = or_(SecretKey.expires_at.is_(None), SecretKey.expires_at > func.clock_timestamp())
_LIVING = Prepared(
    select(SecretKey.id, SecretKey.sealed, SecretKey.created_at, SecretKey.expires_at, SecretKey.last_used_at)
    .where(_OF_PROJECT, _IS_ALIVE)
    .order_by(SecretKey.created_at.desc(), SecretKey.id.desc())
)
_HAS_DIGEST = SecretKey.digest == any_(bindparam("digests", type_=ARRAY(LargeBinary)))
_LIVING_BY_DIGESTS = Prepared(select(SecretKey.id).where(_HAS_DIGEST, _OF_PROJECT, _IS_ALIVE))
#: All keys, dead ones too. The event consumer notes uses in the same order, so neither waits in a circle.
_LOCKED_KEYS = Prepared(
    select(SecretKey.id, SecretKey.project_id, SecretKey.expires_at)
    .where(_OF_PROJECT)
    .order_by(SecretKey.id)
    .with_for_update()
)


@dataclass(frozen=True, slots=True)
class ShownSecretKey:
    """A living secret key, opened."""

    id: str
    secret_key: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class ShownProjectKeys:
    """All keys of a project, opened."""

    project_id: str
    public_key: str
    secret_keys: list[ShownSecretKey]


def add_secret_key(session: Session, vault: KeyVault, project_id: str) -> None:
    """Make another secret key of a project, without an end. The project's publication is the caller's to request."""
    key = generate_key(KeyPrefix.SECRET)
    add_row(
        session,
        SecretKey,
        {
            "id": new_id(IdPrefix.KEY),
            "project_id": project_id,
            "digest": vault.lookup_digest(key),
            "sealed": vault.encrypt(key, owner_id=project_id),
            "expires_at": None,
        },
    )


def read_project_keys(session: Session, vault: KeyVault, caller: Caller, project_id: str) -> ShownProjectKeys:
    """Give all keys of a project that are alive, the newest first."""
    return _shown(session, vault, project_to_read(session, caller, project_id))


def rotate_secret_key(
    session: Session, vault: KeyVault, caller: Caller, project_id: str, grace: timedelta, quotas: Quotas
) -> ShownProjectKeys:
    """Make a new secret key; the living ones die after the time of grace, or earlier if they were to.

    Raises ConflictError when too many would live at once; one more rotation without grace is always possible.
    """
    project = project_to_change(session, caller, project_id)
    [(now,)] = _NOW.rows(session)
    living = 0
    for key in _LOCKED_KEYS.rows(session, {"project_id": project_id}):
        expires_at = now + grace if key.expires_at is None else min(key.expires_at, now + grace)
        change_row(session, SecretKey, key, {"expires_at": expires_at})
        living += expires_at > now
    if living >= quotas.active_secret_keys:
        raise ConflictError(
            f"A project may have at most {quotas.active_secret_keys} living secret keys, those in their grace period"
            " included; rotate with grace_period_seconds 0"
        )
    session.execute(
        delete(SecretKey)
        .where(SecretKey.project_id == project_id, SecretKey.expires_at <= now)
        .execution_options(synchronize_session=False, follows_from_audited_change=True)
    )
    add_secret_key(session, vault, project_id)
    return _shown(session, vault, project)


def secret_key_opens(session: Session, vault: KeyVault, project_id: str, secret_key: str) -> bool:
    """Tell whether the pair is a valid credential of an SDK."""
    if not is_id(IdPrefix.PROJECT, project_id) or not is_well_formed(KeyPrefix.SECRET, secret_key):
        return False
    values = {"project_id": project_id, "digests": vault.lookup_digests(secret_key)}
    return _LIVING_BY_DIGESTS.row(session, values) is not None


def _shown(session: Session, vault: KeyVault, project: Row[*tuple[Any, ...]]) -> ShownProjectKeys:
    rows = _LIVING.rows(session, {"project_id": project.id})
    return ShownProjectKeys(
        project_id=project.id,
        public_key=vault.decrypt(project.public_key_sealed, owner_id=project.id),
        secret_keys=[
            ShownSecretKey(key_id, vault.decrypt(sealed, owner_id=project.id), created_at, expires_at, last_used_at)
            for key_id, sealed, created_at, expires_at, last_used_at in rows
        ],
    )
