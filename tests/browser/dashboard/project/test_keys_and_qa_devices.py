"""Journeys through the secret keys and the QA devices of a project."""

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor


def test_secret_key_is_shown_and_replaced_with_a_grace(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    keys = f"/projects/{project_id}/api-keys"
    [old] = api.get(keys).json()["data"]["secret_keys"]
    opened = visit(f"/dashboard/projects/{project_id}/settings")
    page = opened.page
    page.get_by_role("link", name="API Keys").click()
    expect(page.get_by_role("heading", name="API Keys", level=1)).to_be_visible()
    page.get_by_role("button", name="Show: Secret key 1").click()
    expect(page.get_by_text(old["secret_key"])).to_be_visible()
    opened.assert_accessible()
    page.get_by_role("button", name="Replace key").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("1 hour").check()
    dialog.get_by_role("button", name="Replace key").click()
    expect(dialog.get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_role("textbox").fill("replace")
    dialog.get_by_role("button", name="Replace key").click()
    expect(dialog).to_be_hidden()
    new, ending = api.get(keys).json()["data"]["secret_keys"]
    assert ending["id"] == old["id"]
    page.get_by_role("button", name="Show: Secret key 2").click()
    expect(page.get_by_text(new["secret_key"])).to_be_visible()
    expect(page.get_by_text("Ends in")).to_be_visible()


def test_qa_device_gets_a_draft_and_is_removed(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    flow = api.post("/flows", json={"projectId": project_id, "name": "Welcome"}).raise_for_status().json()["data"]
    opened = visit(f"/dashboard/projects/{project_id}/settings/qa-devices")
    page = opened.page
    expect(page.get_by_text("Try a flow before users see it")).to_be_visible()
    page.get_by_role("button", name="Add device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Device id").fill("pixel-7")
    dialog.get_by_role("button", name="Add device").click()
    expect(dialog.get_by_role("combobox", name="Flow")).to_have_accessible_description("Choose a flow")
    # The service searches: a project may have more flows than one page of them.
    dialog.get_by_role("combobox", name="Flow").fill("welc")
    page.get_by_role("option", name="Welcome").click()
    dialog.get_by_label("Show the draft of the flow").check()
    dialog.get_by_role("button", name="Add device").click()
    row = page.get_by_role("row").filter(has_text="pixel-7")
    expect(row).to_contain_text("Draft")
    opened.assert_accessible()
    devices = f"/projects/{project_id}/qa-devices"
    assert api.get(devices).json()["data"]["devices"] == {"pixel-7": {"flow_id": flow["id"], "draft": True}}
    page.get_by_role("button", name="Actions for pixel-7").click()
    page.get_by_role("menuitem", name="Remove device").click()
    expect(row).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
