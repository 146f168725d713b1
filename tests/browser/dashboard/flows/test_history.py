"""Journeys through the history of a flow: changes in words, restoring, schedules."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor


def test_version_is_compared_and_restored_and_a_schedule_cancelled(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    created = {"projectId": project_id, "name": "Tour", "status": "active"}
    flow = api.post("/flows", json=created).raise_for_status().json()["data"]
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
    for number in (3, 4):
        api.put(path, json={"description": f"Text {number}"}).raise_for_status()
        api.put(path, json={"targeting": {"percentage": 10 * number}}).raise_for_status()
    page.reload()
    page.get_by_role("button", name="Version 3", exact=True).click()
    dialog = page.get_by_role("dialog", name="Version 3")
    expect(dialog.get_by_text("percentage from 100 to 40")).to_be_visible()
    dialog.get_by_role("combobox", name="Compared with").click()
    page.get_by_role("option", name="Version 1").click()
    expect(dialog.get_by_text("Added Hello")).to_be_visible()
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Actions for Version 1").click()
    page.get_by_role("menuitem", name="Restore now").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore now").click()
    expect(page.get_by_text("Restored from version 1")).to_be_visible()
    assert api.get(path).json()["data"]["screens"] == []
    expect(page.get_by_role("row").filter(has_text="Restored from version 1")).to_contain_text("Live")

    page.get_by_role("button", name="Cancel schedule").click()
    dialog = page.get_by_role("dialog", name="Cancel this schedule?")
    expect(dialog).to_contain_text("Lost: “Activate” on ")
    opened.assert_accessible()
    dialog.get_by_role("button", name="Keep schedule").click()
    page.get_by_role("button", name="Cancel schedule").click()
    dialog.get_by_role("button", name="Cancel schedule").click()
    expect(page.get_by_role("table", name="Scheduled")).to_be_hidden()


def test_restoration_asks_before_it_replaces_a_draft(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    flow = api.post("/flows", json={"projectId": project_id, "name": "Tour"}).raise_for_status().json()["data"]
    path = f"/flows/{flow['id']}"
    opened = visit(f"/dashboard/projects/{project_id}{path}/history")
    page = opened.page

    def restore() -> None:
        page.get_by_role("button", name="Actions for Version 1").click()
        page.get_by_role("menuitem", name="Restore to the draft").click()

    restore()
    expect(page.get_by_text("Version 1 is in the draft")).to_be_visible()
    screens = [{"type": "welcome", "content": {"title": "Unpublished"}}]
    api.put(f"{path}/draft", json={"document": {"name": "Tour", "screens": screens}}).raise_for_status()
    restore()
    dialog = page.get_by_role("dialog", name="Replace the draft?")
    expect(dialog).to_contain_text("All changes of the present draft are lost.")
    opened.assert_accessible()
    button = dialog.get_by_role("button", name="Restore to the draft")
    expect(button).to_be_disabled()
    dialog.get_by_role("textbox").fill("Tour")
    button.click()
    expect(dialog).to_be_hidden()
    assert api.get(f"{path}/draft").json()["data"]["document"]["screens"] == []


@pytest.mark.slow
def test_changes_of_the_status_and_restorations_are_scheduled(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    flow = api.post("/flows", json={"projectId": project_id, "name": "Tour"}).raise_for_status().json()["data"]
    screens = [{"type": "welcome", "content": {"title": "Hi"}}]
    draft = {"document": {"name": "Tour", "screens": screens}}
    api.put(f"/flows/{flow['id']}/draft", json=draft).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow['id']}/history")
    page = opened.page
    table = page.get_by_role("table", name="Scheduled")
    time = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
    for action, text in (
        ("Activate", "Activate"),
        ("Archive", "Archive"),
        ("Restore a version", "Restore version 1"),
        ("Publish the draft", "Publish the draft"),
    ):
        page.get_by_role("button", name="Schedule a change").click()
        dialog = page.get_by_role("dialog", name="Schedule a change")
        dialog.get_by_role("combobox", name="Action").click()
        page.get_by_role("option", name=action, exact=True).click()
        dialog.get_by_role("button", name="Schedule change").click()
        expect(dialog.get_by_text("Choose a time.")).to_be_visible()
        dialog.get_by_label("Time").fill(time)
        if action == "Restore a version":
            dialog.get_by_role("combobox", name="Version").click()
            page.get_by_role("option", name="Version 1").click()
        opened.assert_accessible()
        dialog.get_by_role("button", name="Schedule change").click()
        if action == "Publish the draft":
            # Other schedules are pending, which is a warning.
            dialog.get_by_label("Schedule it despite the warnings").check()
            dialog.get_by_role("button", name="Schedule change").click()
        expect(dialog).to_be_hidden()
        expect(table.get_by_text(text, exact=True)).to_be_visible()
    schedules = api.get(f"/flows/{flow['id']}/schedules").json()["data"]
    assert {(item["action"], item["version"]) for item in schedules} == {
        ("activate", None),
        ("archive", None),
        ("restore", 1),
        ("publish", None),
    }
    opened.forget_problems("409")
