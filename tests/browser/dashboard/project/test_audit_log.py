"""The audit log of a project: changes with their values before and after, for a viewer too."""

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.members import add_member
from tests.support.servers.local_stack import RunningStack


def test_change_is_found_shown_and_leads_to_its_object(
    visit: Visitor, api: httpx.Client, project_id: str, stack: RunningStack
) -> None:
    api.put(f"/projects/{project_id}", json={"name": "Renamed app"}).raise_for_status()
    flow = api.post("/flows", json={"projectId": project_id, "name": "Tour"}).raise_for_status().json()["data"]
    welcome = {"flowId": flow["id"], "type": "welcome", "name": "Hello"}
    screen_id = api.post("/screens", json=welcome).raise_for_status().json()["data"]["id"]
    api.put(f"/flows/{flow['id']}/draft", json={"document": {"name": "Tour"}}).raise_for_status()
    api.put(f"/projects/{project_id}/qa-devices", json={"devices": {"phone-1": flow["id"]}}).raise_for_status()
    viewer = add_member(api, stack, project_id, "viewer")
    opened = visit(f"/dashboard/projects/{project_id}/settings/audit-log", user=viewer)
    page = opened.page
    rows = page.get_by_role("table", name="Audit log").locator("tbody tr")
    expect(rows.first).to_contain_text("Added a member")
    expect(rows.filter(has_text="Changed the draft of a flow")).to_contain_text("Tour")
    expect(rows.filter(has_text="Created a QA device")).to_contain_text("phone-1")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    opened.assert_accessible()
    page.get_by_role("button", name="Changed the project").click()
    changes = page.get_by_role("table", name="Changed members")
    expect(changes.get_by_role("row").filter(has_text="Renamed app")).to_contain_text("Sample app")
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="When").click()
    log = f"/dashboard/projects/{project_id}/settings/audit-log?sort=created_at"
    opened.expect_address(log)
    expect(rows.first).to_contain_text("Created the project")
    page.get_by_role("combobox", name="Object").click()
    page.get_by_role("option", name="Flow", exact=True).click()
    opened.expect_address(f"{log}&entity_type=flow")
    expect(rows).to_have_count(2)
    page.get_by_role("searchbox", name="Search").fill("nothing of this name")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    page.get_by_role("searchbox", name="Search").fill("tour")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    assert download.value.path().read_text().count("flow.") == 2
    rows.first.get_by_role("link", name="Tour").click()
    expect(page.get_by_role("heading", name="Tour")).to_be_visible()
    page.go_back()
    page.get_by_role("searchbox", name="Search").fill("")
    page.get_by_role("combobox", name="Object").click()
    page.get_by_role("option", name="Screen", exact=True).click()
    rows.first.get_by_role("link", name="Hello").click()
    opened.expect_address(f"/dashboard/projects/{project_id}/flows/{flow['id']}?screen={screen_id}")
