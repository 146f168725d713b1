"""Results of an experiment over the API (contract, sections 3 and 5)."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from management_api.rollups.experiment_users import store_counts
from tests.contract.experiments import experiment_steps as steps
from tests.support.clients.management import Management, User, data_of

MEMBERS = {
    "experiment_id", "status", "primary_event", "users", "excluded_multiple_variants", "srm", "variants",
}  # fmt: skip
MEMBERS_OF_VARIANT = {
    "key", "is_control", "users", "conversions", "rate", "rate_interval", "lift", "lift_interval", "p_value",
    "sequential_p_value", "probability_to_beat_control",
}  # fmt: skip
COMPARISONS = ("lift", "lift_interval", "p_value", "sequential_p_value", "probability_to_beat_control")


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


def test_list_includes_users_on_request(management: Management, alice: User, running: dict[str, Any]) -> None:
    steps.expose(management, running, "a", steps.devices("a", 3))
    steps.expose(management, running, "b", ["a0", "b0"])
    other = data_of(alice.post("/api/experiments", {**running, "projectId": running["project_id"]}), 201)
    params = {"projectId": running["project_id"], "sort": "created_at"}
    listed = data_of(alice.get("/api/experiments", params={**params, "include": "users"}))
    assert [(one["id"], one["users"]) for one in listed] == [(running["id"], 4), (other["id"], 0)]
    assert all("users" not in one for one in data_of(alice.get("/api/experiments", params=params)))
    # The number of a completed experiment is stored, and needs no exposures.
    data_of(alice.post(f"/api/experiments/{running['id']}/complete"))
    store_counts(management.database, running["id"])
    with management.database.transaction() as session:
        session.execute(text("DELETE FROM exposures"))
    listed = data_of(alice.get("/api/experiments", params={**params, "include": "users"}))
    assert [one["users"] for one in listed] == [4, 0]


def test_results_have_exactly_the_members_of_the_contract(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    steps.expose(management, running, "a", steps.devices("a", 60))
    steps.expose(management, running, "b", steps.devices("b", 50))
    steps.convert(management, running, [*steps.devices("a", 12), *steps.devices("b", 15)])
    results = steps.results(alice, running)
    assert results.keys() == MEMBERS
    assert all(variant.keys() == MEMBERS_OF_VARIANT for variant in results["variants"])
    assert {name: results[name] for name in ("experiment_id", "status", "primary_event", "users")} == {
        "experiment_id": running["id"],
        "status": "running",
        "primary_event": "flow_completed",
        "users": 110,
    }
    assert results["srm"].keys() == {"p_value", "mismatch"}
    a, b = results["variants"]
    assert (a["key"], a["is_control"], a["users"], a["conversions"], a["rate"]) == ("a", True, 60, 12, 0.2)
    assert (b["key"], b["is_control"], b["users"], b["conversions"], b["rate"]) == ("b", False, 50, 15, 0.3)
    # The control is compared with nothing.
    assert [a[name] for name in COMPARISONS] == [None] * len(COMPARISONS)
    # As statsmodels has them.
    assert a["rate_interval"] == pytest.approx([0.118285, 0.317818], abs=1e-5)
    assert b["lift"] == pytest.approx(0.5)
    assert b["p_value"] == pytest.approx(0.224943, abs=1e-5)
    assert b["lift_interval"][0] < 0 < b["lift"] < b["lift_interval"][1]
    assert 0 < b["p_value"] < b["sequential_p_value"] <= 1
    assert 0.85 < b["probability_to_beat_control"] < 0.95


def test_figures_over_no_users_are_null(alice: User, draft: dict[str, Any]) -> None:
    for verb in (None, "start"):
        results = steps.results(alice, draft if verb is None else steps.act(alice, draft, verb))
        assert (results["users"], results["excluded_multiple_variants"]) == (0, 0)
        assert results["srm"] == {"p_value": None, "mismatch": False}
        for variant in results["variants"]:
            assert (variant["users"], variant["conversions"]) == (0, 0)
            assert [variant[name] for name in ("rate", "rate_interval", *COMPARISONS)] == [None] * 7


def test_a_device_counts_once_and_in_neither_of_two_variants(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    for _ in range(2):
        steps.expose(management, running, "a", ["one", "both"])
        steps.expose(management, running, "b", ["both", "two"])
        steps.convert(management, running, ["both", "two", "two"])
    # Exposures of another experiment, and of none.
    for other in ("exp_01m7yrarxfe7xs5q8qf0xgw0jv", ""):
        steps.expose(management, {**running, "id": other}, "a", ["outsider"])
    results = steps.results(alice, running)
    assert (results["users"], results["excluded_multiple_variants"]) == (2, 1)
    assert {key: (one["users"], one["conversions"]) for key, one in steps.by_key(results).items()} == {
        "a": (1, 0),
        "b": (1, 1),
    }


def test_only_the_primary_event_after_the_exposure_converts(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    exposed_at = steps.now() + timedelta(minutes=1)
    steps.expose(management, running, "b", ["before", "at", "after", "again", "other", "none"], exposed_at)
    steps.convert(management, running, ["before", "again"], exposed_at - steps.SECOND)
    steps.convert(management, running, ["at"], exposed_at)
    steps.convert(management, running, ["after", "again", "outsider"], exposed_at + steps.SECOND)
    steps.convert(management, running, ["other"], exposed_at + steps.SECOND, event_type="flow_skipped")
    converted = steps.by_key(steps.results(alice, running))["b"]
    assert (converted["users"], converted["conversions"]) == (6, 3)


def test_results_count_the_chosen_primary_event(management: Management, alice: User) -> None:
    experiment = steps.act(alice, steps.with_flows(alice, {"a": 50, "b": 50}, primary_event="purchase"), "start")
    steps.expose(management, experiment, "a", ["one", "two"])
    steps.convert(management, experiment, ["one"], event_type="purchase")
    steps.convert(management, experiment, ["two"])
    results = steps.results(alice, experiment)
    assert results["primary_event"] == "purchase"
    assert steps.by_key(results)["a"]["conversions"] == 1


def test_events_after_the_end_are_not_counted(management: Management, alice: User, running: dict[str, Any]) -> None:
    steps.expose(management, running, "a", ["in time", "late"])
    steps.convert(management, running, ["in time"], steps.now())
    completed = steps.act(alice, running, "complete")
    steps.convert(management, running, ["late"], steps.now() + steps.SECOND)
    results = steps.results(alice, completed)
    assert (results["status"], steps.by_key(results)["a"]["conversions"]) == ("completed", 1)


def test_sample_ratio_mismatch_is_reported_from_a_hundred_users_on(management: Management, alice: User) -> None:
    experiment = steps.act(alice, steps.with_flows(alice, {"a": 50, "b": 30, "c": 20}), "start")
    steps.expose(management, experiment, "a", steps.devices("a", 99))
    assert steps.results(alice, experiment)["srm"] == {"p_value": None, "mismatch": False}
    steps.expose(management, experiment, "a", ["a99"])
    assert steps.results(alice, experiment)["srm"]["mismatch"] is True
    for key, users in {"a": 300, "b": 100, "c": 100}.items():
        steps.expose(management, experiment, key, steps.devices(key, users))
    srm = steps.results(alice, experiment)["srm"]
    # Expected are 250, 150 and 100: chi-square 26.67 with 2 degrees of freedom.
    assert srm["p_value"] == pytest.approx(1.6196e-06, rel=1e-3)
    assert srm["mismatch"] is True


def test_changed_weights_judge_the_shares_of_later_users_only(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    for key in "ab":
        steps.expose(management, running, key, steps.devices(key, 200))
    steps.change(alice, running, variants=steps.weights(running, 10, 90))
    assert steps.results(alice, running)["srm"] == {"p_value": None, "mismatch": False}
    later = steps.now() + timedelta(minutes=2)
    steps.expose(management, running, "a", steps.devices("new a", 10), later)
    steps.expose(management, running, "b", steps.devices("new b", 90), later)
    results = steps.results(alice, running)
    assert results["users"] == 500
    assert results["srm"] == {"p_value": 1.0, "mismatch": False}


def test_neither_names_nor_traffic_change_the_shares(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    for key in "ab":
        steps.expose(management, running, key, steps.devices(key, 100))
    steps.change(alice, running, traffic_percentage=20, name="Other")
    steps.change(alice, running, variants=[{**one, "name": "Other"} for one in running["variants"]])
    assert steps.results(alice, running)["srm"]["p_value"] == 1.0
    steps.change(alice, running, reset_assignments=True)
    assert steps.results(alice, running)["srm"]["p_value"] is None


def test_more_variants_make_the_sequential_test_stricter_and_nothing_else(management: Management, alice: User) -> None:
    found = []
    for weights in ({"a": 50, "b": 50}, {"a": 40, "b": 30, "c": 30}):
        experiment = steps.act(alice, steps.with_flows(alice, weights), "start")
        for key in weights:
            steps.expose(management, experiment, key, steps.devices(key, 200))
        steps.convert(management, experiment, [*steps.devices("a", 40), *steps.devices("b", 120)])
        found.append(steps.by_key(steps.results(alice, experiment))["b"])
    two, three = found
    assert three["sequential_p_value"] == pytest.approx(2 * two["sequential_p_value"])
    assert three["p_value"] == two["p_value"]
