"""Concurrent changes of members: a project keeps an owner, and a removed role has no effect."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of
from tests.support.databases.locked_project import locked_project


@pytest.fixture
def alice(management: Management) -> User:
    return management.user("alice")


def test_owners_who_demote_each_other_leave_one_owner(management: Management, alice: User) -> None:
    for number in range(5):
        path = f"/api/projects/{alice.create_project()['id']}/members"
        bob = management.member("bob", path.split("/")[3], Role.OWNER)
        demotions = ((alice, management.user_id("bob")), (bob, management.user_id("alice")))
        with ThreadPoolExecutor(2) as pool:
            responses = [pool.submit(who.put, f"{path}/{whom}", {"role": "viewer"}) for who, whom in demotions]
        assert sorted(response.result().status_code for response in responses) == [200, 403], number
        assert sorted(shown["role"] for shown in data_of(alice.get(path))) == ["owner", "viewer"]


def test_owners_who_leave_at_once_leave_one_owner(management: Management, alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/members"
    bob = management.member("bob", path.split("/")[3], Role.OWNER)
    leaving = ((alice, management.user_id("alice")), (bob, management.user_id("bob")))
    with ThreadPoolExecutor(2) as pool:
        responses = [pool.submit(who.delete, f"{path}/{own_id}") for who, own_id in leaving]
    assert sorted(response.result().status_code for response in responses) == [200, 409]


def test_a_user_who_is_added_many_times_at_once_is_added_once(management: Management, alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/members"
    bob = data_of(management.user("bob").get("/api/user"))["id"]

    def add(_number: int) -> int:
        return alice.post(path, {"user_id": bob, "role": "viewer"}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(add, range(8))) == [201] + [409] * 7
    assert len(data_of(alice.get(path))) == 2


@pytest.mark.parametrize(("demotion", "status"), [("viewer", 403), (None, 404)])
def test_request_behind_a_role_change_acts_in_the_new_role(
    management: Management, database_url: str, alice: User, demotion: str | None, status: int
) -> None:
    project_id = alice.create_project()["id"]
    bob = management.member("bob", project_id, Role.ADMIN)
    bobs = f"/api/projects/{project_id}/members/{management.user_id('bob')}"
    with locked_project(database_url, project_id) as held, ThreadPoolExecutor(2) as pool:
        first = pool.submit(alice.put, bobs, {"role": demotion}) if demotion else pool.submit(alice.delete, bobs)
        held.waiting(1)
        second = pool.submit(bob.put, f"/api/projects/{project_id}", {"name": "Mine now"})
        held.waiting(2)
        held.release()
        assert first.result().status_code == 200
        assert second.result().status_code == status
    assert data_of(alice.get(f"/api/projects/{project_id}"))["name"] == "Sample app"
