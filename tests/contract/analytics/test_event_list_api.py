"""The row that lists events (contract, section 3)."""

import base64
import csv
import io
from typing import Any

import pytest
from sqlalchemy import text

from common.timestamps import utc_now
from management_api.analytics import event_table, events
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event, moment


def _add(management: Management, project_id: str, *events: dict[str, Any]) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, events)


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _ids(user: User, project_id: str, **params: object) -> list[str]:
    events = data_of(user.get("/api/analytics/events", params={"projectId": project_id, **params}))
    return [event["event_id"] for event in events]


def test_an_event_has_exactly_the_members_of_the_contract(management: Management, alice: User, project_id: str) -> None:
    event = {
        "event_type": "question_answered",
        "device_id": "d/1",
        "flow_id": "flow_x",
        "screen_id": "screen_x",
        "experiment_id": "exp_x",
        "variant": "b",
        "session_id": "s",
        "platform": "ios",
        "app_version": "1.2",
        "properties": {"answer": [1, None, {"a": 1.5}]},
    }
    _add(management, project_id, an_event(moment(1, 12, 0.123), event_id="e1", received_at=moment(2), **event))
    listed = alice.get("/api/analytics/events", params={"projectId": project_id}).json
    assert listed == {
        "success": True,
        "data": [
            {
                **event,
                "event_id": "e1",
                "timestamp": "2026-03-01T12:00:00.123Z",
                "received_at": "2026-03-02T12:00:00.000Z",
            }
        ],
        "pagination": {"page": 1, "limit": 20, "total": 1, "totalPages": 1},
    }


def test_the_newest_by_their_own_time_come_first(management: Management, alice: User, project_id: str) -> None:
    _add(
        management,
        project_id,
        an_event(moment(2), event_id="middle", received_at=moment(9)),
        an_event(moment(3), event_id="new", received_at=moment(3)),
        an_event(moment(1), event_id="old", received_at=moment(10)),
    )
    assert _ids(alice, project_id) == ["new", "middle", "old"]
    assert _ids(alice, project_id, sort="timestamp") == ["old", "middle", "new"]
    assert _ids(alice, project_id, sort="-created_at") == ["new", "middle", "old"]


def test_pages_neither_repeat_nor_skip_events_of_one_moment(
    management: Management, alice: User, project_id: str
) -> None:
    _add(management, project_id, *(an_event(moment(1), event_id=f"e{number}") for number in range(7)))
    pages = [_ids(alice, project_id, limit=3, page=page) for page in (1, 2, 3, 4)]
    assert pages == [["e6", "e5", "e4"], ["e3", "e2", "e1"], ["e0"], []]
    first = alice.get("/api/analytics/events", params={"projectId": project_id, "limit": 3}).json["pagination"]
    assert first == {"page": 1, "limit": 3, "total": 7, "totalPages": 3}


def test_filters_narrow_the_list(management: Management, alice: User, project_id: str) -> None:
    flow_id = management.add_flow(project_id)
    experiment_id = management.add_experiment(project_id, flow_id)
    chosen = {"flow_id": flow_id, "experiment_id": experiment_id, "event_type": "custom.name", "platform": "android"}
    _add(
        management,
        project_id,
        an_event(moment(1), event_id="chosen", **chosen),
        an_event(moment(2), event_id="other"),
        an_event(utc_now(), event_id="today"),
    )
    for filters in (
        {"flowId": flow_id},
        {"experimentId": experiment_id},
        {"eventType": "custom.name"},
        {"platform": "android"},
        {"from": "2026-03-01", "to": "2026-03-01"},
    ):
        assert _ids(alice, project_id, **filters) == ["chosen"], filters
    assert _ids(alice, project_id, period="7d") == ["today"]
    assert _ids(alice, project_id, platform="ios") == []


@pytest.mark.parametrize("query", ["sort=name", "limit=101", "period=7d&from=2026-03-01&to=2026-03-02", "group_by=day"])
def test_a_bad_query_is_refused(alice: User, project_id: str, query: str) -> None:
    refused = alice.get("/api/analytics/events", query_string=f"projectId={project_id}&{query}")
    assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")


def test_events_as_csv_are_the_first_of_the_list_for_every_page(
    management: Management, alice: User, project_id: str
) -> None:
    own = {"device_id": "=1+1", "properties": {"n": 1}}
    _add(management, project_id, *(an_event(moment(day), event_id=f"e{day}", **own) for day in range(1, 6)))
    params = {"projectId": project_id, "page": "9", "limit": "2"}
    result = alice.get("/api/analytics/events", params=params, headers={"Accept": "text/csv"})
    assert result.headers["content-type"] == "text/csv; charset=utf-8; header=present"
    assert f"events_{project_id}.csv" in result.headers["content-disposition"]
    header, *rows = csv.reader(io.StringIO(result.text, newline=""))
    assert header[:3] == ["event_id", "event_type", "device_id"]
    assert [row[0] for row in rows] == ["e5", "e4", "e3", "e2", "e1"]
    shown = dict(zip(header, rows[0], strict=True))
    assert (shown["device_id"], shown["timestamp"]) == ("'=1+1", "2026-03-05T12:00:00.000Z")
    assert (shown["properties"], shown["flow_id"]) == ('{"n":1}', "")


