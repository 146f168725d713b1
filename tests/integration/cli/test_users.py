"""`onboarding users` and `onboarding projects transfer`: people, for the operators of an installation."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from cli.main import app
from common.errors import OnboardingError
from management_api.db.audit import OPERATOR
from management_api.db.models.audit_log import InstallationEntry
from management_api.db.models.projects import Role
from tests.support.clients.management import Management, data_of, management_service

Command = Callable[..., Result]


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    with management_service(database_url, master_key, tmp_path) as service:
        yield service


@pytest.fixture
def command(database_url: str) -> Command:
    """Return a function that runs `onboarding`."""
    environment = {"ONBOARDING_DATABASE_URL": database_url}
    return lambda *arguments: CliRunner().invoke(app, list(arguments), env=environment)


def log_of_operators(management: Management) -> list[tuple[str, str, str]]:
    """Return what operators did by the log of the installation: who, action and user."""
    columns = (InstallationEntry.user_id, InstallationEntry.action, InstallationEntry.entity_id)
    with management.database.reading() as session:
        by_operators = select(*columns).where(InstallationEntry.user_id == OPERATOR)
        rows = session.execute(by_operators.order_by(InstallationEntry.at))
        return [(user_id, action, entity_id) for user_id, action, entity_id in rows]


def test_erased_user_is_gone_with_key_and_memberships(management: Management, command: Command) -> None:
    alice = management.user("alice", name="Alice")
    bob = management.user("bob", email="bob@example.com", name="Bob")
    project_id = alice.create_project()["id"]
    data_of(bob.get("/api/user"))
    management.member("bob", project_id, Role.EDITOR)
    data_of(bob.post("/api/flows", {"projectId": project_id, "name": "Of Bob"}), 201)
    former, key = data_of(bob.get("/api/user")), bob.api_key()
    result = command("users", "erase", former["email"].upper())
    assert (result.exit_code, result.output) == (0, f"erased {former['id']}\n")
    assert management.anonymous(Authorization=f"Bearer {key}").get("/api/user").status_code == 401
    assert [member["name"] for member in data_of(alice.get(f"/api/projects/{project_id}/members"))] == ["Alice"]
    log = alice.get(f"/api/projects/{project_id}/audit-log", params={"include": "names"})
    of_bob = [(entry["action"], entry["entity_id"]) for entry in log.json["data"] if entry["user_id"] == former["id"]]
    assert of_bob[0] == ("member.remove", former["id"])
    assert of_bob[1][0] == "flow.create"
    assert "bob@example.com" not in log.text
    assert '"Bob"' not in log.text
    assert log_of_operators(management) == [("operator", "user.erase", former["id"])]
    assert data_of(bob.get("/api/user"))["id"] != former["id"]


def test_deactivated_user_is_refused_everywhere_until_reactivated(management: Management, command: Command) -> None:
    bob = management.user("bob", email="bob@example.com")
    with_key = management.anonymous(Authorization=f"Bearer {bob.api_key()}")
    user_id = management.user_id("bob")
    assert command("users", "deactivate", "bob@example.com").output == f"deactivated {user_id}\n"
    for client in (bob, with_key):
        for path in ("/api/user", "/api/projects"):
            refused = client.get(path)
            assert (refused.status_code, refused.json["code"]) == (403, "FORBIDDEN")
            assert refused.json["error"].startswith("This user is deactivated; ")
    # A token with another name updates nothing either.
    assert management.user("bob", name="Robert").get("/api/user").status_code == 403
    assert command("users", "reactivate", user_id).exit_code == 0
    assert [client.get("/api/user").status_code for client in (bob, with_key)] == [200, 200]
    assert log_of_operators(management) == [
        ("operator", "user.deactivate", user_id),
        ("operator", "user.reactivate", user_id),
    ]


@pytest.mark.parametrize("verb", ["erase", "deactivate"])
def test_last_owner_stays_and_the_projects_are_named(management: Management, command: Command, verb: str) -> None:
    alice = management.user("alice")
    project_id = alice.create_project()["id"]
    result = command("users", verb, management.user_id("alice"))
    assert isinstance(result.exception, OnboardingError)
    assert project_id in str(result.exception)
    assert alice.get(f"/api/projects/{project_id}").status_code == 200


def test_project_of_a_deactivated_owner_is_transferred(management: Management, command: Command) -> None:
    alice, bob = management.user("alice"), management.user("bob", email="bob@example.com")
    project_id = alice.create_project()["id"]
    data_of(bob.get("/api/user"))
    forced = command("users", "deactivate", management.user_id("alice"), "--force")
    assert (forced.exit_code, project_id in forced.output) == (0, True)
    result = command("projects", "transfer", project_id, "bob@example.com")
    assert result.output == f"{management.user_id('bob')} owns {project_id}\n"
    members = data_of(bob.get(f"/api/projects/{project_id}/members", params={"sort": "created_at"}))
    assert [member["role"] for member in members] == ["admin", "owner"]
    [entry, _] = data_of(bob.get(f"/api/projects/{project_id}/audit-log", params={"limit": 2}))
    assert entry["user_id"] == "operator"
    assert isinstance(
        command("projects", "transfer", project_id, management.user_id("alice")).exception, OnboardingError
    )
    assert isinstance(command("projects", "transfer", "proj_none", "bob@example.com").exception, OnboardingError)


def test_users_are_listed_with_projects_and_state(management: Management, command: Command) -> None:
    management.user("alice", email="alice@example.com", name="[bold]Alice").create_project()
    data_of(management.user("bob", name="Bob").get("/api/user"))
    command("users", "deactivate", management.user_id("bob"))
    listed = json.loads(command("users", "list", "--json").output)
    assert [(user["name"], user["projects"], user["deactivated_at"] is None) for user in listed] == [
        ("Bob", 0, False),
        ("[bold]Alice", 1, True),
    ]
    assert all(user["signed_in_at"] for user in listed)
    found = json.loads(command("users", "list", "--json", "--search", "ALICE@").output)
    assert [user["id"] for user in found] == [management.user_id("alice")]
    table = command("users", "list").output
    # A cut id would be of no use for the next command.
    assert {"[bold]Alice", management.user_id("alice"), "alice@example.com"} <= set(table.split())


def test_projects_are_listed_with_their_active_owners(management: Management, command: Command) -> None:
    alice = management.user("alice", email="alice@example.com")
    first, second, deleted = (alice.create_project(name)["id"] for name in ("First", "Second", "Third"))
    management.member("bob", first, Role.OWNER)
    management.member("carol", second, Role.ADMIN)
    alice.delete(f"/api/projects/{deleted}")
    command("users", "deactivate", management.user_id("alice"), "--force")

    def found(*arguments: str) -> list[tuple[str, str | None]]:
        listed = json.loads(command("projects", "list", "--json", *arguments).output)
        return [(project["name"], project["owners"]) for project in listed]

    bob = management.user_id("bob")
    assert found() == [("Second", None), ("First", bob)]
    assert found("--search", "SEC") == [("Second", None)]
    assert found("--search", second) == [("Second", None)]
    assert found("--search", bob) == [("First", bob)]
    assert found("--search", "nobody") == []


def test_unknown_user_is_an_error(management: Management, command: Command) -> None:
    assert management
    for verb in ("erase", "deactivate", "reactivate"):
        assert isinstance(command("users", verb, "nobody@example.com").exception, OnboardingError)
