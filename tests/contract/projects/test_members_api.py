"""Members over the API (contract, section 3)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from falcon.testing import Result
from sqlalchemy import update

from common.ids import IdPrefix, new_id
from management_api.db.models.projects import Role
from management_api.db.models.users import User as UserModel
from management_api.users.operations import deactivate_user
from tests.support.clients.management import Management, User, data_of

MEMBERS = {"user_id", "email", "name", "role", "created_at"}


@pytest.fixture
def management(management: Management) -> Management:
    """Return the service without the addresses of users of other tests, because addresses identify users."""
    with management.database.transaction() as session:
        session.execute(update(UserModel).values(email=None))
    return management


@pytest.fixture
def alice(management: Management) -> User:
    return management.user("alice", email="Alice@Example.com", name="Alice")


@pytest.fixture
def path(alice: User) -> str:
    """Return the path of the members of a project of alice's."""
    return f"/api/projects/{alice.create_project()['id']}/members"


def known(management: Management, subject: str, **claims: object) -> str:
    """Sign a user in; return the id of the user."""
    user_id: str = data_of(management.user(subject, **claims).get("/api/user"))["id"]
    return user_id


def member(management: Management, path: str, subject: str, role: Role) -> User:
    """Add a user with a role to the project of a path of members."""
    return management.member(subject, path.split("/")[3], role)


def roles(user: User, path: str) -> dict[str, str]:
    """Return the role of every member by the user's id."""
    return {shown["user_id"]: shown["role"] for shown in data_of(user.get(path))}


# --- list -------------------------------------------------------------------------------------------------------------


def test_the_creator_is_the_first_member(management: Management, alice: User, path: str) -> None:
    response = alice.get(path)
    [shown] = data_of(response)
    assert shown.keys() == MEMBERS
    assert {name: shown[name] for name in MEMBERS - {"created_at"}} == {
        "user_id": management.user_id("alice"),
        "email": "Alice@Example.com",
        "name": "Alice",
        "role": "owner",
    }
    assert datetime.fromisoformat(shown["created_at"]).tzinfo == UTC
    assert response.json["pagination"] == {"page": 1, "limit": 20, "total": 1, "totalPages": 1}


def test_members_are_paged_and_sorted(management: Management, alice: User, path: str) -> None:
    for name in ("Carol", "Bob"):
        data_of(alice.post(path, {"user_id": known(management, name, name=name), "role": "viewer"}), 201)
    assert [shown["name"] for shown in data_of(alice.get(path))] == ["Bob", "Carol", "Alice"]
    by_name = alice.get(path, params={"sort": "name", "limit": 2, "page": 2})
    assert [shown["name"] for shown in data_of(by_name)] == ["Carol"]
    assert by_name.json["pagination"] == {"page": 2, "limit": 2, "total": 3, "totalPages": 2}


# --- add --------------------------------------------------------------------------------------------------------------


def test_a_member_is_added_by_id(management: Management, alice: User, path: str) -> None:
    bob = known(management, "bob", email="bob@example.com", name="Bob")
    shown = data_of(alice.post(path, {"user_id": bob, "role": "editor"}), 201)
    assert shown.keys() == MEMBERS
    assert (shown["user_id"], shown["email"], shown["name"], shown["role"]) == (bob, "bob@example.com", "Bob", "editor")
    assert shown in data_of(alice.get(path))
    assert data_of(management.user("bob").get("/api/projects"))


def test_member_is_added_by_address_in_any_case(management: Management, alice: User, path: str) -> None:
    bob = known(management, "bob", email="Bob.Ä@Example.com")
    assert data_of(alice.post(path, {"email": " BOB.Ä@example.COM ", "role": "viewer"}), 201)["user_id"] == bob


