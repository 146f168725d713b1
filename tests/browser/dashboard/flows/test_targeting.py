"""Journeys through the targeting of a flow: change conditions, see which rule wins for a device; viewers only read."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.dashboard.conftest import Visitor


def _create_flow(api: httpx.Client, project_id: str, name: str, **members: Any) -> str:  # noqa: ANN401 - members of a flow
    flow = {"projectId": project_id, "name": name, "status": "active", **members}
    return str(api.post("/flows", json=flow).raise_for_status().json()["data"]["id"])


_SCREENS = [{"type": "welcome", "name": "Hello", "content": {"title": "Hi"}}]


def _saved(page: Page) -> None:
    expect(page.get_by_role("status").filter(has_text="Saved ")).to_be_visible()


def _publish(page: Page, change: str = "") -> None:
    page.get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog", name="Publish the draft")
    expect(dialog.get_by_role("group", name="Changes")).to_contain_text(change)
    dialog.get_by_role("button", name="Publish version 2").click()
    expect(dialog).to_be_hidden()


def test_conditions_are_changed_and_the_winning_rule_is_explained(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    flow_id = _create_flow(api, project_id, "Tour", screens=_SCREENS)
    _create_flow(api, project_id, "Fallback", is_default=True)
    opened = visit(f"/dashboard/projects/{project_id}/flows")
    page = opened.page
    page.get_by_role("link", name="Only in experiments").click()
    expect(page.get_by_role("heading", name="Who sees this flow", level=1)).to_be_visible()

    page.get_by_role("button", name="Add condition").click()
    page.get_by_role("button", name="Add condition").click()
    second = page.get_by_role("group", name="Condition 2")
    second.get_by_role("combobox", name="Attribute of condition 2").click()
    page.get_by_role("option", name="Attribute of the app").click()
    expect(page.get_by_text("Complete the conditions.")).to_be_visible()
    page.get_by_label("Device id").focus()
    expect(second.get_by_text("Name the attribute")).to_be_visible()
    second.get_by_label("Name of condition 2").fill("sessions")
    second.get_by_role("combobox", name="Kind of value of condition 2").click()
    page.get_by_role("option", name="Number").click()
    second.get_by_label("Value of condition 2", exact=True).fill("3")
    page.get_by_role("button", name="Add condition").click()
    third = page.get_by_role("group", name="Condition 3")
    third.get_by_role("combobox", name="Attribute of condition 3").click()
    page.get_by_role("option", name="Attribute of the app").click()
    third.get_by_label("Name of condition 3").fill("city")
    third.get_by_role("combobox", name="Operator of condition 3").click()
    page.get_by_role("option", name="is none of").click()
    cities = third.get_by_label("Value of condition 3", exact=True)
    for city in ("Washington, D.C.", "Bonn"):
        cities.fill(city)
        cities.press("Enter")
    _saved(page)
    expect(
        page.get_by_text("no device in the last 7 days. Devices are not counted by sessions or city.")
    ).to_be_visible()
    _publish(page)
    targeting = api.get(f"/flows/{flow_id}").json()["data"]["targeting"]
    assert targeting["conditions"] == [
        {"attribute": "platform", "operator": "eq", "value": "ios"},
        {"attribute": "attributes.sessions", "operator": "eq", "value": 3},
        {"attribute": "attributes.city", "operator": "not_in", "value": ["Washington, D.C.", "Bonn"]},
    ]

    expect(page.get_by_text("The device gets another flow, Fallback")).to_be_visible()
    rules = page.get_by_role("list", name="Rules in their order")
    tour = rules.get_by_role("listitem").filter(has_text="Flow: Tour")
    expect(tour).to_contain_text("Only where Platform is iOS")
    expect(tour).to_contain_text("The platform of the device is unknown")
    expect(rules.get_by_role("listitem").last).to_contain_text("Default flow: Fallback")
    page.get_by_label("Attributes of the app").fill("sessions = 3")
    page.get_by_role("region", name="Explain").get_by_role("combobox", name="Platform").click()
    page.get_by_role("option", name="iOS").click()
    expect(page.get_by_text("The device gets this flow, Tour")).to_be_visible()
    opened.assert_accessible()
    page.reload()
    expect(page.get_by_text("The device gets this flow, Tour")).to_be_visible()


@pytest.mark.slow
def test_share_is_saved_in_the_draft_undone_and_published(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    flow_id = _create_flow(api, project_id, "Tour", screens=_SCREENS)
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}/targeting")
    page = opened.page
    share = page.get_by_label("Share of matching devices")
    share.fill("50")
    _saved(page)
    path = f"/flows/{flow_id}"
    assert api.get(f"{path}/draft").json()["data"]["document"]["targeting"]["percentage"] == 50
    assert api.get(path).json()["data"]["targeting"]["percentage"] == 100
    # Another view of the flow has the same draft and history.
    page.get_by_role("link", name="Screens").click()
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    page.get_by_role("link", name="Who sees it").click()
    expect(share).to_have_value("100%")
    page.get_by_role("button", name="Redo (Ctrl+Y)").click()
    expect(share).to_have_value("50%")
    _saved(page)
    opened.assert_accessible()
    _publish(page, "percentage from 100 to 50")
    assert api.get(path).json()["data"]["targeting"]["percentage"] == 50
