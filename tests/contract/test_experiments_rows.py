"""The rows of experiments, as the contract tells them (sections 3 and 5)."""

from typing import Any

import pytest

from common.identifiers import IdPrefix, new_id
from tests.management import Management, User, data_of

MEMBERS = {
    "id", "project_id", "name", "hypothesis", "status", "audience", "traffic_percentage", "variants", "primary_event",
    "winner", "started_at", "ended_at", "created_at", "updated_at",
}  # fmt: skip
CONDITIONS = [{"attribute": "platform", "operator": "eq", "value": "ios"}]


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture
def alice(management: Management) -> User:
    """Give a user."""
    return management.user("alice")


@pytest.fixture
def project_id(alice: User) -> str:
    """Give the id of a project of alice's."""
    return str(alice.create_project()["id"])


@pytest.fixture
def flows(alice: User, project_id: str) -> list[str]:
    """Give the ids of two active flows of the project."""
    body = {"projectId": project_id, "name": "One", "status": "active"}
    return [data_of(alice.post("/api/flows", body), 201)["id"] for _ in range(2)]


@pytest.fixture
def body(project_id: str, flows: list[str]) -> dict[str, Any]:
    """Give what an experiment between the two flows is made of."""
    return {"projectId": project_id, "name": "Shorter", "variants": variants(flows)}


def variants(flows: list[str], *weights: int) -> list[dict[str, Any]]:
    """Give variants a (the control), b, ... with the flows; half and half if no weights are given."""
    return [
        {"key": key, "name": key.upper(), "flow_id": flow_id, "weight": weight, "is_control": key == "a"}
        for key, flow_id, weight in zip("abcdefghijk", flows, weights or (50, 50), strict=False)
    ]


def draft(user: User, body: dict[str, Any], **members: object) -> dict[str, Any]:
    made: dict[str, Any] = data_of(user.post("/api/experiments", {**body, **members}), 201)
    return made


def started(user: User, body: dict[str, Any], **members: object) -> dict[str, Any]:
    return act(user, draft(user, body, **members), "start")


