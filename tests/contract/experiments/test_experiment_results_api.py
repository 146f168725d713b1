"""Results of an experiment over the API (contract, sections 3 and 5)."""

import random
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from common.wire.stream_records import ExposureRecord
from management_api.db.models.experiments import Experiment, ExperimentCount
from management_api.rollups.experiment_users import store_counts, uncounted_experiments
from tests.contract.experiments import experiment_steps as steps
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, add_exposures, add_records, an_event

MEMBERS = {
    "experiment_id", "status", "primary_event", "users", "excluded_multiple_variants", "srm", "variants",
}  # fmt: skip
MEMBERS_OF_VARIANT = {
    "key", "is_control", "users", "conversions", "rate", "rate_interval", "lift", "lift_interval", "p_value",
    "sequential_p_value", "probability_to_beat_control",
}  # fmt: skip
COMPARISONS = ("lift", "lift_interval", "p_value", "sequential_p_value", "probability_to_beat_control")
SECOND = timedelta(seconds=1)


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@pytest.fixture
def draft(alice: User) -> dict[str, Any]:
    """Return a draft of variants a (the control) and b, half and half."""
    return _draft(alice, {"a": 50, "b": 50})


@pytest.fixture
def running(alice: User, draft: dict[str, Any]) -> dict[str, Any]:
    return steps.act(alice, draft, "start")


def _draft(user: User, weights: dict[str, int], **members: object) -> dict[str, Any]:
    project_id = user.create_project()["id"]
    flows = [user.create_flow(project_id, status="active")["id"] for _ in weights]
    body = {"projectId": project_id, "name": "Shorter", "variants": steps.variants(flows, *weights.values())}
    return steps.draft(user, body, **members)


def _change(user: User, experiment: dict[str, Any], **members: object) -> None:
    data_of(user.put(f"/api/experiments/{experiment['id']}", members))


def _weights(experiment: dict[str, Any], *weights: int) -> list[dict[str, Any]]:
    return [{**one, "weight": weight} for one, weight in zip(experiment["variants"], weights, strict=True)]


