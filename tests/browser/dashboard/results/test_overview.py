"""The overview: the first event arrives while one looks; measures by day; what viewers see."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


@pytest.fixture
def secret_key(api: httpx.Client, project_id: str) -> str:
    """Return the secret key of the project."""
    keys = api.get(f"/projects/{project_id}/api-keys").json()["data"]
    return str(keys["secret_keys"][0]["secret_key"])


def _send(stack: RunningStack, project_id: str, secret_key: str, **event: str) -> None:
    headers = {"X-Project-Id": project_id, "X-Secret-Key": secret_key}
    url = f"{stack.edge_url}/api/analytics/event"
    body = {"deviceId": "device-1", **event}
    # A new project takes a moment to reach the edge.
    eventually(lambda: httpx.post(url, headers=headers, json=body, trust_env=False).is_success)


def test_measures_are_shown_by_day(
    visit: Visitor, api: httpx.Client, project_id: str, secret_key: str, stack: RunningStack
) -> None:
    created = api.post("/flows", json={"projectId": project_id, "name": "Welcome", "status": "active"})
    flow_id = created.raise_for_status().json()["data"]["id"]
    _send(stack, project_id, secret_key, eventType="flow_started", flowId=flow_id)
    _send(stack, project_id, secret_key, eventType="flow_completed", flowId=flow_id)
    eventually(lambda: api.get(f"/projects/{project_id}/stats").json()["data"]["overview"]["completion_rate"] == 1)
    opened = visit(f"/dashboard/projects/{project_id}/overview")
    page = opened.page
    page.get_by_role("button", name="Completion 100%").click()
    opened.expect_address(f"/dashboard/projects/{project_id}/overview?measure=completion_rate")
    expect(page.get_by_role("figure", name="Completion by day")).to_be_visible()
    expect(page.get_by_role("link", name="Welcome")).to_be_visible()
    expect(page.get_by_text("created the project “Sample app”")).to_be_visible()
    opened.assert_accessible()
    page.get_by_text("30 days").click()
    page.get_by_role("button", name="Show as table").click()
    expect(page.get_by_role("table", name="Measures by day").locator("tbody tr")).to_have_count(30)
    opened.assert_accessible()
