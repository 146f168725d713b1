"""The estimate of how long an experiment takes."""

import math
from datetime import timedelta
from typing import Any

import pytest

from common.timestamps import utc_now
from management_api.experiment_statistics.comparison import users_to_find_lift
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event


def estimate(user: User, project_id: str, **params: str) -> dict[str, Any]:
    shown: dict[str, Any] = data_of(user.get("/api/experiments/estimate", params={"projectId": project_id, **params}))
    return shown


def add_users(management: Management, project_id: str, *, users: int, buyers: int) -> None:
    """Add users of the last two days, some of whom bought."""
    yesterday = utc_now() - timedelta(days=1)
    events = [an_event(yesterday, device_id=f"d{number}") for number in range(users)]
    events += [an_event(yesterday, device_id=f"d{number}", event_type="bought") for number in range(buyers)]
    events += [an_event(yesterday - timedelta(days=40), device_id="old", event_type="bought")]
    with management.database.transaction() as session:
        add_events(session, project_id, events)


def test_estimate_follows_from_users_rate_lift_traffic_and_weight(
    management: Management, alice: User, project_id: str
) -> None:
    add_users(management, project_id, users=100, buyers=20)
    shown = estimate(alice, project_id, primary_event="bought")
    needed = users_to_find_lift(0.2, 0.1)
    assert needed is not None
    assert shown == {
        "users_per_day": 50.0,
        "baseline_rate": 0.2,
        "users_per_variant": needed,
        "days": math.ceil(needed / 25),
    }
    half = estimate(
        alice, project_id, primary_event="bought", traffic_percentage="50", smallest_weight="10", lift_percentage="50"
    )
    needed = users_to_find_lift(0.2, 0.5)
    assert needed is not None
    assert (half["users_per_variant"], half["days"]) == (needed, math.ceil(needed / 2.5))


def test_estimate_without_users_or_conversions_is_null(management: Management, alice: User, project_id: str) -> None:
    assert estimate(alice, project_id) == {
        "users_per_day": 0.0,
        "baseline_rate": None,
        "users_per_variant": None,
        "days": None,
    }
    add_users(management, project_id, users=2, buyers=0)
    shown = estimate(alice, project_id, primary_event="bought")
    assert (shown["baseline_rate"], shown["users_per_variant"], shown["days"]) == (0, None, None)
    assert estimate(alice, project_id, traffic_percentage="0")["days"] is None


@pytest.mark.parametrize(
    "params",
    [
        *({"traffic_percentage": value} for value in ("101", "-1", "nan", "inf", "x", "", "1" * 30)),
        *({"lift_percentage": value} for value in ("0", "1001")),
        {"primary_event": "Not Good"},
    ],
)
def test_estimate_with_a_bad_parameter_is_400(alice: User, project_id: str, params: dict[str, str]) -> None:
    result = alice.get("/api/experiments/estimate", params={"projectId": project_id, **params})
    assert (result.status_code, result.json["code"]) == (400, "INVALID_PARAMETER")
