"""Experiments over the API (contract, sections 3 and 5): members, and rejected bodies."""

from typing import Any

import pytest

from common.ids import IdPrefix, new_id
from tests.contract.experiments.experiment_steps import CONDITIONS, act, assert_refused, draft, started, variants
from tests.support.clients.management import User, data_of

MEMBERS = {
    "id", "project_id", "name", "hypothesis", "status", "audience", "traffic_percentage", "variants", "primary_event",
    "winner", "started_at", "ended_at", "created_at", "updated_at",
}  # fmt: skip


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


def test_created_experiment_returns_all_its_members(alice: User, body: dict[str, Any]) -> None:
    given = {
        "hypothesis": "Fewer screens",
        "audience": {"conditions": CONDITIONS},
        "traffic_percentage": 12.5,
        "primary_event": "purchase",
    }
    experiment = draft(alice, body, **given)
    assert {name: experiment[name] for name in given} == given


def test_a_variant_takes_both_spellings_of_its_flow(alice: User, body: dict[str, Any], flows: list[str]) -> None:
    both = [{**one, "flowId": one["flow_id"]} for one in body["variants"]]
    assert [one["flow_id"] for one in draft(alice, body, variants=both)["variants"]] == flows
    other = [{name: value for name, value in one.items() if name != "flow_id"} for one in both]
    assert [one["flow_id"] for one in draft(alice, body, variants=other)["variants"]] == flows
    differing = [{**one, "flowId": "flow_other"} for one in body["variants"]]
    refused = alice.post("/api/experiments", {**body, "variants": differing})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "variants.0.flowId")


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
def test_invalid_experiment_is_rejected(alice: User, body: dict[str, Any], wrong: dict[str, Any]) -> None:
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
    response = alice.post("/api/experiments", {**body, "variants": wrong})
    assert_refused(response, 400, "INVALID_PARAMETER")
    assert response.json["details"][0]["field"].startswith("variants")


def test_an_experiment_without_a_control_is_refused(alice: User, body: dict[str, Any]) -> None:
    wrong = [{**one, "is_control": False} for one in body["variants"]]
    assert_refused(alice.post("/api/experiments", {**body, "variants": wrong}), 400, "INVALID_PARAMETER", "variants")


@pytest.mark.parametrize("member", ["projectId", "name", "variants"])
def test_missing_member_is_named(alice: User, body: dict[str, Any], member: str) -> None:
    without = {name: value for name, value in body.items() if name != member}
    assert_refused(alice.post("/api/experiments", without), 400, "MISSING_PARAMETER")


def test_flow_of_a_variant_belongs_to_the_project_and_is_not_archived(
    alice: User, body: dict[str, Any], flows: list[str]
) -> None:
    foreign = alice.create_flow(alice.create_project()["id"])["id"]
    for flow_id in (foreign, new_id(IdPrefix.FLOW), "junk"):
        wrong = variants([flows[0], flow_id])
        assert_refused(alice.post("/api/experiments", {**body, "variants": wrong}), 404, "INVALID_FLOW")
    alice.put(f"/api/flows/{flows[1]}", {"status": "archived"})
    assert_refused(alice.post("/api/experiments", body), 400, "INVALID_PARAMETER", "variants.1.flow_id")


def test_experiments_are_filtered_by_status(alice: User, project_id: str, body: dict[str, Any]) -> None:
    running = started(alice, body)
    draft(alice, body)
    params = {"projectId": project_id, "status": "running"}
    response = alice.get("/api/experiments", params=params)
    assert [experiment["id"] for experiment in data_of(response)] == [running["id"]]
    assert response.json["pagination"]["total"] == 1
    assert_refused(alice.get("/api/experiments", params={**params, "status": "over"}), 400, "INVALID_PARAMETER")


def test_experiments_are_searched_by_a_part_of_their_name(alice: User, project_id: str, body: dict[str, Any]) -> None:
    shorter = draft(alice, body, name="Shorter tour")
    draft(alice, body, name="Paywall 100%")
    for search, found in (("TOUR", [shorter["id"]]), ("100_", [])):
        listed = alice.get("/api/experiments", params={"projectId": project_id, "search": search})
        assert [experiment["id"] for experiment in data_of(listed)] == found


def test_a_change_made_on_an_old_state_is_refused(alice: User, body: dict[str, Any]) -> None:
    experiment = draft(alice, body)
    path = f"/api/experiments/{experiment['id']}"
    tag = alice.get(path).headers["etag"]
    act(alice, experiment, "start")
    stale = alice.request("PUT", path, json={"name": "Late"}, headers={"If-Match": tag})
    assert_refused(stale, 412, "PRECONDITION_FAILED")
    for action in ("pause", "complete"):
        stale = alice.post(f"{path}/{action}", {}, headers={"If-Match": tag})
        assert_refused(stale, 412, "PRECONDITION_FAILED")
    tag = alice.get(path).headers["etag"]
    tag = alice.post(f"{path}/pause", headers={"If-Match": tag}).headers["etag"]
    assert data_of(alice.post(f"{path}/start", headers={"If-Match": tag}))["status"] == "running"


@pytest.mark.parametrize("value", [1e16, -0.0, 1.50, 10**15])
def test_etag_of_a_write_is_the_etag_of_the_next_read(alice: User, body: dict[str, Any], value: float) -> None:
    audience = {"conditions": [{"attribute": "attributes.score", "operator": "eq", "value": value}]}
    created = alice.post("/api/experiments", {**body, "audience": audience})
    path = f"/api/experiments/{data_of(created, 201)['id']}"
    assert alice.get(path).headers["etag"] == created.headers["etag"]
    audience["conditions"].append({"attribute": "attributes.level", "operator": "gt", "value": value})
    updated = alice.put(path, {"audience": audience})
    assert updated.status_code == 200
    assert alice.get(path).headers["etag"] == updated.headers["etag"]


def test_list_leaves_out_a_large_audience_and_says_so(alice: User, project_id: str, body: dict[str, Any]) -> None:
    values = [f"{number:040}" for number in range(500)]
    conditions = [{"attribute": f"attributes.a{number}", "operator": "in", "value": values} for number in range(4)]
    experiment = draft(alice, body, audience={"conditions": conditions})
    [listed] = data_of(alice.get("/api/experiments", params={"projectId": project_id}))
    assert listed["audience"] == {"conditions": [], "conditions_omitted": True}
    assert data_of(alice.get(f"/api/experiments/{experiment['id']}"))["audience"] == {"conditions": conditions}
