"""Roles by the groups of the identity provider, at each sign-in."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.clients.management import Management, User, data_of, management_service

NOW = int(time.time())


class Company:
    """A service with groups, and a project of the owner olga."""

    def __init__(self, management: Management, project_id: str) -> None:
        self.management = management
        self.project_id = project_id
        self.olga = management.user("olga", groups=[])
        self._moment = NOW - 3600

    def sign_in(self, *groups: str, subject: str = "bob", **claims: object) -> User:
        """Sign a user in with groups, later than before."""
        self._moment += 1
        user = self.management.user(subject, **{"groups": list(groups), "iat": self._moment, **claims})
        data_of(user.get("/api/user"))
        return user

    def roles(self, subject: str = "bob") -> tuple[str, bool] | None:
        """Return the role of a member, and whether groups have made it."""
        user_id = self.management.user_id(subject)
        members = data_of(self.olga.get(f"/api/projects/{self.project_id}/members"))
        found = [member for member in members if member["user_id"] == user_id]
        return (found[0]["role"], found[0].get("from_groups", False)) if found else None

    def change(self, method: str, path: str = "", **body: object) -> Any:  # noqa: ANN401 - any JSON
        return self.olga.request(method, f"/api/projects/{self.project_id}/members{path}", json=body or None)


@contextmanager
def company(database_url: str, master_key: str, folder: Path, max_members: int = 100) -> Iterator[Company]:
    with management_service(database_url, master_key, folder) as first:
        project_id = first.user("olga").create_project()["id"]
    roles = {
        "designers": {project_id: "editor"},
        "readers": {project_id: "viewer"},
        "leads": {project_id: "admin"},
        "others": {"proj_01m8eww4ngeq98tykhs7bycdge": "editor"},
    }
    with management_service(
        database_url,
        master_key,
        folder,
        identity_groups_claim="groups",
        identity_group_roles=json.dumps(roles),
        max_members_per_project=max_members,
    ) as management:
        yield Company(management, project_id)


@pytest.fixture
def acme(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Company]:
    with company(database_url, master_key, tmp_path) as acme:
        yield acme


def test_membership_follows_the_groups_of_each_sign_in(acme: Company) -> None:
    for groups, role in (
        (["unknown", "others"], None),
        (["readers"], "viewer"),
        (["readers", "leads", "designers"], "admin"),
        (["designers"], "editor"),
        ([], None),
    ):
        acme.sign_in(*groups)
        assert acme.roles() == (role and (role, True)), groups
    acme.sign_in(groups="readers")
    assert acme.roles() == ("viewer", True)
    # A token without the claim is of nobody in a group.
    acme.sign_in(groups=None)
    assert acme.roles() is None
    log = data_of(acme.olga.get(f"/api/projects/{acme.project_id}/audit-log", params={"limit": 100}))
    assert [entry["action"] for entry in log if entry["user_id"] == "provider"] == [
        *("member.remove", "member.add", "member.remove", "member.update", "member.update", "member.add")
    ]


def test_older_token_of_the_user_changes_nothing(acme: Company) -> None:
    old = acme.sign_in("designers")
    acme.sign_in()
    data_of(old.get("/api/user"))
    assert acme.roles() is None
    acme.sign_in("designers", iat=None)
    assert acme.roles() is None


def test_second_token_of_one_second_counts(acme: Company) -> None:
    acme.sign_in("designers", iat=NOW)
    acme.sign_in(iat=NOW)
    assert acme.roles() is None


def test_member_made_by_hand_is_left_alone_by_groups(acme: Company) -> None:
    acme.sign_in()
    user_id = acme.management.user_id("bob")
    assert acme.change("POST", user_id=user_id, role="editor").status_code == 201
    acme.sign_in("leads")
    assert acme.roles() == ("editor", False)
    acme.sign_in()
    assert acme.roles() == ("editor", False)
    # Without it, groups decide from the next sign-in on, and nobody can add the member again.
    assert acme.change("DELETE", f"/{user_id}").status_code == 200
    acme.sign_in("readers")
    assert acme.change("POST", user_id=user_id, role="editor").status_code == 409
    assert acme.roles() == ("viewer", True)
    # A change by hand ends that.
    assert acme.change("PUT", f"/{user_id}", role="viewer").status_code == 200
    acme.sign_in("leads")
    assert acme.roles() == ("viewer", False)


def test_removed_member_of_a_group_returns_at_the_next_sign_in(acme: Company) -> None:
    bob = acme.sign_in("readers")
    assert acme.change("DELETE", f"/{acme.management.user_id('bob')}").status_code == 200
    data_of(bob.get("/api/user"))
    assert acme.roles() is None
    acme.sign_in("readers")
    assert acme.roles() == ("viewer", True)


def test_owner_stays_owner_whatever_the_groups_are(acme: Company) -> None:
    acme.sign_in("readers", subject="olga")
    assert acme.roles("olga") == ("owner", False)
    acme.sign_in("leads")
    path = f"/api/projects/{acme.project_id}/transfer"
    data_of(acme.olga.post(path, {"user_id": acme.management.user_id("bob")}))
    acme.sign_in()
    assert acme.roles() == ("owner", False)


def test_approval_of_a_lost_group_does_not_count(acme: Company) -> None:
    settings = {"settings": {"required_approvals": 1}}
    flow_id = acme.olga.create_flow(acme.project_id, status="active")["id"]
    data_of(acme.olga.put(f"/api/projects/{acme.project_id}", settings))
    document = {"document": {"name": "Second", "screens": [{"type": "welcome", "content": {"title": "Hi"}}]}}
    assert acme.olga.put(f"/api/flows/{flow_id}/draft", document).status_code == 201
    bob = acme.sign_in("designers")
    data_of(bob.post(f"/api/flows/{flow_id}/draft/approve"))
    acme.sign_in("readers")
    refused = acme.olga.post(f"/api/flows/{flow_id}/publish", {"ignore_warnings": True})
    assert (refused.status_code, refused.json["code"]) == (409, "CONFLICT")
    acme.sign_in("leads")
    assert acme.olga.post(f"/api/flows/{flow_id}/publish", {"ignore_warnings": True}).status_code == 201


def test_deleted_project_and_quota_of_members_hold(database_url: str, master_key: str, tmp_path: Path) -> None:
    with company(database_url, master_key, tmp_path, max_members=2) as acme:
        acme.sign_in("readers")
        acme.sign_in("readers", subject="carol")
        assert (acme.roles("bob"), acme.roles("carol")) == (("viewer", True), None)
        acme.olga.delete(f"/api/projects/{acme.project_id}")
        dave = acme.sign_in("readers", subject="dave")
        assert dave.get(f"/api/projects/{acme.project_id}").status_code == 404


def test_member_of_a_group_has_the_rights_of_the_role(acme: Company) -> None:
    bob = acme.sign_in("readers")
    assert bob.get(f"/api/projects/{acme.project_id}").status_code == 200
    assert bob.post("/api/flows", {"projectId": acme.project_id, "name": "A flow"}).status_code == 403