def _results(user: User, experiment: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(user.get(f"/api/experiments/{experiment['id']}/results"))
    return shown


def _by_key(results: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {variant["key"]: variant for variant in results["variants"]}


def _now() -> datetime:
    return datetime.now(UTC)


def _devices(prefix: str, number: int) -> list[str]:
    return [f"{prefix}{each}" for each in range(number)]


def _expose(
    management: Management,
    experiment: dict[str, Any],
    key: str,
    devices: Iterable[str],
    at: datetime | None = None,
) -> None:
    flow_id = next(variant["flow_id"] for variant in experiment["variants"] if variant["key"] == key)
    with management.database.transaction() as session:
        add_exposures(session, experiment["project_id"], devices, flow_id, at or _now(), experiment["id"], key)


def _convert(
    management: Management,
    experiment: dict[str, Any],
    devices: Iterable[str],
    at: datetime | None = None,
    event_type: str = "flow_completed",
) -> None:
    with management.database.transaction() as session:
        events = [an_event(at or _now() + SECOND, device_id=device, event_type=event_type) for device in devices]
        add_events(session, experiment["project_id"], events)


def test_list_includes_users_on_request(management: Management, alice: User, running: dict[str, Any]) -> None:
    _expose(management, running, "a", _devices("a", 3))
    _expose(management, running, "b", ["a0", "b0"])
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
    _expose(management, running, "a", _devices("a", 60))
    _expose(management, running, "b", _devices("b", 50))
    _convert(management, running, [*_devices("a", 12), *_devices("b", 15)])
    results = _results(alice, running)
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
        results = _results(alice, draft if verb is None else steps.act(alice, draft, verb))
        assert (results["users"], results["excluded_multiple_variants"]) == (0, 0)
        assert results["srm"] == {"p_value": None, "mismatch": False}
        for variant in results["variants"]:
            assert (variant["users"], variant["conversions"]) == (0, 0)
            assert [variant[name] for name in ("rate", "rate_interval", *COMPARISONS)] == [None] * 7


def test_a_device_counts_once_and_in_neither_of_two_variants(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    for _ in range(2):
        _expose(management, running, "a", ["one", "both"])
        _expose(management, running, "b", ["both", "two"])
        _convert(management, running, ["both", "two", "two"])
    # Exposures of another experiment, and of none.
    for other in ("exp_01m7yrarxfe7xs5q8qf0xgw0jv", ""):
        _expose(management, {**running, "id": other}, "a", ["outsider"])
    results = _results(alice, running)
    assert (results["users"], results["excluded_multiple_variants"]) == (2, 1)
    assert {key: (one["users"], one["conversions"]) for key, one in _by_key(results).items()} == {
        "a": (1, 0),
        "b": (1, 1),
    }


def test_only_the_primary_event_after_the_exposure_converts(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    exposed_at = _now() + timedelta(minutes=1)
    _expose(management, running, "b", ["before", "at", "after", "again", "other", "none"], exposed_at)
    _convert(management, running, ["before", "again"], exposed_at - SECOND)
    _convert(management, running, ["at"], exposed_at)
    _convert(management, running, ["after", "again", "outsider"], exposed_at + SECOND)
    _convert(management, running, ["other"], exposed_at + SECOND, event_type="flow_skipped")
    converted = _by_key(_results(alice, running))["b"]
    assert (converted["users"], converted["conversions"]) == (6, 3)


def test_results_count_the_chosen_primary_event(management: Management, alice: User) -> None:
    experiment = steps.act(alice, _draft(alice, {"a": 50, "b": 50}, primary_event="purchase"), "start")
    _expose(management, experiment, "a", ["one", "two"])
    _convert(management, experiment, ["one"], event_type="purchase")
    _convert(management, experiment, ["two"])
    results = _results(alice, experiment)
    assert results["primary_event"] == "purchase"
    assert _by_key(results)["a"]["conversions"] == 1


def test_events_after_the_end_are_not_counted(management: Management, alice: User, running: dict[str, Any]) -> None:
    _expose(management, running, "a", ["in time", "late"])
    _convert(management, running, ["in time"], _now())
    completed = steps.act(alice, running, "complete")
    _convert(management, running, ["late"], _now() + SECOND)
    results = _results(alice, completed)
    assert (results["status"], _by_key(results)["a"]["conversions"]) == ("completed", 1)


def test_sample_ratio_mismatch_is_reported_from_a_hundred_users_on(management: Management, alice: User) -> None:
    experiment = steps.act(alice, _draft(alice, {"a": 50, "b": 30, "c": 20}), "start")
    _expose(management, experiment, "a", _devices("a", 99))
    assert _results(alice, experiment)["srm"] == {"p_value": None, "mismatch": False}
    _expose(management, experiment, "a", ["a99"])
    assert _results(alice, experiment)["srm"]["mismatch"] is True
    for key, users in {"a": 300, "b": 100, "c": 100}.items():
        _expose(management, experiment, key, _devices(key, users))
    srm = _results(alice, experiment)["srm"]
    # Expected are 250, 150 and 100: chi-square 26.67 with 2 degrees of freedom.
    assert srm["p_value"] == pytest.approx(1.6196e-06, rel=1e-3)
    assert srm["mismatch"] is True


def test_changed_weights_judge_the_shares_of_later_users_only(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    for key in "ab":
        _expose(management, running, key, _devices(key, 200))
    _change(alice, running, variants=_weights(running, 10, 90))
    assert _results(alice, running)["srm"] == {"p_value": None, "mismatch": False}
    later = _now() + timedelta(minutes=2)
    _expose(management, running, "a", _devices("new a", 10), later)
    _expose(management, running, "b", _devices("new b", 90), later)
    results = _results(alice, running)
    assert results["users"] == 500
    assert results["srm"] == {"p_value": 1.0, "mismatch": False}


def test_neither_names_nor_traffic_change_the_shares(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    for key in "ab":
        _expose(management, running, key, _devices(key, 100))
    _change(alice, running, traffic_percentage=20, name="Other")
    _change(alice, running, variants=[{**one, "name": "Other"} for one in running["variants"]])
    assert _results(alice, running)["srm"]["p_value"] == 1.0
    _change(alice, running, reset_assignments=True)
    assert _results(alice, running)["srm"]["p_value"] is None


def test_more_variants_make_the_sequential_test_stricter_and_nothing_else(management: Management, alice: User) -> None:
    found = []
    for weights in ({"a": 50, "b": 50}, {"a": 40, "b": 30, "c": 30}):
        experiment = steps.act(alice, _draft(alice, weights), "start")
        for key in weights:
            _expose(management, experiment, key, _devices(key, 200))
        _convert(management, experiment, [*_devices("a", 40), *_devices("b", 120)])
        found.append(_by_key(_results(alice, experiment))["b"])
    two, three = found
    assert three["sequential_p_value"] == pytest.approx(2 * two["sequential_p_value"])
    assert three["p_value"] == two["p_value"]


def _stored_over_days(management: Management, experiment: dict[str, Any], *, is_completed: bool) -> None:
    """Expose and convert devices at random moments of six days."""
    choose = random.Random(7)
    start = datetime.combine(_now().date() - timedelta(days=6), time(10), UTC)
    ended = {"status": "completed", "ended_at": start + timedelta(days=3, minutes=7)} if is_completed else {}
    exposed = [(f"d{number}", key) for number in range(150) for key in choose.choice(["a", "b", "a", "b", "ab"])]
    flows = {variant["key"]: variant["flow_id"] for variant in experiment["variants"]}
    start_ms = int(start.timestamp() * 1000)
    exposures = [
        ExposureRecord(
            experiment["project_id"],
            device,
            flows[key],
            start_ms + choose.randrange(5 * 24 * 60) * 60_000,
            experiment_id=experiment["id"],
            variant=key,
        )
        for device, key in exposed
    ]
    with management.database.transaction() as session:
        add_records(session, exposures)
        session.execute(update(Experiment).where(Experiment.id == experiment["id"]).values(started_at=start, **ended))
        moments = [start + timedelta(minutes=choose.randrange(-24 * 60, 6 * 24 * 60)) for _ in range(220)]
        types = ["flow_completed", "flow_completed", "flow_started"]
        add_events(
            session,
            experiment["project_id"],
            [
                an_event(moment, device_id=f"d{choose.randrange(200)}", event_type=choose.choice(types))
                for moment in moments
            ],
        )


#: The first row has the users of several variants.
_NAIVE_COUNT = text("""
    SELECT key, count(*) AS users, count(*) FILTER (WHERE EXISTS (
        SELECT FROM events WHERE events.project_id = experiments.project_id
            AND events.device_id = users.device_id AND event_type = primary_event
            AND occurred_at >= exposed_at AND occurred_at >= started_at - interval '5 minutes'
            AND occurred_at <= coalesce(ended_at, 'infinity')
    )) AS conversions
    FROM experiments, (
        SELECT device_id, min(exposed_at) AS exposed_at,
            CASE WHEN min(variant) = max(variant) THEN min(variant) END AS key
        FROM exposures WHERE experiment_id = :experiment GROUP BY device_id
    ) AS users
    WHERE experiments.id = :experiment GROUP BY key ORDER BY key NULLS FIRST
""")


@pytest.mark.parametrize("is_completed", [False, True])
def test_results_are_those_of_a_naive_count_of_the_events(
    management: Management, alice: User, running: dict[str, Any], *, is_completed: bool
) -> None:
    _stored_over_days(management, running, is_completed=is_completed)
    results = _results(alice, running)
    assert "days" not in results
    with management.database.transaction() as session:
        counted = session.execute(_NAIVE_COUNT, {"experiment": running["id"]}).all()
    assert {(one["key"], one["users"], one["conversions"]) for one in results["variants"]} == set(counted[1:])
    assert results["excluded_multiple_variants"] == counted[0].users > 0
    assert all(0 < conversions < users for _, users, conversions in counted[1:])
    days = data_of(alice.get(f"/api/experiments/{running['id']}/results", params={"include": "series"}))["days"]
    assert [day["date"] for day in days] == sorted({day["date"] for day in days})
    assert len(days) == 6
    for number, variant in enumerate(results["variants"]):
        for name in ("key", "users", "conversions"):
            shown = [day["variants"][number][name] for day in days]
            assert (shown == [variant["key"]] * 6) if name == "key" else (sum(shown) == variant[name])
    if not is_completed:
        # A running experiment is counted from rollups.
        with management.database.transaction() as session:
            session.execute(text("DELETE FROM events WHERE project_id = :id"), {"id": running["project_id"]})
        assert _results(alice, running) == results


@pytest.fixture
def dropped_events(management: Management, running: dict[str, Any]) -> Iterator[Callable[[], None]]:
    """Return a function that drops all events of the project, as if for their age."""
    statement = text("UPDATE event_storage SET complete_from = :moment")

    def drop() -> None:
        with management.database.transaction() as session:
            session.execute(text("DELETE FROM events WHERE project_id = :id"), {"id": running["project_id"]})
            session.execute(statement, {"moment": _now()})

    yield drop
    with management.database.transaction() as session:
        session.execute(statement, {"moment": None})


@pytest.mark.parametrize("is_stored", [False, True])
def test_results_of_a_completed_experiment_stay_when_events_are_dropped(
    management: Management,
    alice: User,
    running: dict[str, Any],
    dropped_events: Callable[[], None],
    *,
    is_stored: bool,
) -> None:
    _expose(management, running, "a", _devices("a", 40), _now() - SECOND)
    _convert(management, running, _devices("a", 40), _now())
    completed = steps.act(alice, running, "complete")
    results = _results(alice, completed)
    assert _by_key(results)["a"]["conversions"] == 40
    if is_stored:
        store_counts(management.database, running["id"])
    dropped_events()
    assert _results(alice, completed) == results


def test_counts_of_a_completed_experiment_are_renewed_until_late_events_are_in(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    def is_waiting(*, age_hours: float, ended_days_ago: float) -> bool:
        ended_at = _now() - timedelta(days=ended_days_ago)
        with management.database.transaction() as session:
            values = {"ended_at": ended_at, "started_at": ended_at}
            session.execute(update(Experiment).where(Experiment.id == running["id"]).values(**values))
            counted_at = _now() - timedelta(hours=age_hours)
            session.execute(update(ExperimentCount).values(counted_at=counted_at))
        return (running["project_id"], running["id"]) in uncounted_experiments(management.database)

    steps.act(alice, running, "complete")
    assert (running["project_id"], running["id"]) in uncounted_experiments(management.database)
    store_counts(management.database, running["id"])
    assert not is_waiting(age_hours=1, ended_days_ago=2)
    assert is_waiting(age_hours=7, ended_days_ago=2)
    assert is_waiting(age_hours=48, ended_days_ago=9)
    assert not is_waiting(age_hours=20, ended_days_ago=9)


def test_reset_of_the_assignments_starts_the_count_anew(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    _expose(management, running, "a", ["stays", "moves", "leaves"], _now() - SECOND)
    _convert(management, running, ["stays", "moves"], _now())
    _change(alice, running, reset_assignments=True)
    assert _results(alice, running)["users"] == 0
    later = _now() + SECOND
    _expose(management, running, "a", ["stays"], later)
    _expose(management, running, "b", ["moves"], later)
    _convert(management, running, ["moves"], later + SECOND)
    results = _results(alice, running)
    assert (results["users"], results["excluded_multiple_variants"]) == (2, 0)
    assert {key: variant["conversions"] for key, variant in _by_key(results).items()} == {"a": 0, "b": 1}
    params = {"projectId": running["project_id"], "include": "users"}
    assert [one["users"] for one in data_of(alice.get("/api/experiments", params=params))] == [2]
