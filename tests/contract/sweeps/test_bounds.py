"""How many of each thing there may be: one more is a 409 with the number in it, and changes nothing."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import Result

from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of, management_service


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    bounds: dict[str, Any] = {
        "max_projects_per_user": 2,
        "max_members_per_project": 2,
        "max_flows_per_project": 2,
        "max_screens_per_flow": 2,
        "max_themes_per_project": 2,
        "max_experiments_per_project": 3,
        "max_active_experiments": 2,
        "max_active_secret_keys": 2,
    }
    with management_service(database_url, master_key, tmp_path, **bounds) as service:
        yield service


def assert_full(response: Result, error: str) -> None:
    assert (response.status_code, response.json["code"], response.json["error"]) == (409, "CONFLICT", error)


@pytest.mark.parametrize("things", ["flows", "themes"])
def test_a_project_has_a_bounded_number_of_parts(alice: User, things: str) -> None:
    body = {"projectId": alice.create_project()["id"], "name": "One"}
    made = [data_of(alice.post(f"/api/{things}", body), 201) for _ in range(2)]
    assert_full(alice.post(f"/api/{things}", body), f"A project may have at most 2 {things}")
    assert alice.delete(f"/api/{things}/{made[0]['id']}").status_code == 200
    data_of(alice.post(f"/api/{things}", body), 201)


def test_a_copy_of_a_flow_counts(alice: User) -> None:
    flow = alice.create_flow(alice.create_project()["id"])
    data_of(alice.post(f"/api/flows/{flow['id']}/duplicate"), 201)
    assert_full(alice.post(f"/api/flows/{flow['id']}/duplicate"), "A project may have at most 2 flows")


def test_experiments_of_a_project_and_active_ones_are_bounded(alice: User) -> None:
    project_id = alice.create_project()["id"]
    flows = [alice.create_flow(project_id)["id"] for _ in range(2)]
    variants = [
        {"key": flow_id, "flow_id": flow_id, "weight": 50, "is_control": flow_id == flows[0]} for flow_id in flows
    ]
    body = {"projectId": project_id, "name": "One", "variants": variants}
    made = [data_of(alice.post("/api/experiments", body), 201)["id"] for _ in range(3)]
    assert_full(alice.post("/api/experiments", body), "A project may have at most 3 experiments")
    for experiment_id in made[:2]:
        data_of(alice.post(f"/api/experiments/{experiment_id}/start"))
    error = "A project may have at most 2 experiments running or paused"
    assert_full(alice.post(f"/api/experiments/{made[2]}/start"), error)
    data_of(alice.post(f"/api/experiments/{made[0]}/complete"))
    data_of(alice.post(f"/api/experiments/{made[2]}/start"))


def test_the_parts_of_another_project_do_not_count(alice: User) -> None:
    for _ in range(2):
        body = {"projectId": alice.create_project()["id"], "name": "One"}
        for _ in range(2):
            data_of(alice.post("/api/flows", body), 201)


def test_a_flow_has_a_bounded_number_of_screens(alice: User) -> None:
    body = {"projectId": alice.create_project()["id"], "name": "One"}
    screens = [{"type": "custom"}] * 2
    full = data_of(alice.post("/api/flows", {**body, "screens": screens}), 201)
    error = "A flow may have at most 2 screens"
    assert_full(alice.post("/api/screens", {"flowId": full["id"], "type": "custom"}), error)
    assert_full(alice.post("/api/flows", {**body, "screens": [*screens, {"type": "custom"}]}), error)
    assert len(data_of(alice.get("/api/flows", params={"projectId": body["projectId"]}))) == 1


def test_a_project_has_a_bounded_number_of_members(management: Management, alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/members"
    management.member("bob", path.split("/")[3], Role.VIEWER)
    carol = data_of(management.user("carol").get("/api/user"))["id"]
    assert_full(alice.post(path, {"user_id": carol, "role": "viewer"}), "A project may have at most 2 members")


def test_a_project_has_a_bounded_number_of_living_secret_keys(alice: User) -> None:
    path = f"/api/projects/{alice.create_project()['id']}/api-keys/rotate"
    data_of(alice.post(path), 201)
    refused = alice.post(path)
    assert (refused.status_code, refused.json["code"]) == (409, "CONFLICT")
    assert "at most 2" in refused.json["error"]
    assert "grace_period_seconds 0" in refused.json["error"]
    assert len(data_of(alice.post(path, {"grace_period_seconds": 0}), 201)["secret_keys"]) == 1


def test_a_user_creates_a_bounded_number_of_projects_however_many_at_once(management: Management, alice: User) -> None:
    alice.api_key()

    def create(_number: int) -> int:
        return alice.post("/api/projects", {"name": "Project"}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(create, range(6))) == [201] * 2 + [409] * 4
    assert_full(alice.post("/api/projects", {"name": "Project"}), "A user may create at most 2 projects")
    bob = management.user("bob")
    for _ in range(2):
        management.member("alice", bob.create_project()["id"], Role.OWNER)
    # An owner of projects of another user may still create.
    own = data_of(alice.get("/api/projects"))[-1]["id"]
    assert alice.delete(f"/api/projects/{own}").status_code == 200
    data_of(alice.post("/api/projects", {"name": "Project"}), 201)


def test_flows_made_at_once_keep_to_the_bound(alice: User) -> None:
    body = {"projectId": alice.create_project()["id"], "name": "One"}

    def create(_number: int) -> int:
        return alice.post("/api/flows", body).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(create, range(6))) == [201] * 2 + [409] * 4
