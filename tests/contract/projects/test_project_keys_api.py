"""Rows of the contract about the keys of a project."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select, update

from management_api.db.models.metadata import TABLES
from management_api.db.models.projects import Role, SecretKey
from tests.support.clients.management import Management, User, data_of


def test_project_keys_have_the_contracts_members(alice: User) -> None:
    made = alice.create_project()
    keys = data_of(alice.get(f"/api/projects/{made['id']}/api-keys"))
    assert keys.keys() == {"project_id", "public_key", "secret_keys"}
    assert (keys["project_id"], keys["public_key"]) == (made["id"], made["api_keys"]["public_key"])
    [secret_key] = keys["secret_keys"]
    assert secret_key.keys() == {"id", "secret_key", "created_at", "expires_at", "last_used_at"}
    assert secret_key["secret_key"].startswith("obk_sk_")
    assert (secret_key["expires_at"], secret_key["last_used_at"]) == (None, None)


@pytest.mark.parametrize("options", [{}, {"json": {}}, {"body": b"", "headers": {"Content-Type": "application/json"}}])
def test_rotate_without_a_body_leaves_a_day_of_grace(alice: User, options: dict[str, Any]) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    [old] = data_of(alice.get(path))["secret_keys"]
    newest, former = data_of(alice.request("POST", f"{path}/rotate", **options), 201)["secret_keys"]
    assert former["id"] == old["id"]
    assert newest["expires_at"] is None
    grace = datetime.fromisoformat(former["expires_at"]) - datetime.fromisoformat(newest["created_at"])
    assert grace.total_seconds() == pytest.approx(86_400, abs=60)
    assert [key["id"] for key in data_of(alice.get(path))["secret_keys"]] == [newest["id"], former["id"]]


def test_rotate_without_grace_ends_the_old_keys_at_once(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    [old] = data_of(alice.get(path))["secret_keys"]
    [new] = data_of(alice.post(f"{path}/rotate", {"grace_period_seconds": 0}), 201)["secret_keys"]
    assert new["secret_key"] != old["secret_key"]


def test_later_rotation_never_extends_a_grace_period(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys"
    former = data_of(alice.post(f"{path}/rotate", {"grace_period_seconds": 60}), 201)["secret_keys"][1]
    keys = data_of(alice.post(f"{path}/rotate", {"grace_period_seconds": 604_800}), 201)["secret_keys"]
    assert keys[2] == former


@pytest.mark.parametrize("seconds", [-1, 604_801, "60", True, 1.5, None, 1e300])
def test_rotate_refuses_a_bad_grace(alice: User, seconds: object) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys/rotate"
    response = alice.post(path, {"grace_period_seconds": seconds})
    assert (response.status_code, response.json["details"][0]["field"]) == (400, "grace_period_seconds")


def test_living_keys_are_bounded_and_a_rotation_without_grace_is_always_possible(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys/rotate"
    statuses = [alice.post(path, {}).status_code for _ in range(20)]
    assert statuses == [201] * 19 + [409]
    assert len(data_of(alice.post(path, {"grace_period_seconds": 0}), 201)["secret_keys"]) == 1


def test_no_key_stands_in_the_database(management: Management, alice: User) -> None:
    project = alice.create_project()
    secret_key, api_key = alice.secret_key(project["id"]), alice.api_key()
    with management.database.transaction() as session:
        dump = "".join(str(row) for table in TABLES for row in session.execute(select(table.__table__)))
    for key in (secret_key, api_key, project["api_keys"]["public_key"]):
        assert key[8:] not in dump


def test_an_expired_key_is_not_shown(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    with management.database.transaction() as session:
        expired = update(SecretKey).where(SecretKey.project_id == project_id)
        session.execute(expired.values(expires_at=datetime(2020, 1, 1, tzinfo=UTC)))
    assert data_of(alice.get(f"/api/projects/{project_id}/api-keys"))["secret_keys"] == []


def test_audit_log_has_who_saw_the_keys_once_an_hour(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    bob = management.member("bob", project_id, Role.ADMIN)
    for user in (alice, alice, bob):
        data_of(user.get(f"/api/projects/{project_id}/api-keys"))
    entries = data_of(alice.get(f"/api/projects/{project_id}/audit-log"))
    seen = [entry["user_id"] for entry in entries if entry["action"] == "secret_key.show"]
    assert seen == [management.user_id("bob"), management.user_id("alice")]
