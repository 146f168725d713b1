"""The row that lists events (contract, section 3)."""

import csv
import io
from typing import Any

import pytest

from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from management_api.db.models.projects import Role
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, an_event, moment


def _add(management: Management, project_id: str, *events: dict[str, Any]) -> None:
    with management.database.transaction() as session:
        add_events(session, project_id, events)


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


def test_missing_project_or_flow_has_no_events(management: Management, alice: User, project_id: str) -> None:
    foreign = management.add_flow(alice.create_project("Other")["id"])
    refused = alice.get("/api/analytics/events", params={"projectId": project_id, "flowId": foreign})
    assert (refused.status_code, refused.json["code"]) == (404, "INVALID_FLOW")
    absent = alice.get("/api/analytics/events", params={"projectId": new_id(IdPrefix.PROJECT)})
    assert (absent.status_code, absent.json["code"]) == (404, "INVALID_PROJECT")
    outsider = management.user("mallory").get("/api/analytics/events", params={"projectId": project_id})
    assert outsider.content == absent.content


def test_viewer_reads_events_of_the_own_project_only(management: Management, alice: User, project_id: str) -> None:
    _add(management, project_id, an_event(moment(1), event_id="e1"))
    _add(management, alice.create_project("Other")["id"], an_event(moment(1), event_id="e2"))
    assert _ids(management.member("victor", project_id, Role.VIEWER), project_id) == ["e1"]


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