@pytest.fixture
def busy(management: Management, project_id: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a project with a rare event on each of two busy days; a request reads at most 5 events."""
    for day in (1, 2):
        rare = [an_event(moment(day, 6), event_id=f"rare{day}", event_type="rare")]
        usual = [an_event(moment(day, hour), event_id=f"e{day}{hour:02}", event_type="usual") for hour in range(12)]
        _add(management, project_id, *rare, *usual)
    monkeypatch.setattr(events, "MAX_READ", 5)
    return project_id


def _walk(user: User, project_id: str, **params: object) -> tuple[list[str], int]:
    """Return the ids of all pages by cursors, and the number of pages."""
    found: list[str] = []
    cursor = "start"
    for pages in range(1, 100):
        params = {"projectId": project_id, **params, "cursor": cursor}
        body = user.get("/api/analytics/events", params=params).json
        found += [event["event_id"] for event in body["data"]]
        if "next" not in body["pagination"]:
            return found, pages
        cursor = body["pagination"]["next"]
    raise AssertionError("The cursors do not end")


@pytest.mark.parametrize("sort", ["timestamp", "-timestamp"])
@pytest.mark.parametrize("limit", [2, 100])
def test_cursors_lead_to_every_event_once(alice: User, busy: str, sort: str, limit: int) -> None:
    expected = sorted([f"e{day}{hour:02}" for day in (1, 2) for hour in range(12)], reverse=sort == "-timestamp")
    found, _ = _walk(alice, busy, sort=sort, limit=limit)
    assert [event for event in found if event.startswith("e")] == expected
    assert len(found) == len(expected) + 2


@pytest.mark.parametrize("sort", ["timestamp", "-timestamp"])
def test_rare_events_are_found_by_cursors_in_bounded_steps(alice: User, busy: str, sort: str) -> None:
    found, pages = _walk(alice, busy, sort=sort, eventType="rare")
    assert sorted(found) == ["rare1", "rare2"]
    assert pages > 2


def test_page_that_ends_early_says_where_the_rest_begins(alice: User, busy: str) -> None:
    params = {"projectId": busy, "eventType": "rare"}
    first = alice.get("/api/analytics/events", params=params).json
    assert (first["data"], first["pagination"]["total"]) == ([], 2)
    found, _ = _walk(alice, busy, eventType="rare")
    rest = alice.get("/api/analytics/events", params={**params, "cursor": first["pagination"]["next"]}).json
    assert [event["event_id"] for event in rest["data"]] == found[:1]


def test_page_behind_too_many_events_is_refused(alice: User, busy: str) -> None:
    assert _ids(alice, busy, limit=2, page=2) == ["e209", "e208"]
    refused = alice.get("/api/analytics/events", params={"projectId": busy, "limit": 2, "page": 4})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "page")


@pytest.mark.parametrize("cursor", ["", "e", "é", _encoded("no JSON"), _encoded('["2026"]'), _encoded('["x", "y"]')])
def test_damaged_cursor_is_refused(alice: User, project_id: str, cursor: str) -> None:
    refused = alice.get("/api/analytics/events", params={"projectId": project_id, "cursor": cursor})
    assert (refused.status_code, refused.json["details"][0]["field"]) == (400, "cursor")


def test_table_ends_before_it_has_too_many_bytes(
    management: Management, alice: User, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_table, "MAX_LIMIT", 2)
    _add(management, project_id, *(an_event(moment(1, hour), event_id=f"e{hour}") for hour in range(5)))
    params = {"projectId": project_id}
    whole = alice.get("/api/analytics/events", params=params, headers={"Accept": "text/csv"}).content
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 6
    monkeypatch.setattr(event_table, "MAX_RESPONSE_BYTES", len(whole) - 1)
    table = alice.get("/api/analytics/events", params=params, headers={"Accept": "text/csv"}).content
    assert table == b"".join(lines[:5])


def test_late_events_of_dropped_days_are_listed(management: Management, alice: User, project_id: str) -> None:
    statement = text("UPDATE event_storage SET complete_from = :moment")
    late = an_event(moment(1), event_id="late", received_at=moment(20))
    _add(management, project_id, late, an_event(moment(21), event_id="new"))
    try:
        with management.database.transaction() as session:
            session.execute(statement, {"moment": moment(10)})
        assert _ids(alice, project_id) == ["new", "late"]
        assert _ids(alice, project_id, sort="timestamp") == ["late", "new"]
    finally:
        with management.database.transaction() as session:
            session.execute(statement, {"moment": None})
