"""The rows of the calling user and the personal API key (contract, section 3)."""

import time

import pytest
from sqlalchemy import select

from management_api.db.models.audit_log import InstallationEntry
from tests.support.clients.management import Management, data_of


def actions_of(management: Management, subject: str) -> list[str]:
    """Return the entries of a user in the log of the installation, the oldest first."""
    is_of_user = InstallationEntry.user_id == management.user_id(subject)
    with management.database.reading() as session:
        actions = select(InstallationEntry.action).where(is_of_user).order_by(InstallationEntry.at)
        return list(session.scalars(actions))


def test_user_has_the_claims_of_the_token(management: Management) -> None:
    shown = data_of(management.user("alice", email="alice@example.com", name="Alice").get("/api/user"))
    assert shown == {"id": management.user_id("alice"), "email": "alice@example.com", "name": "Alice"}


def test_a_user_without_address_and_name_has_null(management: Management) -> None:
    shown = data_of(management.user("alice").get("/api/user"))
    assert (shown["email"], shown["name"]) == (None, None)


def test_rotation_revokes_the_former_key_at_once(management: Management) -> None:
    alice = management.user("alice")
    old = alice.api_key()
    with_old = management.anonymous(Authorization=f"Bearer {old}")
    shown = data_of(with_old.post("/api/user/api-key/rotate"), 201)
    assert shown.keys() == {"api_key", "created_at", "last_used_at"}
    assert shown["api_key"].startswith("obk_api_")
    assert shown["last_used_at"] is None
    refused = with_old.get("/api/user")
    assert (refused.status_code, refused.json["error"]) == (401, "Invalid API key")
    with_new = management.anonymous(Authorization=f"Bearer {shown['api_key']}")
    assert data_of(with_new.get("/api/user")) == data_of(alice.get("/api/user"))
    read = data_of(alice.get("/api/user/api-key"))
    assert (read["api_key"], read["created_at"]) == (shown["api_key"], shown["created_at"])


def test_rotation_keeps_the_keys_of_other_users(management: Management) -> None:
    bobs = management.user("bob").api_key()
    data_of(management.user("alice").post("/api/user/api-key/rotate"), 201)
    assert management.user("bob").api_key() == bobs


def test_a_rotation_takes_no_member(management: Management) -> None:
    alice = management.user("alice")
    for body, media_type, status, code in (
        (b"{", "application/json", 400, "INVALID_PARAMETER"),
        (b'{"grace_period_seconds": 5}', "application/json", 400, "INVALID_PARAMETER"),
        (b"{}", "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"),
    ):
        refused = alice.request("POST", "/api/user/api-key/rotate", body=body, headers={"Content-Type": media_type})
        assert (refused.status_code, refused.json["code"]) == (status, code)
    data_of(alice.post("/api/user/api-key/rotate", {}), 201)


@pytest.mark.parametrize("claim", ["auth_time", "iat"])
def test_log_has_each_sign_in_once_an_hour(management: Management, claim: str) -> None:
    now = int(time.time())
    for minutes_ago, sign_ins in ((180, 1), (180, 1), (125, 1), (110, 2), (170, 2), (5, 3)):
        data_of(management.user("alice", **{claim: now - minutes_ago * 60}).get("/api/user"))
        assert actions_of(management, "alice") == ["user.sign_in"] * sign_ins, minutes_ago


def test_renewed_token_of_one_sign_in_is_no_sign_in(management: Management) -> None:
    now = int(time.time())
    for minutes_ago in (180, 90, 0):
        claims = {"auth_time": now - 180 * 60, "iat": now - minutes_ago * 60}
        data_of(management.user("alice", **claims).get("/api/user"))
    assert actions_of(management, "alice") == ["user.sign_in"]


@pytest.mark.parametrize("value", [None, "now", True, -1, 1e300])
def test_sign_in_without_a_usable_time_is_recorded_by_the_clock(management: Management, value: object) -> None:
    for _ in range(2):
        data_of(management.user("alice", iat=None, auth_time=value).get("/api/user"))
    assert actions_of(management, "alice") == ["user.sign_in"]


def test_log_has_the_reads_of_the_api_key_once_an_hour(management: Management) -> None:
    alice = management.user("alice")
    for _ in range(2):
        alice.api_key()
    data_of(alice.post("/api/user/api-key/rotate"), 201)
    assert actions_of(management, "alice") == ["user.sign_in", "api_key.show", "api_key.rotate"]
