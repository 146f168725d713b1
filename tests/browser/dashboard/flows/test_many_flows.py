"""A project with 500 flows: pages, search, a drag, and no request for each row."""

import httpx
import psycopg
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.servers.local_stack import RunningStack

_FLOWS = 500
_ADD_FLOWS = """
    INSERT INTO flows (id, project_id, name, status, priority)
    SELECT 'flow_0' || substr(md5(%(project)s || number), 1, 25), %(project)s, 'Flow ' || lpad(number::text, 3, '0'),
        'active', %(flows)s - 1 - number
    FROM generate_series(0, %(flows)s - 1) AS numbers (number)
"""


@pytest.fixture
def many_flows(stack: RunningStack, project_id: str) -> str:
    """Return the id of a project with 500 flows, the first of which is evaluated first."""
    with psycopg.connect(stack.database_url) as connection:
        connection.execute(_ADD_FLOWS, {"project": project_id, "flows": _FLOWS})
    return project_id


@pytest.mark.slow
def test_500_flows_are_scrolled_searched_and_dragged(visit: Visitor, api: httpx.Client, many_flows: str) -> None:
    opened = visit(f"/dashboard/projects/{many_flows}/flows")
    page = opened.page
    expect(page.get_by_text("100 of 500")).to_be_visible()

    last = page.get_by_role("link", name="Flow 099", exact=True)
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    handle = page.get_by_role("button", name="Change the place of Flow 099").bounding_box()
    above = page.get_by_role("button", name="Change the place of Flow 097").bounding_box()
    assert handle
    assert above
    assert len(opened.requests) <= 4, opened.requests
    page.mouse.move(handle["x"] + 8, handle["y"] + 8)
    page.mouse.down()
    page.mouse.move(handle["x"] + 8, handle["y"] - 16)
    page.mouse.move(above["x"] + 8, above["y"])
    expect(page.get_by_text("Flow 099 is at place 98")).to_be_attached()
    page.mouse.up()
    with page.expect_response(lambda response: response.request.method == "PUT"):
        page.get_by_role("dialog").get_by_role("button", name="Save the order").click()
    order = api.get(f"/projects/{many_flows}/flows/order").json()["data"]["flow_ids"]
    names = [api.get(f"/flows/{flow_id}").json()["data"]["name"] for flow_id in order[96:100]]
    assert names == ["Flow 096", "Flow 099", "Flow 097", "Flow 098"]

    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_role("link", name="Flow 100", exact=True)).to_be_visible()
    sent = len(opened.requests)
    page.get_by_role("searchbox", name="Search flows").fill("Flow 48")
    expect(page.get_by_role("table", name="Flows").locator("tbody tr")).to_have_count(10)
    assert len(opened.requests) - sent <= len("Flow 48")
