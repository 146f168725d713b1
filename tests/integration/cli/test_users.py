"""`onboarding users erase`: a privacy request of a user of the dashboard."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from management_api.db.models.projects import Role
from management_api.users.erasure import UserNotErasedError
from tests.support.clients.management import Management, data_of, management_service

Erase = Callable[[str], Result]


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Return a service."""
    with management_service(database_url, master_key, tmp_path) as service:
        yield service


@pytest.fixture
def erase(database_url: str) -> Erase:
    """Return a function that runs the command for an id or an address."""
    environment = {"ONBOARDING_DATABASE_URL": database_url}
    return lambda user: CliRunner().invoke(app, ["users", "erase", user], env=environment)


def test_erased_user_is_gone_with_key_and_memberships(management: Management, erase: Erase) -> None:
    alice = management.user("alice", name="Alice")
    bob = management.user("bob", email="bob@example.com", email_verified=True)
    project_id = alice.create_project()["id"]
    data_of(bob.get("/api/user"))
    management.member("bob", project_id, Role.EDITOR)
    former, key = data_of(bob.get("/api/user")), bob.api_key()
    result = erase(former["email"].upper())
    assert (result.exit_code, result.output) == (0, f"erased {former['id']}\n")
    assert management.anonymous(Authorization=f"Bearer {key}").get("/api/user").status_code == 401
    assert [member["name"] for member in data_of(alice.get(f"/api/projects/{project_id}/members"))] == ["Alice"]
    entry = data_of(alice.get(f"/api/projects/{project_id}/audit-log"))[0]
    assert (entry["action"], entry["entity_id"]) == ("member.remove", former["id"])
    assert data_of(bob.get("/api/user"))["id"] != former["id"]


def test_last_owner_is_not_erased(management: Management, erase: Erase) -> None:
    alice = management.user("alice")
    project_id = alice.create_project()["id"]
    result = erase(management.user_id("alice"))
    assert isinstance(result.exception, UserNotErasedError)
    assert project_id in str(result.exception)
    assert alice.get(f"/api/projects/{project_id}").status_code == 200


def test_unknown_user_is_an_error(management: Management, erase: Erase) -> None:
    assert management
    assert isinstance(erase("nobody@example.com").exception, UserNotErasedError)
