"""The lines that connect an app: they work as they are copied, and the page shows what arrives."""

import shlex
from itertools import pairwise

import httpx
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


def test_copied_lines_reach_the_edge_and_the_page_shows_what_was_heard(
    visit: Visitor, api: httpx.Client, project_id: str, stack: RunningStack
) -> None:
    flow = {"projectId": project_id, "name": "Welcome", "status": "active", "is_default": True}
    flow_id = api.post("/flows", json=flow).raise_for_status().json()["data"]["id"]
    opened = visit(f"/dashboard/projects/{project_id}/flows")
    page = opened.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Help").click()
    opened.assert_accessible()
    page.get_by_role("menuitem", name="Connect your app").click()
    expect(page.get_by_text("No event has arrived yet")).to_be_visible()
    expect(page.get_by_text("The secret key has not been used yet")).to_be_visible()
    opened.assert_accessible()

    def run(section: str) -> str:
        part = page.get_by_role("region", name=section)
        part.get_by_role("tab", name="curl", exact=True).click()
        expect(part.get_by_role("tabpanel")).to_contain_text("••••")
        part.get_by_role("button", name="Copy").click()
        words = shlex.split(page.evaluate("navigator.clipboard.readText()"))
        headers = dict(value.split(": ", 1) for option, value in pairwise(words) if option == "-H")
        body = words[words.index("-d") + 1]
        return httpx.post(words[1], headers=headers, content=body, trust_env=False).text

    # The edge gets the flow and the key a moment after they were made.
    eventually(lambda: flow_id in run("Draw the screens in the app"))
    assert '"reason"' in run("Use OpenFeature")
    run("Report events")
    heard = page.get_by_role("table", name="Last heard").get_by_role("row").filter(has_text="iOS")
    expect(heard).to_contain_text("app_opened")
    part = page.get_by_role("region", name="Show the page in a web view")
    part.get_by_role("tab", name="React Native").click()
    expect(part.get_by_role("tabpanel")).to_contain_text(f"{stack.edge_url}/api/global-config?apiKey=")
    page.reload()
    expect(heard).to_be_visible()
