"""Verification of secret keys."""

import pytest

from common.credentials import KeyPrefix, generate_key, secret_key_digest
from common.errors import ProjectCredentialsError
from common.wire.snapshot import SecretKeyDigest, Snapshot
from edge_api.api.handler import verify_key
from edge_api.snapshots.loaded import LoadedSnapshot
from tests.support.data.snapshots import KEY_ID, SECRET_KEY, a_snapshot

NOW = 1_000.0
KEY = SECRET_KEY.encode()


def loaded(*keys: SecretKeyDigest) -> LoadedSnapshot:
    """Return a project with these keys, or with only the key of the tests."""
    return LoadedSnapshot.from_snapshot(a_snapshot(secret_keys=keys) if keys else a_snapshot())


def test_right_key_is_verified_and_cached() -> None:
    snapshot = loaded()
    assert verify_key(snapshot, KEY, NOW).key_id == KEY_ID
    assert verify_key(snapshot, KEY, NOW) is snapshot.verified_keys[KEY]


@pytest.mark.parametrize("secret_key", [b"", b"obk_sk_", b"\xff", b"x" * 10_000, KEY.swapcase()], ids=range(5))
def test_wrong_key_is_rejected_and_not_remembered(secret_key: bytes) -> None:
    snapshot = loaded()
    with pytest.raises(ProjectCredentialsError):
        verify_key(snapshot, secret_key, NOW)
    assert snapshot.verified_keys == {}


def test_key_of_deleted_project_is_rejected() -> None:
    with pytest.raises(ProjectCredentialsError):
        verify_key(LoadedSnapshot.from_snapshot(Snapshot.tombstone("p", 2)), KEY, NOW)


@pytest.mark.parametrize("verified_before", [False, True])
def test_key_expires(*, verified_before: bool) -> None:
    snapshot = loaded(SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at=NOW))
    if verified_before:
        assert verify_key(snapshot, KEY, NOW - 0.001).key_id == KEY_ID
    with pytest.raises(ProjectCredentialsError):
        verify_key(snapshot, KEY, NOW)


def test_every_valid_key_opens_the_project() -> None:
    keys = [generate_key(KeyPrefix.SECRET) for _ in range(3)]
    snapshot = loaded(*(SecretKeyDigest(key[-4:], secret_key_digest(key)) for key in keys))
    assert [verify_key(snapshot, key.encode(), NOW).key_id for key in keys] == [key[-4:] for key in keys]
