"""The analytics: funnel, counts, events and responses show the figures of the interface."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

_SCREENS = [
    {"type": "welcome", "name": "Hello", "content": {"title": "Hello"}},
    {
        "type": "question_single_choice",
        "name": "Goal",
        "content": {
            "question": "What brings you here?",
            "options": [{"value": "health", "label": "Better health"}, {"value": "work", "label": "Work"}],
        },
    },
]
_STARTED, _COMPLETED = 12, 5
_EVENTS, _BATCH = 10_000, 500


@pytest.fixture
def flow(api: httpx.Client, project_id: str) -> dict[str, Any]:
    """Return a flow with two screens."""
    body = {"projectId": project_id, "name": "Welcome", "status": "active", "is_default": True, "screens": _SCREENS}
    flow_id = api.post("/flows", json=body).raise_for_status().json()["data"]["id"]
    api.put(f"/projects/{project_id}", json={"settings": {"record_answers": True}}).raise_for_status()
    data: dict[str, Any] = api.get(f"/flows/{flow_id}").raise_for_status().json()["data"]
    return data


@pytest.fixture
def reported(stack: RunningStack, api: httpx.Client, project_id: str, flow: dict[str, Any]) -> dict[str, Any]:
    """Report events of 12 devices, of which 5 complete the flow; return the flow once all of them are counted."""
    keys = api.get(f"/projects/{project_id}/api-keys").json()["data"]
    headers = {"X-Project-Id": project_id, "X-Secret-Key": keys["secret_keys"][0]["secret_key"]}
    first, second = (screen["id"] for screen in flow["screens"])
    events: list[dict[str, Any]] = []
    for number in range(_STARTED):
        common = {"deviceId": f"device-{number}", "flowId": flow["id"], "platform": "ios" if number % 2 else "android"}
        events += [
            {**common, "eventType": "flow_started"},
            {**common, "eventType": "screen_viewed", "screenId": first},
        ]
        if number < _COMPLETED:
            answer = {"answer": "health" if number % 2 else "unknown", "questionType": "question_single_choice"}
            events += [
                {**common, "eventType": "screen_completed", "screenId": first},
                {**common, "eventType": "screen_viewed", "screenId": second},
                {**common, "eventType": "question_answered", "screenId": second, "properties": answer},
                {**common, "eventType": "screen_completed", "screenId": second},
                {**common, "eventType": "flow_completed"},
            ]
    _report(stack, headers, events)
    eventually(lambda: _total(api, project_id) == len(events), within=30)
    return flow


def _report(stack: RunningStack, headers: dict[str, str], events: Sequence[dict[str, Any]]) -> None:
    url = f"{stack.edge_url}/api/analytics/events"

    def is_accepted() -> bool:
        response = httpx.post(url, headers=headers, json={"events": events}, trust_env=False)
        # A new flow takes a moment to reach the edge, which rejects all of its events until then.
        return response.is_success and response.json()["rejected"] == 0

    eventually(is_accepted)


def _total(api: httpx.Client, project_id: str) -> int:
    counted = api.get("/analytics", params={"projectId": project_id})
    return int(counted.raise_for_status().json()["data"]["totals"]["events"])


def test_funnel_shows_the_figures_of_the_interface(
    visit: Visitor, api: httpx.Client, project_id: str, reported: dict[str, Any]
) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/analytics")
    page = opened.page
    opened.expect_address(f"/dashboard/projects/{project_id}/analytics/funnel")
    params = {"flowId": reported["id"], "period": "30d"}
    funnel = api.get("/analytics/funnel", params=params).raise_for_status().json()["data"]
    assert (funnel["started"], funnel["completed"]) == (_STARTED, _COMPLETED)
    rows = page.get_by_role("table", name="By screen").locator("tbody tr")
    for row, screen in zip(range(2), funnel["screens"], strict=True):
        cells = rows.nth(row).locator("td")
        expect(cells.nth(0)).to_have_text(f"{row + 1}. {screen['name']}")
        for cell, member in ((1, "reached"), (2, "completed"), (3, "drop_off")):
            expect(cells.nth(cell)).to_have_text(str(screen[member]))
    expect(page.get_by_role("figure", name="Users of each screen")).to_be_visible()
    opened.assert_accessible()


@pytest.mark.usefixtures("reported")
def test_counts_are_grouped_and_filtered_by_the_address(visit: Visitor, project_id: str) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/analytics/counts")
    page = opened.page
    expect(page.get_by_role("figure", name="Events and users by day")).to_be_visible()
    page.get_by_text("By event type", exact=True).first.click()
    cells = page.get_by_role("row").filter(has_text="flow_completed").locator("td")
    expect(cells.nth(1)).to_have_text(str(_COMPLETED))
    page.get_by_placeholder("Any platform").click()
    page.get_by_role("option", name="iOS").click()
    expect(cells.nth(1)).to_have_text(str(_COMPLETED // 2))
    opened.expect_address(f"/dashboard/projects/{project_id}/analytics/counts?by=event_type&platform=ios")
    page.reload()
    expect(cells.nth(1)).to_have_text(str(_COMPLETED // 2))
    opened.assert_accessible()
    page.get_by_role("navigation", name="Views of the analytics").get_by_role("link", name="Events").click()
    expect(page.get_by_role("table", name="Events").get_by_role("button").first).to_be_visible()


@pytest.mark.usefixtures("reported")
def test_events_are_listed_opened_and_saved(visit: Visitor, project_id: str, tmp_path: Path) -> None:
    path = f"/dashboard/projects/{project_id}/analytics/events?eventType=question_answered"
    opened = visit(path)
    page = opened.page
    rows = page.get_by_role("table", name="Events").locator("tbody tr")
    expect(rows).to_have_count(_COMPLETED)
    opened.assert_accessible()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download CSV").click()
    saved = tmp_path / "events.csv"
    saving.value.save_as(saved)
    assert len(saved.read_text().splitlines()) == _COMPLETED + 1
    rows.first.get_by_role("button", name="question_answered").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text('"questionType": "question_single_choice"')).to_be_visible()
    expect(dialog.get_by_text("Welcome")).to_be_visible()
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.get_by_role("searchbox", name="Event type").fill("never_reported")
    expect(page.get_by_text("No events match")).to_be_visible()
    opened.assert_accessible()
    page.get_by_role("searchbox", name="Event type").fill("1 never")
    expect(page.get_by_role("searchbox", name="Event type")).to_have_accessible_description(re.compile("^Must"))
    opened.assert_accessible()
    page.get_by_role("button", name="Clear filters").last.click()
    opened.expect_address(f"/dashboard/projects/{project_id}/analytics/events")
    expect(page.get_by_role("searchbox", name="Event type")).to_have_value("")
    opened.forget_problems("400")


@pytest.mark.usefixtures("reported")
def test_responses_show_the_distribution_of_answers(visit: Visitor, project_id: str) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/analytics/responses")
    question = opened.page.get_by_role("region", name="What brings you here?")
    expect(question.get_by_text("5 answers")).to_be_visible()
    rows = question.get_by_role("table").locator("tbody tr")
    expect(rows.nth(0)).to_have_text("unknown360%")
    expect(rows.nth(1)).to_have_text("Better health240%")
    opened.assert_accessible()
