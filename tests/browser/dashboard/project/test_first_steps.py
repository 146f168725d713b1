"""The first steps of a new user: from an empty account to a flow that devices get, and the first event."""

import httpx
from playwright.sync_api import Page, expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


def _expect_no_event(page: Page) -> None:
    expect(page.get_by_role("status").filter(has_text="Waiting for the first event")).to_be_visible()


def test_new_user_publishes_a_flow_to_devices_and_sees_the_first_event(
    visit: Visitor, api: httpx.Client, stack: RunningStack
) -> None:
    page = visit().page
    page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog", name="New project")
    dialog.get_by_label("Name").fill("Starter app")
    dialog.get_by_role("button", name="Create project").click()
    _expect_no_event(page)
    page.get_by_role("link", name="Open Welcome tour").click()
    preview = page.frame_locator("iframe[title=Preview]")
    expect(preview.get_by_role("heading", name="Welcome!")).to_be_visible()
    page.get_by_role("textbox", name="Title", exact=True).fill("Good evening")
    expect(preview.get_by_role("heading", name="Good evening")).to_be_visible()
    preview.get_by_role("button", name="Get started").click()
    expect(preview.get_by_role("heading", name="Everything in one place")).to_be_visible()

    page.get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog", name="Publish the draft")
    expect(dialog.get_by_text("changed title from “Welcome!” to “Good evening”")).to_be_visible()
    dialog.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Version 2 is live")).to_be_visible()
    [project] = api.get("/projects").json()["data"]
    [key] = api.get(f"/projects/{project['id']}/api-keys").json()["data"]["secret_keys"]
    headers = {"X-Project-Id": project["id"], "X-Secret-Key": key["secret_key"]}
    with httpx.Client(base_url=f"{stack.edge_url}/api", headers=headers, trust_env=False) as device:
        resolved = {"deviceId": "phone-1"}
        eventually(lambda: "Good evening" in device.post("/onboarding/resolve", json=resolved).text)

        page.get_by_role("navigation", name="Main").get_by_role("link", name="Overview", exact=True).click()
        _expect_no_event(page)
        event = {"eventType": "flow_started", "deviceId": "phone-1"}
        device.post("/analytics/event", json=event).raise_for_status()
    expect(page.get_by_text("First event received: flow_started")).to_be_visible()
