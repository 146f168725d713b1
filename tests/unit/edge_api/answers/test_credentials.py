"""Who may ask: absent, wrong, expired and deleted credentials."""

import pytest

from common.credentials import KeyPrefix, generate_key, secret_key_digest
from common.errors import AuthenticationError, ProjectCredentialsError
from common.wire.snapshot import SecretKeyDigest, Snapshot
from edge_api.answers.credentials import Credentials, authenticate, presented_credentials
from edge_api.answers.request_head import RequestHeaders
from edge_api.snapshots.loaded import LoadedSnapshot
from tests.snapshots import KEY_ID, SECRET_KEY, a_snapshot

NOW = 1_000.0


@pytest.mark.parametrize("head", [RequestHeaders(), RequestHeaders(project_id="p"), RequestHeaders(secret_key="s")])
def test_both_headers_are_needed(head: RequestHeaders) -> None:
    with pytest.raises(AuthenticationError, match="Authentication required"):
        presented_credentials(head)


def test_the_right_key_gives_access_under_its_id() -> None:
    resident = LoadedSnapshot.from_snapshot(a_snapshot())
    assert authenticate(Credentials("p", SECRET_KEY), resident, NOW).key_id == KEY_ID


@pytest.mark.parametrize("secret_key", ["", "obk_sk_", "\xff\ud800", "x" * 10_000])
def test_a_malformed_key_gives_none(secret_key: str) -> None:
    with pytest.raises(ProjectCredentialsError):
        authenticate(Credentials("p", secret_key), LoadedSnapshot.from_snapshot(a_snapshot()), NOW)


def test_another_projects_key_gives_none() -> None:
    with pytest.raises(ProjectCredentialsError):
        authenticate(Credentials("p", generate_key(KeyPrefix.SECRET)), LoadedSnapshot.from_snapshot(a_snapshot()), NOW)


def test_an_unknown_project_is_answered_as_a_wrong_key_is() -> None:
    with pytest.raises(ProjectCredentialsError):
        authenticate(Credentials("p", SECRET_KEY), None, NOW)


def test_a_deleted_projects_key_opens_nothing() -> None:
    with pytest.raises(ProjectCredentialsError):
        authenticate(Credentials("p", SECRET_KEY), LoadedSnapshot.from_snapshot(Snapshot.tombstone("p", 2)), NOW)


def test_a_key_dies_at_its_moment() -> None:
    digest = SecretKeyDigest(KEY_ID, secret_key_digest(SECRET_KEY), expires_at=NOW)
    resident = LoadedSnapshot.from_snapshot(a_snapshot(secret_keys=(digest,)))
    assert authenticate(Credentials("p", SECRET_KEY), resident, NOW - 0.001).key_id == KEY_ID
    with pytest.raises(ProjectCredentialsError):
        authenticate(Credentials("p", SECRET_KEY), resident, NOW)


def test_every_live_key_opens_the_project() -> None:
    keys = [generate_key(KeyPrefix.SECRET) for _ in range(3)]
    digests = tuple(SecretKeyDigest(key[-4:], secret_key_digest(key)) for key in keys)
    resident = LoadedSnapshot.from_snapshot(a_snapshot(secret_keys=digests))
    assert [authenticate(Credentials("p", key), resident, NOW).key_id for key in keys] == [key[-4:] for key in keys]


def test_credentials_do_not_show_in_a_repr() -> None:
    assert SECRET_KEY not in repr(Credentials("p", SECRET_KEY))
    assert SECRET_KEY not in repr(RequestHeaders(project_id="p", secret_key=SECRET_KEY))