def test_only_existing_users_can_be_added(alice: User, path: str) -> None:
    for who in ({"email": "nobody@example.com"}, {"user_id": new_id(IdPrefix.USER)}, {"user_id": "junk"}):
        response = alice.post(path, {**who, "role": "viewer"})
        assert (response.status_code, response.json["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize("verified", [None, False, "false", 1, "yes"], ids=lambda value: f"{value!r}")
def test_unverified_address_finds_no_user(management: Management, alice: User, path: str, verified: object) -> None:
    mallory = management.user("mallory", email="bob@example.com", email_verified=verified)
    assert data_of(mallory.get("/api/user"))["email"] is None
    assert alice.post(path, {"email": "bob@example.com", "role": "admin"}).status_code == 404


@pytest.mark.parametrize(
    ("signed_in", "meant"),
    [
        ("\N{KELVIN SIGN}im@example.com", "kim@example.com"),
        ("kim@example.com", "\N{KELVIN SIGN}im@example.com"),
        ("bob@mail.\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}d", "bob@mail.id"),
        ("bob@mail.id", "bob@mail.\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}d"),
        ("Ärla@example.com", "ärla@example.com"),
    ],
    ids=ascii,
)
def test_an_address_differs_by_any_letter_outside_of_ascii(
    management: Management, alice: User, path: str, signed_in: str, meant: str
) -> None:
    known(management, "mallory", email=signed_in)
    assert alice.post(path, {"email": meant, "role": "admin"}).status_code == 404


def test_an_address_of_several_users_is_no_name(management: Management, alice: User, path: str) -> None:
    bob = known(management, "bob", email="bob@example.com")
    known(management, "another bob", email="BOB@example.com")
    response = alice.post(path, {"email": "bob@example.com", "role": "viewer"})
    assert (response.status_code, response.json["code"]) == (409, "CONFLICT")
    data_of(alice.post(path, {"user_id": bob, "role": "viewer"}), 201)


def test_a_member_cannot_be_added_again(management: Management, alice: User, path: str) -> None:
    member(management, path, "bob", Role.VIEWER)
    response = alice.post(path, {"user_id": management.user_id("bob"), "role": "admin"})
    assert (response.status_code, response.json["code"]) == (409, "CONFLICT")
    assert roles(alice, path)[management.user_id("bob")] == "viewer"


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"role": "viewer"}, "user_id", "MISSING_PARAMETER"),
        ({"role": "viewer", "user_id": None, "email": None}, "user_id", "MISSING_PARAMETER"),
        ({"role": "viewer", "user_id": "user_x", "email": "a@b.c"}, "user_id", "INVALID_PARAMETER"),
        ({"role": "viewer", "email": ""}, "email", "INVALID_PARAMETER"),
        ({"role": "viewer", "email": "x" * 321}, "email", "INVALID_PARAMETER"),
        ({"role": "viewer", "user_id": 1}, "user_id", "INVALID_PARAMETER"),
        ({"email": "a@b.c"}, "role", "MISSING_PARAMETER"),
        ({"email": "a@b.c", "role": None}, "role", "MISSING_PARAMETER"),
        ({"email": "a@b.c", "role": "king"}, "role", "INVALID_PARAMETER"),
        ({"email": "a@b.c", "role": "Owner"}, "role", "INVALID_PARAMETER"),
        ({"email": "a@b.c", "role": "viewer", "colour": "red"}, "colour", "INVALID_PARAMETER"),
    ],
)
def test_a_bad_body_is_named(alice: User, path: str, body: dict[str, Any], field: str, code: str) -> None:
    response = alice.post(path, body)
    assert response.status_code == 400
    assert [(detail["field"], detail["code"]) for detail in response.json["details"]] == [(field, code)]


# --- change and remove ------------------------------------------------------------------------------------------------


def test_a_role_is_changed(management: Management, alice: User, path: str) -> None:
    bob = member(management, path, "bob", Role.VIEWER)
    bob_id = management.user_id("bob")
    [before] = [shown for shown in data_of(alice.get(path)) if shown["user_id"] == bob_id]
    changed = data_of(alice.put(f"{path}/{bob_id}", {**before, "role": "admin"}))
    assert changed == {**before, "role": "admin"}
    assert bob.get(path.removesuffix("/members") + "/api-keys").status_code == 200


def test_a_removed_member_sees_nothing_any_more(management: Management, alice: User, path: str) -> None:
    bob = member(management, path, "bob", Role.ADMIN)
    response = alice.delete(f"{path}/{management.user_id('bob')}")
    assert response.json == {"success": True, "message": "Member removed"}
    assert bob.get(path).status_code == 404
    assert data_of(bob.get("/api/projects")) == []


