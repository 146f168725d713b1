"""The life of an experiment over the API (contract, sections 3 and 5): steps, changes, winner, end."""

from typing import Any

import pytest
from sqlalchemy import update

from management_api.db.models.flows import Flow
from tests.contract.experiments.experiment_steps import CONDITIONS, act, assert_refused, draft, started, variants
from tests.support.clients.management import Management, User, data_of


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


def test_active_experiment_may_change_weights_traffic_and_audience(
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
def test_started_experiment_keeps_the_fields_that_results_depend_on(
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


def test_completed_experiment_accepts_changes_of_its_description_only(
    alice: User, body: dict[str, Any], flows: list[str]
) -> None:
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


def test_winner_is_served_although_former_default_is_still_active(
    alice: User, project_id: str, body: dict[str, Any], flows: list[str]
) -> None:
    alice.put(f"/api/flows/{flows[0]}", {"is_default": True, "status": "active", "priority": 9})
    act(alice, started(alice, body), "complete", {"winner": "b"})
    explanation = data_of(alice.post(f"/api/projects/{project_id}/explain", {"deviceId": "d"}))
    assert (explanation["flow_id"], explanation["source"]) == (flows[1], "default")


def test_a_winner_is_the_key_of_a_variant_whose_flow_is_not_archived(
    management: Management, alice: User, body: dict[str, Any], flows: list[str]
) -> None:
    experiment = started(alice, body)
    path = f"/api/experiments/{experiment['id']}/complete"
    assert_refused(alice.post(path, {"winner": "c"}), 400, "INVALID_PARAMETER", "winner")
    with management.database.transaction() as session:
        # As it was possible before archiving was refused.
        session.execute(update(Flow).where(Flow.id == flows[1]).values(status="archived"))
    assert_refused(alice.post(path, {"winner": "b"}), 409, "CONFLICT")
    assert data_of(alice.get(f"/api/experiments/{experiment['id']}"))["status"] == "running"


@pytest.mark.parametrize("verb", ["start", "pause"])
def test_a_flow_of_a_running_or_paused_experiment_cannot_be_archived(
    alice: User, body: dict[str, Any], flows: list[str], verb: str
) -> None:
    experiment = started(alice, body)
    if verb == "pause":
        act(alice, experiment, verb)
    path = f"/api/flows/{flows[0]}"
    assert_refused(alice.put(path, {"status": "archived"}), 409, "CONFLICT")
    assert data_of(alice.get(path))["status"] == "active"
    assert data_of(alice.put(path, {"status": "draft"}))["status"] == "draft"
    act(alice, experiment, "complete")
    assert data_of(alice.put(path, {"status": "archived"}))["status"] == "archived"


@pytest.mark.parametrize("verb", ["start", "pause"])
def test_active_experiment_and_its_flows_cannot_be_deleted(
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


def test_a_reset_is_written_to_the_audit_log(alice: User, project_id: str, body: dict[str, Any]) -> None:
    experiment = started(alice, body)
    data_of(alice.put(f"/api/experiments/{experiment['id']}", {"reset_assignments": True}))
    [newest, *_] = data_of(alice.get(f"/api/projects/{project_id}/audit-log"))
    assert (newest["action"], newest["before"], newest["after"]) == (
        "experiment.update",
        {"salt_version": 1},
        {"salt_version": 2},
    )
