"""Journeys through the history of a flow: changes in words, restoring, schedules."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.members import add_member
from tests.support.servers.local_stack import RunningStack


def test_version_is_compared_and_restored(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    created = {"projectId": project_id, "name": "Tour", "status": "active"}
    path = f"/flows/{api.post('/flows', json=created).raise_for_status().json()['data']['id']}"
    screens = [{"type": "welcome", "name": "Hello", "content": {"title": "Good morning"}}]
    api.put(f"{path}/draft", json={"document": {"name": "Tour", "screens": screens}}).raise_for_status()
    api.post(f"{path}/publish", json={"note": "First words"}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}{path}/history")
    page = opened.page
    expect(page.get_by_role("table", name="History").get_by_text("First words")).to_be_visible()
    page.get_by_role("button", name="Version 2", exact=True).click()
    expect(page.get_by_role("dialog", name="Version 2").get_by_text("Added Hello")).to_be_visible()
    page.keyboard.press("Escape")
    for number in (3, 4):
        api.put(path, json={"description": f"Text {number}"}).raise_for_status()
        api.put(path, json={"targeting": {"percentage": 10 * number}}).raise_for_status()
    api.put(f"{path}/draft", json={"document": {"name": "Next tour", "screens": screens}}).raise_for_status()
    schedule = {"action": "publish", "run_at": (datetime.now(UTC) + timedelta(days=1)).isoformat()}
    api.post(f"{path}/schedules", json=schedule).raise_for_status()
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
    dialog = page.get_by_role("dialog", name="Restore version 1 now?")
    expect(dialog).to_contain_text("The project had no device in the last 7 days")
    expect(dialog).to_contain_text("Voided: the schedule “Publish the draft” on ")
    expect(dialog.get_by_text("Removed Hello")).to_be_visible()
    opened.assert_accessible()
    dialog.get_by_role("button", name="Restore now").click()
    expect(page.get_by_text("Restored from version 1")).to_be_visible()
    assert api.get(path).json()["data"]["screens"] == []
    expect(page.get_by_role("row").filter(has_text="Restored from version 1")).to_contain_text("Live")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("row").filter(has_text="Live")).not_to_contain_text("version 1")
    assert len(api.get(path).json()["data"]["screens"]) == 1

    expect(page.get_by_text("The content of version")).to_be_visible()
    page.get_by_role("button", name="Actions for Version 1", exact=True).click()
    page.get_by_role("menuitem", name="Restore now").click()
    dialog.get_by_role("button", name="Restore now").click()
    undo = page.get_by_text("Version 1 is live again", exact=True).locator("..").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    api.put(path, json={"description": "A colleague was faster"}).raise_for_status()
    undo.click()
    expect(page.get_by_text("Somebody has changed it since")).to_be_visible()
    assert api.get(path).json()["data"]["description"] == "A colleague was faster"
    opened.forget_problems("412")


@pytest.mark.slow
def test_schedule_is_cancelled_after_a_question(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    flow = api.post("/flows", json={"projectId": project_id, "name": "Tour"}).raise_for_status().json()["data"]
    run_at = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    api.post(f"/flows/{flow['id']}/schedules", json={"action": "activate", "run_at": run_at}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow['id']}/history")
    page = opened.page
    page.get_by_role("button", name="Cancel schedule").click()
    dialog = page.get_by_role("dialog", name="Cancel this schedule?")
    expect(dialog).to_contain_text("Lost: “Activate” on ")
    opened.assert_accessible()
    dialog.get_by_role("button", name="Keep schedule").click()
    page.get_by_role("button", name="Cancel schedule").click()
    dialog.get_by_role("button", name="Cancel schedule").click()
    expect(page.get_by_role("table", name="Scheduled")).to_be_hidden()


def test_restoration_to_the_draft_and_a_publication_are_undone(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    created = {"projectId": project_id, "name": "Tour", "status": "active"}
    flow = api.post("/flows", json=created).raise_for_status().json()["data"]
    path = f"/flows/{flow['id']}"
    screens = [{"type": "welcome", "content": {"title": "Unpublished"}}]
    api.put(f"{path}/draft", json={"document": {"name": "Tour", "screens": screens}}).raise_for_status()
    page = visit(f"/dashboard/projects/{project_id}{path}/history").page

    def titles_of_draft() -> list[str]:
        document = api.get(f"{path}/draft").raise_for_status().json()["data"]["document"]
        return [screen["content"]["title"] for screen in document["screens"]]

    page.get_by_role("button", name="Actions for Version 1").click()
    page.get_by_role("menuitem", name="Restore to the draft").click()
    expect(page.get_by_text("Version 1 is in the draft")).to_be_visible()
    assert titles_of_draft() == []
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The change has been taken back")).to_be_visible()
    assert titles_of_draft() == ["Unpublished"]

    page.get_by_role("link", name="Screens").click()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("Who gets itEveryone")
    page.get_by_role("dialog").get_by_role("button", name="Publish version 2").click()
    page.get_by_text("Version 2 is live").locator("..").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The content of version 1 is live again")).to_be_visible()
    assert api.get(path).json()["data"]["screens"] == []
    assert titles_of_draft() == ["Unpublished"]


@pytest.mark.slow
def test_undo_under_review_and_of_a_former_editor(
    visit: Visitor, api: httpx.Client, project_id: str, stack: RunningStack
) -> None:
    """What was live within a day may be live again unreviewed. A user who has become a viewer takes nothing back."""
    created = {"projectId": project_id, "name": "Tour", "status": "active"}
    flow = api.post("/flows", json=created).raise_for_status().json()["data"]
    path = f"/flows/{flow['id']}"
    editor = add_member(api, stack, project_id, "editor")
    api.put(f"/projects/{project_id}", json={"settings": {"required_approvals": 1}}).raise_for_status()
    screens = [{"type": "welcome", "content": {"title": "Reviewed"}}]
    headers = {"Authorization": f"Bearer {stack.token(editor)}"}
    draft = {"document": {"name": "Tour", "screens": screens}}
    api.put(f"{path}/draft", json=draft, headers=headers).raise_for_status()
    api.post(f"{path}/draft/approve").raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}{path}", user=editor)
    page = opened.page
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Publish version 2").click()
    page.get_by_text("Version 2 is live").locator("..").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The content of version 1 is live again")).to_be_visible()
    assert api.get(path).json()["data"]["screens"] == []

    opened.open(f"/dashboard/projects/{project_id}/flows")
    page.get_by_role("button", name="Actions for Tour").click()
    page.get_by_role("menuitem", name="Deactivate").click()
    page.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    undo = page.get_by_text("Tour is no longer active").locator("..").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    members = api.get(f"/projects/{project_id}/members").json()["data"]
    [member] = [one for one in members if one["email"] == editor]
    api.put(f"/projects/{project_id}/members/{member['user_id']}", json={"role": "viewer"}).raise_for_status()
    undo.click()
    expect(page.get_by_text("Not undone")).to_be_visible()
    assert api.get(path).json()["data"]["status"] == "draft"
    opened.forget_problems("403")


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
