"""The row of a project's statistics, as the contract defines it (section 3, Statistics, defined)."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import text

from common.timestamps import utc_now
from management_api.analytics.dates import DateRange, Period
from management_api.analytics.project_statistics import project_statistics
from management_api.analytics.statistics_schemas import StatisticsPart, StatisticsView
from management_api.auth.access import Caller
from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import activity, add_events, add_exposure, an_event

TODAY = date(2026, 3, 20)


def _day(ago: int) -> date:
    return TODAY - timedelta(days=ago)


def _noon(ago: int) -> datetime:
    return datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC) - timedelta(days=ago)


def _activity(management: Management, project_id: str, *rows: tuple[int, str, str, int, int]) -> None:
    """Put in (days ago, device, flow, starts, completions)."""
    with management.database.transaction() as session:
        for ago, device, flow, starts, completions in rows:
            add_events(session, project_id, activity(_noon(ago), device, flow or None, starts, completions))


def _statistics(management: Management, project_id: str, period: Period = Period.WEEK) -> StatisticsView:
    caller = Caller(management.user_id("alice"), Role.VIEWER)
    with management.database.repeatable_read() as session:
        return project_statistics(session, caller, project_id, DateRange.from_period(period, TODAY))


def test_statistics_without_events_are_zeros_with_a_row_for_each_day(alice: User, project_id: str) -> None:
    statistics = data_of(alice.get(f"/api/projects/{project_id}/stats"))
    assert statistics.keys() == {"overview", "daily_stats", "flow_performance"}
    assert statistics["overview"] == {
        "total_users": 0,
        "new_users": 0,
        "completion_rate": 0,
        "avg_completion_time": 0,
    }
    assert statistics["flow_performance"] == []
    days = statistics["daily_stats"]
    assert [{**day, "date": None} for day in days] == [
        {"date": None, "users": 0, "completions": 0, "completion_rate": 0}
    ] * 7
    assert [day["date"] for day in days] == sorted({day["date"] for day in days})


@pytest.mark.parametrize("query", ["period=2d", "period=", "period=7d&period=1d", "from=2026-01-01"])
def test_a_bad_query_is_refused(alice: User, project_id: str, query: str) -> None:
    result = alice.get(f"/api/projects/{project_id}/stats", query_string=query)
    assert (result.status_code, result.json["code"]) == (400, "INVALID_PARAMETER")


def test_the_figures_reach_the_answer_with_the_members_of_the_contract(
    management: Management, alice: User, project_id: str
) -> None:
    flow = alice.create_flow(project_id)
    now = utc_now()
    with management.database.transaction() as session:
        # A few days ago, so that a midnight during the test changes nothing.
        moment = now - timedelta(days=3)
        later = moment + timedelta(milliseconds=1500)
        events = [
            an_event(at, event_type=each, flow_id=flow["id"])
            for at, each in [(moment, "flow_started"), (later, "flow_completed")]
        ]
        add_events(session, project_id, events)
    statistics = data_of(alice.get(f"/api/projects/{project_id}/stats"))
    assert statistics["overview"] == {
        "total_users": 1,
        "new_users": 1,
        "completion_rate": 1,
        "avg_completion_time": 1.5,
    }
    assert statistics["flow_performance"] == [
        {"flow_id": flow["id"], "flow_name": "Welcome", "users": 1, "completion_rate": 1}
    ]
    assert {"date": str(moment.date()), "users": 1, "completions": 1, "completion_rate": 1} in statistics["daily_stats"]


def test_a_user_is_counted_once_however_many_flows_and_days(management: Management, project_id: str) -> None:
    _activity(management, project_id, (0, "d1", "f1", 1, 0), (0, "d1", "f2", 1, 0), (2, "d1", "", 0, 0))
    statistics = _statistics(management, project_id)
    assert statistics.overview.total_users == 1
    assert [day.users for day in statistics.daily_stats] == [0, 0, 0, 0, 1, 0, 1]


def test_events_outside_the_period_are_not_counted(management: Management, project_id: str) -> None:
    _activity(management, project_id, (7, "d1", "f1", 1, 1), (6, "d2", "f1", 1, 0), (-1, "d3", "f1", 1, 1))
    statistics = _statistics(management, project_id)
    assert (statistics.overview.total_users, statistics.overview.completion_rate) == (1, 0)
    assert [flow.users for flow in statistics.flow_performance] == [1]
    assert [day.users for day in statistics.daily_stats] == [1, 0, 0, 0, 0, 0, 0]


def test_completion_means_start_and_completion_of_the_same_flow(management: Management, project_id: str) -> None:
    _activity(
        management,
        project_id,
        (1, "both", "f1", 1, 0),
        (0, "both", "f1", 0, 1),
        (0, "crossed", "f1", 1, 0),
        (0, "crossed", "f2", 0, 1),
        (0, "never started", "f1", 0, 1),
    )
    statistics = _statistics(management, project_id)
    # Two devices started in the period; one of them completed its flow.
    assert statistics.overview.completion_rate == 0.5
    yesterday, today = statistics.daily_stats[-2:]
    assert (yesterday.completions, yesterday.completion_rate) == (0, 0)
    # All three completed something today, and the one that started today completed another flow.
    assert (today.completions, today.completion_rate) == (3, 0)


def test_a_rate_never_exceeds_one(management: Management, project_id: str) -> None:
    _activity(management, project_id, (0, "d1", "f1", 1, 5), (0, "d1", "f2", 0, 2), (0, "d2", "f1", 0, 1))
    statistics = _statistics(management, project_id)
    rates = [
        statistics.overview.completion_rate,
        *(day.completion_rate for day in statistics.daily_stats),
        *(flow.completion_rate for flow in statistics.flow_performance),
    ]
    assert max(rates) == 1


def test_new_users_were_first_seen_inside_the_period(management: Management, project_id: str) -> None:
    start, end = datetime(2026, 3, 14, tzinfo=UTC), datetime(2026, 3, 21, tzinfo=UTC)
    instant = timedelta(milliseconds=1)
    moments = {"before": start - instant, "first": start, "last": end - instant, "after": end}
    with management.database.transaction() as session:
        add_events(session, project_id, [an_event(at, device_id=device) for device, at in moments.items()])
        # Those that come late count by their own time, and so do exposures.
        add_events(session, project_id, [an_event(end - instant, device_id="before")])
        add_exposure(session, project_id, "exposed before", "f1", start - instant)
        add_events(session, project_id, [an_event(start, device_id="exposed before")])
    assert _statistics(management, project_id).overview.new_users == 2


def test_completion_time_is_the_mean_over_journeys_with_a_start_before(management: Management, project_id: str) -> None:
    journeys = [
        ("a", _noon(1), _noon(1) + timedelta(seconds=10)),
        ("b", _noon(30), _noon(30) + timedelta(seconds=999)),
        ("c", _noon(8), _noon(8) + timedelta(days=8)),
        ("d", _noon(1), _noon(2)),
        ("e", None, _noon(1)),
        ("f", _noon(1), None),
    ]
    with management.database.transaction() as session:
        for device, started, completed in journeys:
            moments = {"flow_started": started, "flow_completed": completed}
            add_events(
                session,
                project_id,
                [
                    an_event(at, event_type=each, device_id=device, flow_id="f1")
                    for each, at in moments.items()
                    if at is not None
                ],
            )
    assert _statistics(management, project_id).overview.avg_completion_time == (10 + 8 * 86400) / 2


def test_flows_are_listed_by_users_with_the_names_that_are_left(
    management: Management, alice: User, project_id: str
) -> None:
    flow = alice.create_flow(project_id)
    foreign_project = alice.create_project("Other")["id"]
    foreign = alice.create_flow(foreign_project, "Secret")
    _activity(
        management,
        project_id,
        (0, "d1", flow["id"], 1, 1),
        (0, "d2", flow["id"], 1, 0),
        (1, "d1", "gone", 0, 0),
        (0, "d1", foreign["id"], 0, 0),
        (0, "d4", "", 1, 0),
    )
    performance = _statistics(management, project_id).flow_performance
    assert [(item.flow_id, item.flow_name, item.users, item.completion_rate) for item in performance] == [
        (flow["id"], "Welcome", 2, 0.5),
        (foreign["id"], None, 1, 0),
        ("gone", None, 1, 0),
    ]


def test_another_projects_figures_stay_its_own(management: Management, alice: User, project_id: str) -> None:
    other = alice.create_project("Other")["id"]
    _activity(management, other, (0, "d1", "f1", 1, 1))
    assert _statistics(management, project_id).overview.total_users == 0


def test_series_has_new_users_and_the_completion_time_of_each_day(
    management: Management, alice: User, project_id: str
) -> None:
    _activity(management, project_id, (9, "old", "f", 1, 0), (3, "old", "f", 0, 1), (3, "a", "f", 1, 0))
    with management.database.transaction() as session:
        done = {"event_type": "flow_completed", "flow_id": "f"}
        add_events(session, project_id, [an_event(_noon(3) + timedelta(seconds=30), device_id="a", **done)])
        add_events(session, project_id, [an_event(_noon(2), device_id="a"), an_event(_noon(2), device_id="b")])
    caller = Caller(management.user_id("alice"), Role.VIEWER)
    dates = DateRange.from_period(Period.WEEK, TODAY)
    with management.database.repeatable_read() as session:
        view = project_statistics(session, caller, project_id, dates, StatisticsPart.SERIES)
        plain = project_statistics(session, caller, project_id, dates)
    days = {day.date: (day.new_users, day.avg_completion_time) for day in view.daily_stats}
    six_days = timedelta(days=6).total_seconds()
    assert days[_day(3)] == (1, (six_days + 30) / 2)
    assert days[_day(2)] == (1, None)
    assert days[_day(0)] == (0, None)
    assert sum(new_users or 0 for new_users, _ in days.values()) == view.overview.new_users == plain.overview.new_users
    assert view.overview.avg_completion_time == plain.overview.avg_completion_time == (six_days + 30) / 2
    shown = data_of(alice.get(f"/api/projects/{project_id}/stats", params={"include": "series"}))["daily_stats"][0]
    assert shown.keys() == {"date", "users", "completions", "completion_rate", "new_users"}


def test_damaged_row_is_left_out_of_all_figures(
    management: Management, alice: User, project_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = alice.create_flow(project_id)
    now = utc_now()
    with management.database.transaction() as session:
        for device, moment in (("kept", now - timedelta(days=1)), ("lost", now)):
            add_events(session, project_id, activity(moment, device, flow["id"], 1, 1))
        session.execute(
            text("UPDATE activity_cells SET devices = :bytes WHERE project_id = :id AND day = :day"),
            {"bytes": b"damaged", "id": project_id, "day": now.date()},
        )
    overview = data_of(alice.get(f"/api/projects/{project_id}/stats"))["overview"]
    assert (overview["total_users"], overview["completion_rate"]) == (1, 1)
    analytics = data_of(alice.get("/api/analytics", params={"projectId": project_id}))
    assert analytics["totals"] == {"events": 2, "users": 1}
    assert data_of(alice.get("/api/analytics/funnel", params={"flowId": flow["id"]}))["started"] == 1
    assert data_of(alice.get(f"/api/projects/{project_id}"))["stats"]["users_today"] == 0
    assert capsys.readouterr().out.count("rollups.damaged") > 0
