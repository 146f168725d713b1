"""Secret keys of projects: shown to admins, rotated with a grace period."""

from datetime import timedelta
from typing import Any

from sqlalchemy import Row, delete, exists, func, select
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key
from common.errors import ConflictError
from common.ids import IdPrefix, new_id
from management_api.auth.access import Caller, project_for_caller, project_for_update, read_project
from management_api.db.audit import AUDITED_EVERY, record_change, set_audit_actor
from management_api.db.engine import Reader
from management_api.db.key_vault import KeyVault
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.projects import Project, SecretKey
from management_api.projects.quotas import Quotas
from management_api.projects.schemas import ProjectKeysView, PublicKeys, SecretKeyView

_SHOWN = ("secret_key", "show")
_PROJECT = project_for_caller(Project.id, Project.public_key_sealed)


def add_secret_key(session: Session, vault: KeyVault, project_id: str) -> None:
    """Create a secret key of a project that does not expire. The caller requests the publication."""
    key = generate_key(KeyPrefix.SECRET)
    session.add(
        SecretKey(
            id=new_id(IdPrefix.KEY),
            project_id=project_id,
            digest=vault.lookup_digest(key),
            sealed=vault.encrypt(key, owner_id=project_id),
            expires_at=None,
        )
    )
    session.flush()


def public_keys_of(vault: KeyVault, project: Project | Row[Any]) -> PublicKeys:
    """Return the public key of a project, decrypted, with the id of the project."""
    return PublicKeys(project_id=project.id, public_key=vault.decrypt(project.public_key_sealed, owner_id=project.id))


def show_project_keys(session: Session, vault: KeyVault, caller: Caller, project_id: str) -> ProjectKeysView:
    """Return the active keys of a project, the newest first. The audit log names the user, once in AUDITED_EVERY.

    Raises ProjectNotFoundError, ForbiddenError.
    """
    project = read_project(session, caller, project_id, _PROJECT)
    is_recent = (
        AuditEntry.project_id == project_id,
        AuditEntry.at > func.clock_timestamp() - AUDITED_EVERY,
        AuditEntry.action == f"{_SHOWN[0]}.{_SHOWN[1]}",
        AuditEntry.user_id == caller.user_id,
    )
    if not session.scalar(select(exists().where(*is_recent))):
        set_audit_actor(session, caller.user_id)
        entity, verb = _SHOWN
        record_change(session, project_id, entity=entity, verb=verb, entity_id=project_id)
    return _view(session, vault, project)


def rotate_secret_key(
    session: Session, vault: KeyVault, caller: Caller, project_id: str, grace: timedelta, quotas: Quotas
) -> ProjectKeysView:
    """Create a secret key; the active ones expire after the grace period, or at their own earlier expiry.

    Raises ConflictError when too many would be active at once; one more rotation without grace is always possible.
    """
    project = project_for_update(session, caller, project_id)
    now = session.execute(select(func.clock_timestamp())).scalar_one()
    # Expired keys too. The event consumer updates `last_used_at` in the same order, which excludes a deadlock.
    keys = session.scalars(
        select(SecretKey).where(SecretKey.project_id == project_id).order_by(SecretKey.id).with_for_update()
    ).all()
    active = 0
    for key in keys:
        expires_at = now + grace if key.expires_at is None else min(key.expires_at, now + grace)
        key.expires_at = expires_at
        active += expires_at > now
    if active >= quotas.active_secret_keys:
        raise ConflictError(
            f"A project may have at most {quotas.active_secret_keys} active secret keys, those in their grace period"
            " included; rotate with grace_period_seconds 0"
        )
    session.execute(
        delete(SecretKey)
        .where(SecretKey.project_id == project_id, SecretKey.expires_at <= now)
        .execution_options(synchronize_session=False)
    )
    add_secret_key(session, vault, project_id)
    return _view(session, vault, project)


def _view(reader: Reader, vault: KeyVault, project: Project | Row[Any]) -> ProjectKeysView:
    keys = reader.execute(
        select(SecretKey.id, SecretKey.sealed, SecretKey.created_at, SecretKey.expires_at, SecretKey.last_used_at)
        .where(SecretKey.project_id == project.id, SecretKey.is_active())
        .order_by(SecretKey.created_at.desc(), SecretKey.id.desc())
    )
    return ProjectKeysView(
        project_id=project.id,
        public_key=public_keys_of(vault, project).public_key,
        secret_keys=[
            SecretKeyView(
                id=key.id,
                secret_key=vault.decrypt(key.sealed, owner_id=project.id),
                created_at=key.created_at,
                expires_at=key.expires_at,
                last_used_at=key.last_used_at,
            )
            for key in keys
        ],
    )
