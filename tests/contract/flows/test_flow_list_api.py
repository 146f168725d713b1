"""The list of flows over the API (contract, sections 1 and 3): filters, order, pages, statistics."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from common.timestamps import parse_timestamp
from management_api.db.models.flows import Flow
from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import activity, add_events

SCREEN = {"type": "welcome", "content": {"title": "Hi"}}


def _names(user: User, project_id: str, **params: object) -> list[str]:
    flows = data_of(user.get("/api/flows", params={"projectId": project_id, **params}))
    return [flow["name"] for flow in flows]


@pytest.mark.parametrize(
    "params",
    [{"status": "gone"}, {"sort": "priority"}, {"limit": "101"}, {"page": "0"}, {"colour": "red"}, {"project_id": "x"}],
)
def test_a_bad_query_is_refused(alice: User, project_id: str, params: dict[str, str]) -> None:
    result = alice.get("/api/flows", params={"projectId": project_id, **params})
    assert (result.status_code, result.json["code"]) == (400, "INVALID_PARAMETER")


def test_flows_are_filtered_by_status_and_part_of_the_name(alice: User, project_id: str) -> None:
    for name, status in (("Alpha", "active"), ("Beta", "draft"), ("100% alphabet", "active")):
        alice.create_flow(project_id, name, status=status)
    assert _names(alice, project_id, status="active", sort="name") == ["100% alphabet", "Alpha"]
    assert _names(alice, project_id, search="ALPHA", sort="-name") == ["Alpha", "100% alphabet"]
    assert _names(alice, project_id, search="0%") == ["100% alphabet"]
    assert _names(alice, project_id, search="_") == []
    assert _names(alice, project_id, search="") == ["100% alphabet", "Beta", "Alpha"]


def test_evaluation_order_is_that_of_priorities_with_archived_flows_last(alice: User, project_id: str) -> None:
    alice.create_flow(project_id, "Gone", priority=9, status="archived")
    for name, priority in (("Low", -(2**31)), ("First of two", 0), ("Second of two", 0), ("High", 7)):
        alice.create_flow(project_id, name, priority=priority)
    names = ["High", "First of two", "Second of two", "Low", "Gone"]
    assert _names(alice, project_id, sort="evaluation_order") == names
    assert _names(alice, project_id, sort="-evaluation_order") == names[::-1]


def test_drafts_and_versions_are_listed_on_request(alice: User, project_id: str) -> None:
    for name in ("Edited", "Plain"):
        alice.create_flow(project_id, name)
    plain, edited = data_of(alice.get("/api/flows", params={"projectId": project_id}))
    data_of(alice.put(f"/api/flows/{edited['id']}/draft", {"document": {"name": "Draft", "screens": [SCREEN]}}), 201)
    params = {"projectId": project_id, "include": "draft"}
    assert data_of(alice.get("/api/flows", params=params)) == [
        {**plain, "has_draft": False, "version": 1},
        {**edited, "has_draft": True, "version": 1},
    ]
    data_of(alice.request("POST", f"/api/flows/{edited['id']}/publish", json={"ignore_warnings": True}), 201)
    published = data_of(alice.get("/api/flows", params=params))[1]
    one = data_of(alice.get(f"/api/flows/{edited['id']}", params={"include": "draft"}))
    assert (one["has_draft"], one["version"]) == (False, 2)
    assert "has_draft" not in data_of(alice.get(f"/api/flows/{edited['id']}"))
    assert (published["name"], published["has_draft"], published["version"]) == ("Draft", False, 2)
    result = alice.get("/api/flows", params={"projectId": project_id, "include": "other"})
    assert (result.status_code, result.json["code"]) == (400, "INVALID_PARAMETER")


def test_pages_never_repeat_or_skip_a_flow_of_the_same_moment(
    management: Management, alice: User, project_id: str
) -> None:
    made = {alice.create_flow(project_id, "Same")["id"] for _ in range(7)}
    with management.database.transaction() as session:
        same = update(Flow).where(Flow.project_id == project_id)
        session.execute(same.values(created_at=parse_timestamp("2026-01-01T00:00:00Z")))
    seen = []
    for page in (1, 2, 3):
        result = alice.get("/api/flows", params={"projectId": project_id, "limit": 3, "page": page})
        assert result.json["pagination"] == {"page": page, "limit": 3, "total": 7, "totalPages": 3}
        seen += [flow["id"] for flow in data_of(result)]
    assert len(seen) == 7
    assert set(seen) == made


def test_the_figures_of_a_flow_come_from_its_events(management: Management, alice: User, project_id: str) -> None:
    flow, other = alice.create_flow(project_id), alice.create_flow(project_id)
    moment = parse_timestamp("2026-03-01T10:00:00Z")
    done = [("d1", 0, 3, 0), ("d1", 1, 1, 1), ("d2", 0, 1, 0), ("d3", 0, 0, 1)]
    with management.database.transaction() as session:
        for device, days, starts, completions in done:
            day = moment + timedelta(days=days)
            add_events(session, project_id, activity(day, device, flow["id"], starts, completions))
    listed = data_of(alice.get("/api/flows", params={"projectId": project_id}))
    stats = {item["id"]: item["stats"] for item in listed}
    assert stats[flow["id"]] == {"total_views": 5, "completion_rate": 0.5}
    assert stats[other["id"]] == {"total_views": 0, "completion_rate": 0}
    assert data_of(alice.get(f"/api/flows/{flow['id']}"))["stats"] == stats[flow["id"]]


def test_list_leaves_out_large_conditions_and_says_so(alice: User, project_id: str) -> None:
    values = [f"{number:040}" for number in range(500)]
    conditions = [{"attribute": f"attributes.a{number}", "operator": "in", "value": values} for number in range(4)]
    large = alice.create_flow(project_id, targeting={"conditions": conditions})
    small = alice.create_flow(project_id, targeting={"conditions": conditions[:1]})
    listed = {
        flow["id"]: flow["targeting"] for flow in data_of(alice.get("/api/flows", params={"projectId": project_id}))
    }
    assert listed[large["id"]] == {"percentage": 100, "conditions": [], "conditions_omitted": True}
    assert listed[small["id"]] == {"percentage": 100, "conditions": conditions[:1]}
    assert data_of(alice.get(f"/api/flows/{large['id']}"))["targeting"]["conditions"] == conditions
