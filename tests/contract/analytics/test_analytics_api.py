"""The row that counts events and users (contract, section 3)."""

from datetime import timedelta
from typing import Any

import pytest

from common.timestamps import utc_now
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event, moment

MARCH = {"from": "2026-03-01", "to": "2026-03-05"}


def _add(management: Management, project_id: str, *events: dict[str, Any]) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, events)


def _analytics(user: User, project_id: str, **params: object) -> dict[str, Any]:
    query = {"projectId": project_id, **(params if "period" in params else {**MARCH, **params})}
    shown: dict[str, Any] = data_of(user.get("/api/analytics", params=query))
    return shown


def _rows(analytics: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in analytics["rows"]]


def test_analytics_have_exactly_the_members_of_the_contract(
    management: Management, alice: User, project_id: str
) -> None:
    _add(management, project_id, an_event(moment(2)), an_event(moment(2), device_id="d2"), an_event(moment(4)))
    assert _analytics(alice, project_id) == {
        "project_id": project_id,
        "from": "2026-03-01",
        "to": "2026-03-05",
        "group_by": "day",
        "totals": {"events": 3, "users": 2},
        "rows": [
            {"date": "2026-03-01", "events": 0, "users": 0},
            {"date": "2026-03-02", "events": 2, "users": 2},
            {"date": "2026-03-03", "events": 0, "users": 0},
            {"date": "2026-03-04", "events": 1, "users": 1},
            {"date": "2026-03-05", "events": 0, "users": 0},
        ],
    }


def test_query_may_span_a_hundred_years(management: Management, alice: User, project_id: str) -> None:
    _add(management, project_id, an_event(moment(2)))
    analytics = _analytics(alice, project_id, group_by="flow", **{"from": "2000-01-01", "to": "2099-12-31"})
    assert (analytics["totals"], len(analytics["rows"])) == ({"events": 1, "users": 1}, 1)


def test_days_are_utc_days_of_the_events_own_time(management: Management, alice: User, project_id: str) -> None:
    _add(
        management,
        project_id,
        an_event(moment(1, 0) - timedelta(milliseconds=1)),
        an_event(moment(1, 0), received_at=moment(9)),
        an_event(moment(6, 0) - timedelta(milliseconds=1)),
        an_event(moment(6, 0)),
    )
    analytics = _analytics(alice, project_id)
    assert analytics["totals"]["events"] == 2
    assert [row["events"] for row in analytics["rows"]] == [1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("group_by", "member"),
    [
        ("event_type", "event_type"),
        ("flow", "flow_id"),
        ("screen", "screen_id"),
        ("variant", "variant"),
        ("platform", "platform"),
        ("locale", "locale"),
    ],
)
def test_groups_stand_by_events_descending_then_by_key(
    management: Management, alice: User, project_id: str, group_by: str, member: str
) -> None:
    values = ["b", "b", "a", "a", "B", "c", "c", "c"]
    events = [an_event(moment(1), device_id=f"d{number % 2}", **{member: value}) for number, value in enumerate(values)]
    _add(management, project_id, *events)
    analytics = _analytics(alice, project_id, group_by=group_by)
    assert analytics["group_by"] == group_by
    assert [list(row) for row in analytics["rows"]] == [[member, "events", "users"]] * 4
    assert _rows(analytics) == [("c", 3, 2), ("a", 2, 2), ("b", 2, 2), ("B", 1, 1)]


def test_events_without_a_value_have_a_null_group(management: Management, alice: User, project_id: str) -> None:
    _add(management, project_id, an_event(moment(1)), an_event(moment(1), platform="ios"), an_event(moment(1)))
    assert _rows(_analytics(alice, project_id, group_by="platform")) == [(None, 2, 1), ("ios", 1, 1)]


def test_events_are_grouped_by_the_language_of_their_texts(management: Management, alice: User) -> None:
    project_id = alice.create_project()["id"]
    flow_id = management.add_flow(project_id)
    german = {"locale": "de", "flow_id": flow_id, "event_type": "flow_started"}
    events = (an_event(moment(1), **german), an_event(moment(1), locale="pt-BR"), an_event(moment(1), **german))
    _add(management, project_id, *events, an_event(moment(1)))
    analytics = _analytics(alice, project_id, group_by="locale")
    assert _rows(analytics) == [("de", 2, 1), ("pt-BR", 1, 1), (None, 1, 1)]
    assert analytics["totals"] == {"events": 4, "users": 1}
    filters = {"flowId": flow_id, "eventType": "flow_started"}
    assert _rows(_analytics(alice, project_id, group_by="locale", **filters)) == [("de", 2, 1)]
    query = {"projectId": project_id, "group_by": "locale", "platform": "ios"}
    refused = alice.get("/api/analytics", params=query)
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "platform")
    listed = data_of(alice.get("/api/analytics/events", params={"projectId": project_id}))
    assert sorted(event.get("locale", "") for event in listed) == ["", "de", "de", "pt-BR"]