@pytest.mark.parametrize("who", ["junk", "%00", "user_01h455vb4pex5vsknk084sn02q"])
def test_user_who_is_not_a_member_is_404(management: Management, alice: User, path: str, who: str) -> None:
    known(management, "outsider")
    for response in (alice.put(f"{path}/{who}", {"role": "viewer"}), alice.delete(f"{path}/{who}")):
        assert (response.status_code, response.json["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR, Role.ADMIN])
def test_everyone_may_leave(management: Management, alice: User, path: str, role: Role) -> None:
    bob = member(management, path, "bob", role)
    assert bob.delete(f"{path}/{management.user_id('bob')}").status_code == 200
    assert roles(alice, path) == {management.user_id("alice"): "owner"}


def test_the_last_owner_can_neither_leave_nor_be_demoted(management: Management, alice: User, path: str) -> None:
    member(management, path, "bob", Role.ADMIN)
    own = f"{path}/{management.user_id('alice')}"
    for response in (alice.delete(own), alice.put(own, {"role": "admin"})):
        assert (response.status_code, response.json["code"]) == (409, "CONFLICT")
    assert data_of(alice.put(own, {"role": "owner"}))["role"] == "owner"


def test_an_owner_beside_another_can_leave(management: Management, alice: User, path: str) -> None:
    bob = member(management, path, "bob", Role.OWNER)
    assert alice.delete(f"{path}/{management.user_id('alice')}").status_code == 200
    assert roles(bob, path) == {management.user_id("bob"): "owner"}


@pytest.mark.parametrize("role", Role)
def test_only_an_owner_makes_and_unmakes_owners(management: Management, alice: User, path: str, role: Role) -> None:
    bob = member(management, path, "bob", role)
    for subject, present in (("carol", Role.VIEWER), ("dave", Role.OWNER), ("erin", Role.OWNER)):
        member(management, path, subject, present)
    carol, dave, erin = (f"{path}/{management.user_id(subject)}" for subject in ("carol", "dave", "erin"))
    before = roles(alice, path)
    responses = [
        bob.put(carol, {"role": "owner"}),
        bob.put(dave, {"role": "viewer"}),
        bob.delete(erin),
        bob.post(path, {"user_id": known(management, "frank"), "role": "owner"}),
    ]
    allowed = role is Role.OWNER
    assert [response.status_code for response in responses] == ([200, 200, 200, 201] if allowed else [403] * 4)
    assert (roles(alice, path) == before) is not allowed


@pytest.mark.parametrize("present", [Role.VIEWER, Role.EDITOR, Role.ADMIN])
@pytest.mark.parametrize("wanted", [Role.VIEWER, Role.EDITOR, Role.ADMIN])
def test_an_admin_handles_all_other_roles(management: Management, path: str, present: Role, wanted: Role) -> None:
    bob = member(management, path, "bob", Role.ADMIN)
    member(management, path, "carol", present)
    carol = f"{path}/{management.user_id('carol')}"
    assert data_of(bob.put(carol, {"role": wanted.value}))["role"] == wanted.value
    assert bob.delete(carol).status_code == 200
    body = {"user_id": management.user_id("carol"), "role": wanted.value}
    assert data_of(bob.post(path, body), 201)["role"] == wanted.value


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
def test_member_without_permission_cannot_change_the_own_role(management: Management, path: str, role: Role) -> None:
    bob = member(management, path, "bob", role)
    assert bob.put(f"{path}/{management.user_id('bob')}", {"role": "viewer"}).status_code == 403


def test_an_admin_gives_up_his_own_role(management: Management, alice: User, path: str) -> None:
    bob = member(management, path, "bob", Role.ADMIN)
    assert data_of(bob.put(f"{path}/{management.user_id('bob')}", {"role": "viewer"}))["role"] == "viewer"
    assert roles(alice, path)[management.user_id("bob")] == "viewer"


def test_member_is_read_by_id_and_as_me(management: Management, path: str, alice: User) -> None:
    bob = member(management, path, "bob", Role.VIEWER)
    own = data_of(bob.get(f"{path}/me"))
    assert own.keys() == MEMBERS
    assert own["role"] == "viewer"
    assert data_of(alice.get(f"{path}/{own['user_id']}")) == own
    assert alice.get(f"{path}/me").headers["ETag"]
    assert alice.get(f"{path}/{new_id(IdPrefix.USER)}").json["code"] == "NOT_FOUND"
    assert management.user("carol").get(f"{path}/me").json["code"] == "INVALID_PROJECT"


# --- transfer ---


def transfer(user: User, path: str, user_id: str) -> Result:
    """Transfer the project, with an Idempotency-Key."""
    headers = {"Idempotency-Key": user_id}
    return user.post(f"{path.removesuffix('members')}transfer", {"user_id": user_id}, headers=headers)


def test_transferred_project_has_the_admin_as_owner_and_the_owner_as_admin(
    management: Management, alice: User, path: str
) -> None:
    bob = member(management, path, "bob", Role.ADMIN)
    ids = management.user_id("alice"), management.user_id("bob")
    assert data_of(transfer(alice, path, ids[1]))["role"] == "owner"
    assert roles(bob, path) == {ids[0]: "admin", ids[1]: "owner"}
    # Sent again, it has the stored response; another transfer takes an owner.
    assert transfer(alice, path, ids[1]).headers["Idempotency-Replayed"] == "true"
    assert transfer(alice, path, ids[0]).status_code == 403
    log = data_of(bob.get(f"{path.removesuffix('members')}audit-log", params={"limit": 2}))
    assert {(entry["entity_id"], entry["after"]["role"]) for entry in log} == {(ids[0], "admin"), (ids[1], "owner")}


@pytest.mark.parametrize("role", [Role.EDITOR, Role.OWNER, None])
def test_project_is_transferred_to_active_admins_only(
    management: Management, alice: User, path: str, role: Role | None
) -> None:
    member(management, path, "bob", role or Role.ADMIN)
    if role is None:
        with management.database.transaction() as session:
            deactivate_user(session, management.user_id("bob"))
    before = roles(alice, path)
    assert transfer(alice, path, management.user_id("bob")).json["code"] == "CONFLICT"
    assert transfer(alice, path, known(management, "carol")).json["code"] == "NOT_FOUND"
    assert roles(alice, path) == before


def test_deactivated_owner_is_no_other_owner(management: Management, alice: User, path: str) -> None:
    member(management, path, "bob", Role.OWNER)
    with management.database.transaction() as session:
        deactivate_user(session, management.user_id("bob"))
    own = f"{path}/{management.user_id('alice')}"
    assert [alice.delete(own).status_code, alice.put(own, {"role": "admin"}).status_code] == [409, 409]
