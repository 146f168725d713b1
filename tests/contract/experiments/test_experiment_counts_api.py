"""Counts of an experiment against its events, over days, after its end and after a reset."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from common.wire.stream_records import ExposureRecord
from management_api.db.models.experiments import Experiment, ExperimentCount
from management_api.rollups.experiment_users import store_counts, uncounted_experiments
from tests.contract.experiments import experiment_steps as steps
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, add_records, an_event


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


def _stored_over_days(management: Management, experiment: dict[str, Any], *, is_completed: bool) -> None:
    """Expose and convert devices at random moments of six days."""
    choose = random.Random(7)
    start = datetime.combine(steps.now().date() - timedelta(days=6), time(10), UTC)
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
    results = steps.results(alice, running)
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
        assert steps.results(alice, running) == results


@pytest.fixture
def dropped_events(management: Management, running: dict[str, Any]) -> Iterator[Callable[[], None]]:
    """Return a function that drops all events of the project, as if for their age."""
    statement = text("UPDATE event_storage SET complete_from = :moment")

    def drop() -> None:
        with management.database.transaction() as session:
            session.execute(text("DELETE FROM events WHERE project_id = :id"), {"id": running["project_id"]})
            session.execute(statement, {"moment": steps.now()})

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
    steps.expose(management, running, "a", steps.devices("a", 40), steps.now() - steps.SECOND)
    steps.convert(management, running, steps.devices("a", 40), steps.now())
    completed = steps.act(alice, running, "complete")
    results = steps.results(alice, completed)
    assert steps.by_key(results)["a"]["conversions"] == 40
    if is_stored:
        store_counts(management.database, running["id"])
    dropped_events()
    assert steps.results(alice, completed) == results


def test_counts_of_a_completed_experiment_are_renewed_until_late_events_are_in(
    management: Management, alice: User, running: dict[str, Any]
) -> None:
    def is_waiting(*, age_hours: float, ended_days_ago: float) -> bool:
        ended_at = steps.now() - timedelta(days=ended_days_ago)
        with management.database.transaction() as session:
            values = {"ended_at": ended_at, "started_at": ended_at}
            session.execute(update(Experiment).where(Experiment.id == running["id"]).values(**values))
            counted_at = steps.now() - timedelta(hours=age_hours)
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
    steps.expose(management, running, "a", ["stays", "moves", "leaves"], steps.now() - steps.SECOND)
    steps.convert(management, running, ["stays", "moves"], steps.now())
    steps.change(alice, running, reset_assignments=True)
    assert steps.results(alice, running)["users"] == 0
    later = steps.now() + steps.SECOND
    steps.expose(management, running, "a", ["stays"], later)
    steps.expose(management, running, "b", ["moves"], later)
    steps.convert(management, running, ["moves"], later + steps.SECOND)
    results = steps.results(alice, running)
    assert (results["users"], results["excluded_multiple_variants"]) == (2, 0)
    assert {key: variant["conversions"] for key, variant in steps.by_key(results).items()} == {"a": 0, "b": 1}
    params = {"projectId": running["project_id"], "include": "users"}
    assert [one["users"] for one in data_of(alice.get("/api/experiments", params=params))] == [2]