def test_user_in_two_groups_counts_once_in_the_totals(management: Management, alice: User, project_id: str) -> None:
    _add(management, project_id, an_event(moment(1), platform="ios"), an_event(moment(2), platform="android"))
    analytics = _analytics(alice, project_id, group_by="platform")
    assert analytics["totals"] == {"events": 2, "users": 1}
    assert _rows(analytics) == [("android", 1, 1), ("ios", 1, 1)]


def test_filters_narrow_the_counts(management: Management, alice: User, project_id: str) -> None:
    flow_id = management.add_flow(project_id)
    experiment_id = management.add_experiment(project_id, flow_id)
    chosen = {
        "flow_id": flow_id, "experiment_id": experiment_id, "event_type": "flow_completed", "platform": "ios",
    }  # fmt: skip
    _add(management, project_id, an_event(moment(1), **chosen), an_event(moment(1), device_id="d2"))
    for filters in (
        {"flowId": flow_id},
        {"flow_id": flow_id},
        {"experimentId": experiment_id},
        {"experiment_id": experiment_id},
        {"eventType": "flow_completed"},
        {"event_type": "flow_completed"},
        {"platform": "ios"},
        {"flowId": flow_id, "experimentId": experiment_id, "eventType": "flow_completed", "platform": "ios"},
    ):
        assert _analytics(alice, project_id, **filters)["totals"] == {"events": 1, "users": 1}, filters
    for filters in ({"eventType": "nonsense"}, {"platform": "android"}, {"flowId": flow_id, "platform": "android"}):
        assert _analytics(alice, project_id, **filters)["totals"] == {"events": 0, "users": 0}, filters


@pytest.mark.parametrize(("period", "days"), [("1d", 1), ("7d", 7), ("30d", 30), ("90d", 90), (None, 7)])
def test_a_period_ends_with_today(alice: User, project_id: str, period: str | None, days: int) -> None:
    today = utc_now().date()
    query = {"projectId": project_id, **({"period": period} if period else {})}
    analytics = data_of(alice.get("/api/analytics", params=query))
    assert len(analytics["rows"]) == days
    assert str(today) <= analytics["to"] <= str(utc_now().date())
    assert (analytics["rows"][0]["date"], analytics["rows"][-1]["date"]) == (analytics["from"], analytics["to"])


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ("period=2d", "INVALID_PARAMETER", "period"),
        ("period=7d&from=2026-03-01&to=2026-03-02", "INVALID_PARAMETER", "period"),
        ("period=7d&to=2026-03-02", "INVALID_PARAMETER", "period"),
        ("from=2026-03-01", "MISSING_PARAMETER", "to"),
        ("to=2026-03-01", "MISSING_PARAMETER", "from"),
        ("from=2026-03-02&to=2026-03-01", "INVALID_PARAMETER", "from"),
        ("from=2026-02-30&to=2026-03-01", "INVALID_PARAMETER", "from"),
        ("from=20260301&to=2026-03-01", "INVALID_PARAMETER", "from"),
        ("from=2026-03-01T00:00:00Z&to=2026-03-01", "INVALID_PARAMETER", "from"),
        ("from=2026-03-01&to=", "INVALID_PARAMETER", "to"),
        ("from=9999-12-31&to=9999-12-31", "INVALID_PARAMETER", "from"),
        ("from=0001-01-01&to=0001-01-02", "INVALID_PARAMETER", "from"),
        ("from=2000-01-01&to=2100-01-01", "INVALID_PARAMETER", "to"),
        ("from=2025-01-01&to=2026-02-05", "INVALID_PARAMETER", "to"),
        ("first=2026-03-01&to=2026-03-02", "INVALID_PARAMETER", "first"),
        ("group_by=hour", "INVALID_PARAMETER", "group_by"),
        ("flowId=", "INVALID_PARAMETER", "flowId"),
        ("flowId=a&flow_id=b", "INVALID_PARAMETER", "flowId"),
        ("other=1", "INVALID_PARAMETER", "other"),
    ],
)
def test_a_bad_query_is_refused(alice: User, project_id: str, query: str, code: str, field: str) -> None:
    refused = alice.get("/api/analytics", query_string=f"projectId={project_id}&{query}")
    assert (refused.status_code, refused.json["code"], refused.json["details"][0]["field"]) == (400, code, field)


def test_another_projects_events_stay_its_own(management: Management, alice: User, project_id: str) -> None:
    _add(management, alice.create_project("Other")["id"], an_event(moment(1)))
    assert _analytics(alice, project_id)["totals"] == {"events": 0, "users": 0}


def test_no_more_rows_than_a_thousand(management: Management, alice: User, project_id: str) -> None:
    _add(management, project_id, *(an_event(moment(1), screen_id=f"s{number:04}") for number in range(1001)))
    analytics = _analytics(alice, project_id, group_by="screen")
    assert analytics["totals"]["events"] == 1001
    assert [row["screen_id"] for row in analytics["rows"]] == [f"s{number:04}" for number in range(1000)]
