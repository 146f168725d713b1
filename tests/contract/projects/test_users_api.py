"""The rows of the calling user and the personal API key (contract, section 3)."""

from tests.support.clients.management import Management, data_of


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