def act(user: User, experiment: dict[str, Any], verb: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    changed: dict[str, Any] = data_of(user.post(f"/api/experiments/{experiment['id']}/{verb}", body))
    return changed


def assert_refused(answer: Any, status: int, code: str, field: str | None = None) -> None:  # noqa: ANN401 - a Result
    assert (answer.status_code, answer.json["code"]) == (status, code), answer.text
    if field is not None:
        assert field in [detail["field"] for detail in answer.json["details"]]


def test_a_new_experiment_is_a_draft_with_exactly_the_members_of_the_contract(
    alice: User, project_id: str, body: dict[str, Any]
) -> None:
    experiment = draft(alice, body)
    assert experiment.keys() == MEMBERS
    assert experiment["id"].startswith("exp_")
    shown = {name: experiment[name] for name in MEMBERS - {"id", "created_at", "updated_at"}}
    assert shown == {
        "project_id": project_id,
        "name": "Shorter",
        "hypothesis": None,
        "status": "draft",
        "audience": {"conditions": []},
        "traffic_percentage": 100,
        "variants": body["variants"],
        "primary_event": "flow_completed",
        "winner": None,
        "started_at": None,
        "ended_at": None,
    }
    assert data_of(alice.get(f"/api/experiments/{experiment['id']}")) == experiment
    assert data_of(alice.get("/api/experiments", params={"projectId": project_id})) == [experiment]


def test_an_experiment_keeps_all_that_it_was_made_with(alice: User, body: dict[str, Any]) -> None:
    given = {
        "hypothesis": "Fewer screens",
        "audience": {"conditions": CONDITIONS},
        "traffic_percentage": 12.5,
        "primary_event": "purchase",
    }
    experiment = draft(alice, body, **given)
    assert {name: experiment[name] for name in given} == given


def test_a_variant_without_a_name_is_shown_by_its_key(alice: User, body: dict[str, Any]) -> None:
    nameless = [{name: value for name, value in one.items() if name != "name"} for one in body["variants"]]
    assert [one["name"] for one in draft(alice, body, variants=nameless)["variants"]] == ["a", "b"]


def test_an_experiment_that_was_read_can_be_put_back_in_every_status(alice: User, body: dict[str, Any]) -> None:
    experiment = draft(alice, body)
    for verb in ("start", "pause", "complete"):
        experiment = act(alice, experiment, verb)
        put_back = data_of(alice.put(f"/api/experiments/{experiment['id']}", experiment))
        assert put_back == experiment


@pytest.mark.parametrize(
    "wrong",
    [
        {"variants": []},
        {"variants": "a"},
        {"traffic_percentage": 101},
        {"audience": {"conditions": [{"attribute": "mood", "operator": "eq", "value": "good"}]}},
        {"primary_event": "Flow Completed"},
        {"primary_event": "flow_completed\n"},
        {"name": ""},
        {"winner": "a", "unknown": 1},
    ],
)
def test_what_is_wrong_is_refused(alice: User, body: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert_refused(alice.post("/api/experiments", {**body, **wrong}), 400, "INVALID_PARAMETER")


@pytest.mark.parametrize(
    ("weights", "change"),
    [
        ((50, 49), {}),
        ((-1, 101), {}),
        ((50.5, 49.5), {}),
        ((100,), {}),
        ((10,) * 11, {}),
        ((50, 50), {"is_control": True}),
        ((50, 50), {"key": "a"}),
    ],
)
def test_variants_that_do_not_fit_together_are_refused(
    alice: User, body: dict[str, Any], flows: list[str], weights: tuple[int, ...], change: dict[str, Any]
) -> None:
    wrong = variants(flows * 6, *weights)
    wrong[-1] |= change
    answer = alice.post("/api/experiments", {**body, "variants": wrong})
    assert_refused(answer, 400, "INVALID_PARAMETER")
    assert answer.json["details"][0]["field"].startswith("variants")


def test_an_experiment_without_a_control_is_refused(alice: User, body: dict[str, Any]) -> None:
    wrong = [{**one, "is_control": False} for one in body["variants"]]
    assert_refused(alice.post("/api/experiments", {**body, "variants": wrong}), 400, "INVALID_PARAMETER", "variants")


@pytest.mark.parametrize("member", ["projectId", "name", "variants"])
def test_a_missing_member_is_said(alice: User, body: dict[str, Any], member: str) -> None:
    without = {name: value for name, value in body.items() if name != member}
    assert_refused(alice.post("/api/experiments", without), 400, "MISSING_PARAMETER")


def test_a_variant_s_flow_is_one_of_the_project_and_not_archived(
    alice: User, body: dict[str, Any], flows: list[str]
) -> None:
    elsewhere = {"projectId": alice.create_project()["id"], "name": "Foreign"}
    foreign = data_of(alice.post("/api/flows", elsewhere), 201)["id"]
    for flow_id in (foreign, new_id(IdPrefix.FLOW), "junk"):
        wrong = variants([flows[0], flow_id])
        assert_refused(alice.post("/api/experiments", {**body, "variants": wrong}), 404, "INVALID_FLOW")
    alice.put(f"/api/flows/{flows[1]}", {"status": "archived"})
    assert_refused(alice.post("/api/experiments", body), 400, "INVALID_PARAMETER", "variants.1.flow_id")


def test_the_life_of_an_experiment(alice: User, body: dict[str, Any]) -> None:
    experiment = started(alice, body)
    assert (experiment["status"], experiment["ended_at"]) == ("running", None)
    first_start = experiment["started_at"]
    assert first_start is not None
    assert act(alice, experiment, "pause")["status"] == "paused"
    again = act(alice, experiment, "start")
    assert (again["status"], again["started_at"]) == ("running", first_start)
    completed = act(alice, experiment, "complete")
    assert (completed["status"], completed["winner"]) == ("completed", None)
    assert completed["ended_at"] >= first_start


@pytest.mark.parametrize(
    ("way_there", "refused"),
    [
        ([], ["pause", "complete"]),
        (["start"], ["start"]),
        (["start", "pause"], ["pause"]),
        (["start", "complete"], ["start", "pause", "complete"]),
        (["start", "pause", "complete"], ["start"]),
    ],
)
def test_a_step_that_the_status_forbids_is_a_conflict(
    alice: User, body: dict[str, Any], way_there: list[str], refused: list[str]
) -> None:
    experiment = draft(alice, body)
    for verb in way_there:
        act(alice, experiment, verb)
    for verb in refused:
        assert_refused(alice.post(f"/api/experiments/{experiment['id']}/{verb}"), 409, "CONFLICT")


def test_an_experiment_whose_flow_is_gone_cannot_be_started(
    alice: User, body: dict[str, Any], flows: list[str]
) -> None:
    experiment = draft(alice, body)
    assert alice.delete(f"/api/flows/{flows[1]}").status_code == 200
    assert_refused(alice.post(f"/api/experiments/{experiment['id']}/start"), 409, "CONFLICT")


def test_weights_traffic_and_audience_may_change_while_it_runs(
    alice: User, body: dict[str, Any], flows: list[str]
) -> None:
    experiment = started(alice, body)
    changes: dict[str, Any] = {
        "name": "Renamed",
        "variants": variants(flows, 10, 90),
        "traffic_percentage": 20,
        "audience": {"conditions": CONDITIONS},
    }
    changed = data_of(alice.put(f"/api/experiments/{experiment['id']}", changes))
    assert {name: changed[name] for name in changes} == changes
    assert changed["status"] == "running"


@pytest.mark.parametrize("verb", [None, "pause"])
def test_what_devices_and_results_rest_on_may_not_change_once_started(
    alice: User, body: dict[str, Any], flows: list[str], verb: str | None
) -> None:
    experiment = started(alice, body)
    if verb:
        act(alice, experiment, verb)
    swapped = variants(list(reversed(flows)))
    other_control = [{**one, "is_control": one["key"] == "b"} for one in body["variants"]]
    for change in (
        {"variants": swapped},
        {"variants": other_control},
        {"variants": variants([*flows, flows[0]], 40, 40, 20)},
        {"primary_event": "purchase"},
    ):
        assert_refused(alice.put(f"/api/experiments/{experiment['id']}", change), 409, "CONFLICT")


def test_a_completed_experiment_can_only_be_described_anew(alice: User, body: dict[str, Any], flows: list[str]) -> None:
    experiment = started(alice, body)
    act(alice, experiment, "complete")
    path = f"/api/experiments/{experiment['id']}"
    described = data_of(alice.put(path, {"name": "Done", "hypothesis": "It was so"}))
    assert (described["name"], described["hypothesis"]) == ("Done", "It was so")
    for change in (
        {"traffic_percentage": 1},
        {"variants": variants(flows, 10, 90)},
        {"audience": {"conditions": CONDITIONS}},
        {"reset_assignments": True},
    ):
        assert_refused(alice.put(path, change), 409, "CONFLICT")


def test_a_winner_s_flow_becomes_the_default_and_active(
    alice: User, project_id: str, body: dict[str, Any], flows: list[str]
) -> None:
    alice.put(f"/api/flows/{flows[1]}", {"status": "draft"})
    completed = act(alice, started(alice, body), "complete", {"winner": "b"})
    assert (completed["status"], completed["winner"]) == ("completed", "b")
    flow = data_of(alice.get(f"/api/flows/{flows[1]}"))
    assert (flow["is_default"], flow["status"]) == (True, "active")
    settings = data_of(alice.get(f"/api/projects/{project_id}"))["settings"]
    assert settings["default_flow_id"] == flows[1]


def test_a_winner_is_the_key_of_a_variant_whose_flow_is_not_archived(
    alice: User, body: dict[str, Any], flows: list[str]
) -> None:
    experiment = started(alice, body)
    path = f"/api/experiments/{experiment['id']}/complete"
    assert_refused(alice.post(path, {"winner": "c"}), 400, "INVALID_PARAMETER", "winner")
    alice.put(f"/api/flows/{flows[1]}", {"status": "archived"})
    assert_refused(alice.post(path, {"winner": "b"}), 409, "CONFLICT")
    assert data_of(alice.get(f"/api/experiments/{experiment['id']}"))["status"] == "running"


@pytest.mark.parametrize("verb", ["start", "pause"])
def test_what_is_under_way_and_what_it_uses_cannot_be_deleted(
    alice: User, body: dict[str, Any], flows: list[str], verb: str
) -> None:
    experiment = started(alice, body)
    if verb == "pause":
        act(alice, experiment, verb)
    path = f"/api/experiments/{experiment['id']}"
    assert_refused(alice.delete(path), 409, "CONFLICT")
    assert_refused(alice.delete(f"/api/flows/{flows[0]}"), 409, "CONFLICT")
    act(alice, experiment, "complete")
    assert alice.delete(f"/api/flows/{flows[0]}").status_code == 200
    assert data_of(alice.get(path))["variants"][0]["flow_id"] == flows[0]
    assert alice.delete(path).status_code == 200
    assert_refused(alice.get(path), 404, "NOT_FOUND")


def test_experiments_are_filtered_by_status(alice: User, project_id: str, body: dict[str, Any]) -> None:
    running = started(alice, body)
    draft(alice, body)
    params = {"projectId": project_id, "status": "running"}
    answer = alice.get("/api/experiments", params=params)
    assert [experiment["id"] for experiment in data_of(answer)] == [running["id"]]
    assert answer.json["pagination"]["total"] == 1
    assert_refused(alice.get("/api/experiments", params={**params, "status": "over"}), 400, "INVALID_PARAMETER")


def test_a_change_made_on_an_old_state_is_refused(alice: User, body: dict[str, Any]) -> None:
    experiment = draft(alice, body)
    path = f"/api/experiments/{experiment['id']}"
    tag = alice.get(path).headers["etag"]
    act(alice, experiment, "start")
    stale = alice.request("PUT", path, json={"name": "Late"}, headers={"If-Match": tag})
    assert_refused(stale, 412, "PRECONDITION_FAILED")


def test_a_reset_is_written_to_the_audit_log(alice: User, project_id: str, body: dict[str, Any]) -> None:
    experiment = started(alice, body)
    data_of(alice.put(f"/api/experiments/{experiment['id']}", {"reset_assignments": True}))
    [newest, *_] = data_of(alice.get(f"/api/projects/{project_id}/audit-log"))
    assert (newest["action"], newest["before"], newest["after"]) == (
        "experiment.update",
        {"salt_version": 1},
        {"salt_version": 2},
    )
