"""Journeys through the history of a flow: changes in words, restoring, schedules."""

from datetime import UTC, datetime, timedelta

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor


def test_version_is_compared_and_restored_and_a_schedule_cancelled(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    flow = api.post("/flows", json={"projectId": project_id, "name": "Tour"}).raise_for_status().json()["data"]
    path = f"/flows/{flow['id']}"
    screens = [{"type": "welcome", "name": "Hello", "content": {"title": "Good morning"}}]
    api.put(f"{path}/draft", json={"document": {"name": "Tour", "screens": screens}}).raise_for_status()
    api.post(f"{path}/publish", json={"note": "First words"}).raise_for_status()
    run_at = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    api.post(f"{path}/schedules", json={"action": "activate", "run_at": run_at}).raise_for_status()

    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow['id']}/history")
    page = opened.page
    expect(page.get_by_role("table", name="History").get_by_text("First words")).to_be_visible()
    opened.assert_accessible()
    page.get_by_role("button", name="Version 2", exact=True).click()
    expect(page.get_by_role("dialog", name="Version 2").get_by_text("Added Hello")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Actions for Version 1").click()
    page.get_by_role("menuitem", name="Restore now").click()
    expect(page.get_by_text("Restored from version 1")).to_be_visible()
    assert api.get(path).json()["data"]["screens"] == []
    page.get_by_role("button", name="Cancel schedule").click()
    expect(page.get_by_role("table", name="Scheduled")).to_be_hidden()
