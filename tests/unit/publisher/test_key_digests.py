"""Decryption of secret keys for the snapshot."""

from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidTag
from pydantic import SecretStr

from common.credentials import secret_key_digest
from common.wire.snapshot import SecretKeyDigest
from management_api.database.key_vault import KeyVault
from publisher.key_digests import key_digests
from publisher.project_content import ProjectContent, SealedKey
from tests.unit.publisher.contents import a_project


def a_project_with_key(vault: KeyVault, *, owner_id: str, expires_at: datetime | None = None) -> ProjectContent:
    """Give a project whose one key was sealed for that owner."""
    return a_project(secret_keys=(SealedKey("key_1", vault.seal("obk_sk_x", owner_id=owner_id), expires_at),))


def test_a_key_becomes_its_digest_and_the_moment_it_dies(master_key: str) -> None:
    vault = KeyVault(SecretStr(master_key))
    project = a_project_with_key(vault, owner_id="proj_1", expires_at=datetime(2027, 1, 1, tzinfo=UTC))
    assert key_digests(vault, project) == (SecretKeyDigest("key_1", secret_key_digest("obk_sk_x"), 1_798_761_600.0),)


def test_a_key_sealed_for_another_project_is_refused(master_key: str) -> None:
    vault = KeyVault(SecretStr(master_key))
    with pytest.raises(InvalidTag):
        key_digests(vault, a_project_with_key(vault, owner_id="proj_2"))
