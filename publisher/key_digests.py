"""From the sealed secret keys of the database to the digests that a snapshot carries."""

from common.credentials import secret_key_digest
from common.wire.snapshot import SecretKeyDigest
from management_api.database.key_vault import KeyVault
from publisher.project_content import ProjectContent


def key_digests(vault: KeyVault, project: ProjectContent) -> tuple[SecretKeyDigest, ...]:
    """Open each key only long enough to digest it. Raises cryptography's InvalidTag under a wrong master key."""
    return tuple(
        SecretKeyDigest(
            key_id=key.key_id,
            digest=secret_key_digest(vault.open(key.sealed, owner_id=project.project_id)),
            expires_at=key.expires_at.timestamp() if key.expires_at else None,
        )
        for key in project.secret_keys
    )
