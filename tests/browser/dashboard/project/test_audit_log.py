"""The audit log of a project: changes with their values before and after, for a viewer too."""

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.members import add_member
from tests.support.servers.local_stack import RunningStack


def test_change_is_shown_before_and_after(
    visit: Visitor, api: httpx.Client, project_id: str, stack: RunningStack
) -> None:
    api.put(f"/projects/{project_id}", json={"name": "Renamed app"}).raise_for_status()
    flow = api.post("/flows", json={"projectId": project_id, "name": "Tour"}).raise_for_status().json()["data"]
    api.put(f"/flows/{flow['id']}/draft", json={"document": {"name": "Tour"}}).raise_for_status()
    api.put(f"/projects/{project_id}/qa-devices", json={"devices": {"phone-1": flow["id"]}}).raise_for_status()
    viewer = add_member(api, stack, project_id, "viewer")
    opened = visit(f"/dashboard/projects/{project_id}/settings/audit-log", user=viewer)
    page = opened.page
    rows = page.get_by_role("table", name="Audit log").locator("tbody tr")
    expect(rows.first).to_contain_text("Added a member")
    expect(rows.filter(has_text="Changed the draft of a flow")).to_contain_text("Tour")
    expect(rows.filter(has_text="Created a QA device")).to_contain_text("phone-1")
    opened.assert_accessible()
    page.get_by_role("button", name="Changed the project").click()
    changes = page.get_by_role("table", name="Changed members")
    expect(changes.get_by_role("row").filter(has_text="Renamed app")).to_contain_text("Sample app")
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="When").click()
    opened.expect_address(f"/dashboard/projects/{project_id}/settings/audit-log?sort=created_at")
    expect(rows.first).to_contain_text("Created the project")
