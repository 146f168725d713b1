"""The first steps of a new user: from an empty account to a flow in the preview and the first event."""

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


def test_new_user_reaches_a_preview_and_sees_the_first_event(
    visit: Visitor, api: httpx.Client, stack: RunningStack
) -> None:
    page = visit().page
    page.get_by_role("button", name="New project").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Starter app")
    page.get_by_role("dialog").get_by_role("button", name="Create project").click()
    expect(page.get_by_role("status").filter(has_text="Waiting for the first event")).to_be_visible()
    page.get_by_role("link", name="Open Welcome tour").click()
    preview = page.frame_locator("iframe[title=Preview]")
    expect(preview.get_by_role("heading", name="Welcome!")).to_be_visible()
    preview.get_by_role("button", name="Get started").click()
    expect(preview.get_by_role("heading", name="Everything in one place")).to_be_visible()

    page.wait_for_load_state("networkidle")
    page.get_by_role("navigation").get_by_role("link", name="Overview", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Waiting for the first event")).to_be_visible()
    [project] = api.get("/projects").json()["data"]
    [key] = api.get(f"/projects/{project['id']}/api-keys").json()["data"]["secret_keys"]
    headers = {"X-Project-Id": project["id"], "X-Secret-Key": key["secret_key"]}
    event = {"eventType": "flow_started", "deviceId": "phone-1"}
    url = f"{stack.edge_url}/api/analytics/event"
    # A new project takes a moment to reach the edge.
    eventually(lambda: httpx.post(url, headers=headers, json=event, trust_env=False).is_success)
    expect(page.get_by_text("First event received: flow_started")).to_be_visible()
