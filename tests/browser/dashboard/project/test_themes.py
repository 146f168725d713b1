"""Journeys through the themes of a project: created, edited with a warning of contrast, deleted."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.members import add_member
from tests.support.servers.local_stack import RunningStack


def test_theme_is_created_edited_and_deleted(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/themes")
    page = opened.page
    expect(page.get_by_text("Create your first theme")).to_be_visible()
    page.get_by_role("button", name="New theme").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Sunrise")
    dialog.get_by_role("button", name="Create theme").click()
    expect(page.get_by_role("heading", name="Sunrise")).to_be_visible()
    [theme] = api.get("/themes", params={"projectId": project_id}).json()["data"]

    expect(page.get_by_text("Contrast with the background: Text 17.7, ")).to_be_visible()
    page.get_by_label("Buttons and accents").fill("#ffcc00")
    page.get_by_label("Size of headings").fill("32")
    preview = page.frame_locator("iframe[title=Preview]")
    expect(preview.get_by_role("heading", name="What brings you here?")).to_have_css("font-size", "32px")
    expect(preview.get_by_role("button", name="Continue")).to_have_css("background-color", "rgb(255, 204, 0)")
    expect(page.get_by_text("Hard to read")).to_be_visible()
    expect(page.get_by_text("Buttons and accents on the background: contrast 1.5")).to_be_visible()
    opened.assert_accessible()
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("The theme has been saved")).to_be_visible()
    saved = api.get(f"/themes/{theme['id']}").json()["data"]
    assert (saved["colors"]["primary"], saved["is_default"]) == ("#ffcc00", False)
    assert saved["typography"] == {"sizes": {"heading": 32}}

    flow = {"projectId": project_id, "name": "Welcome", "theme_id": theme["id"], "status": "active"}
    api.post("/flows", json=flow).raise_for_status()
    page.get_by_label("Buttons and accents").fill("#3355ff")
    page.get_by_role("button", name="Save changes").click()
    dialog = page.get_by_role("dialog", name="Save Sunrise?")
    expect(dialog).to_contain_text("Devices that get Welcome")
    expect(dialog.get_by_text("Buttons and accents: from #ffcc00 to #3355ff")).to_be_visible()
    opened.assert_accessible()
    dialog.get_by_role("button", name="Save changes").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The change has been taken back")).to_be_visible()
    expect(page.get_by_label("Buttons and accents")).to_have_value("#ffcc00")
    page.get_by_role("button", name="Delete theme").click()
    expect(page.get_by_role("dialog").get_by_text("Welcome loses it at once")).to_be_visible()
    page.get_by_role("dialog").get_by_role("textbox").fill("Sunrise")
    page.get_by_role("dialog").get_by_role("button", name="Delete theme").click()
    expect(page.get_by_text("Create your first theme")).to_be_visible()
    opened.forget_problems("404")


@pytest.mark.slow
def test_details_of_the_service_stand_at_the_fields_of_a_theme(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    theme = api.post("/themes", json={"projectId": project_id, "name": "Sunrise"}).raise_for_status().json()["data"]
    opened = visit(f"/dashboard/projects/{project_id}/themes/{theme['id']}")
    page = opened.page
    labels = {
        "typography.fontFamily": "Font",
        "typography.sizes.heading": "Size of headings",
        "typography.sizes.body": "Size of text",
        "borderRadius.card": "Cards",
    }
    details = [{"field": field, "code": "INVALID_PARAMETER", "message": f"{field} is wrong"} for field in labels]
    refused = {"success": False, "error": "Wrong", "code": "VALIDATION_ERROR", "status": 400, "details": details}
    page.get_by_label("Name").fill("Sunset")
    page.route(f"**/api/themes/{theme['id']}", lambda route: route.fulfill(status=400, json=refused))
    page.get_by_role("button", name="Save changes").click()
    for field, label in labels.items():
        described = page.get_by_role("textbox", name=label, exact=True).last
        expect(described).to_have_accessible_description(re.compile(f"{re.escape(field[1:])} is wrong"))
    opened.forget_problems("400")


@pytest.mark.slow
def test_list_of_themes_is_accessible(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    colors = {"primary": "#123456", "background": "#ffffff"}
    for name in ("Sunrise", "Night"):
        theme = {"projectId": project_id, "name": name, "colors": colors, "is_default": name == "Night"}
        api.post("/themes", json=theme).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/themes")
    expect(opened.page.get_by_role("link", name="Sunrise")).to_be_visible()
    opened.assert_accessible()


@pytest.mark.slow
def test_viewer_sees_a_theme_and_changes_none(
    visit: Visitor, api: httpx.Client, project_id: str, stack: RunningStack
) -> None:
    api.post("/themes", json={"projectId": project_id, "name": "Sunrise", "colors": {"primary": "#123456"}})
    viewer = add_member(api, stack, project_id, "viewer")
    opened = visit(f"/dashboard/projects/{project_id}/themes", user=viewer)
    page = opened.page
    page.get_by_role("link", name="Sunrise").click()
    expect(page.get_by_role("figure", name="Preview")).to_be_visible()
    expect(page.get_by_role("definition").first).to_have_text("#123456")
    opened.assert_accessible()
    expect(
        page.frame_locator("iframe[title=Preview]").get_by_role("heading", name="What brings you here?")
    ).to_be_visible()
    for name in ("Delete theme", "Save changes"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
