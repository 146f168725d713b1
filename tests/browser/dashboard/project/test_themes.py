"""Journeys through the themes of a project: created, edited with a warning of contrast, deleted."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor

FIRST_SCREEN = "figure[aria-label='Screens in this theme'] iframe >> nth=0"


def test_theme_is_created_published_undone_and_deleted(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/themes")
    page = opened.page
    expect(page.get_by_text("Create your first theme")).to_be_visible()
    page.get_by_role("button", name="New theme").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Sunrise")
    dialog.get_by_role("button", name="Create theme").click()
    expect(page.get_by_role("heading", name="Sunrise")).to_be_visible()
    [theme] = api.get("/themes", params={"projectId": project_id}).json()["data"]
    path = f"/themes/{theme['id']}"

    expect(page.get_by_text("Contrast with the background: Text 17.7, ")).to_be_visible()
    page.get_by_role("textbox", name="Buttons and accents", exact=True).fill("#ffcc00")
    page.get_by_label("Size of headings").fill("32")
    page.get_by_role("combobox", name="Shape").click()
    page.get_by_role("option", name="Pill").click()
    screen = page.frame_locator(FIRST_SCREEN)
    expect(screen.locator("h1", has_text="What brings you here?")).to_have_css("font-size", "32px")
    expect(page.get_by_text("Buttons and accents on the background: contrast 1.5")).to_be_visible()
    expect(page.get_by_text("Saved", exact=False).first).to_be_visible()
    opened.assert_accessible()
    assert api.get(path).json()["data"]["colors"] == theme["colors"]

    flow = {"projectId": project_id, "name": "Welcome", "status": "active"}
    api.post("/flows", json=flow).raise_for_status()
    page.get_by_role("button", name="Publish theme").click()
    dialog = page.get_by_role("dialog", name="Publish Sunrise?")
    expect(dialog.get_by_text("Shape: from the standard to Pill")).to_be_visible()
    expect(dialog.get_by_role("switch", name="Default theme of the project")).to_be_checked()
    expect(dialog).to_contain_text("Devices that get Welcome")
    opened.assert_accessible()
    dialog.get_by_role("button", name="Publish as version 2").click()
    expect(page.get_by_text("Version 2 is live")).to_be_visible()
    saved = api.get(path).json()["data"]
    assert (saved["colors"]["primary"], saved["is_default"], saved["button"]) == ("#ffcc00", True, {"shape": "pill"})
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(page.get_by_text("Version 1 is live again")).to_be_visible()
    undone = api.get(path, params={"include": "draft"}).json()["data"]
    assert (undone["colors"], undone["is_default"], undone["has_draft"]) == (theme["colors"], False, True)
    expect(page.get_by_role("textbox", name="Buttons and accents", exact=True)).to_have_value("#ffcc00")

    page.get_by_role("button", name="Actions for Sunrise").click()
    page.get_by_role("menuitem", name="Delete theme").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Sunrise")
    page.get_by_role("dialog").get_by_role("button", name="Delete theme").click()
    expect(page.get_by_text("Create your first theme")).to_be_visible()
    opened.forget_problems("404")


@pytest.mark.slow
def test_versions_of_a_theme_are_compared_and_restored(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    created = {"projectId": project_id, "name": "Sunrise", "colors": {"primary": "#123456"}}
    path = f"/themes/{api.post('/themes', json=created).raise_for_status().json()['data']['id']}"
    document = {"name": "Sunrise", "colors": {"primary": "#654321"}, "spacing": "airy"}
    api.put(f"{path}/draft", json={"document": document}).raise_for_status()
    api.post(f"{path}/publish", json={"note": "More air"}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}{path}/history")
    page = opened.page
    expect(page.get_by_role("table", name="History").get_by_text("More air")).to_be_visible()
    page.get_by_role("button", name="Version 2", exact=True).click()
    dialog = page.get_by_role("dialog", name="Version 2")
    expect(dialog.get_by_text("Spacing: from the standard to Airy")).to_be_visible()
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Actions for Version 1").click()
    page.get_by_role("menuitem", name="Restore now").click()
    page.get_by_role("dialog", name="Restore version 1 now?").get_by_role("button", name="Restore now").click()
    expect(page.get_by_text("Restored from version 1")).to_be_visible()
    assert "spacing" not in api.get(path).json()["data"]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Restored from version 2")).to_be_visible()
    page.get_by_role("button", name="Actions for Version 1").click()
    page.get_by_role("menuitem", name="Restore to the draft").click()
    expect(page.get_by_text("Version 1 is in the draft")).to_be_visible()
    assert "spacing" not in api.get(f"{path}/draft").json()["data"]["document"]
    page.get_by_role("link", name="Back to the theme").click()
    expect(page.get_by_role("textbox", name="Buttons and accents", exact=True)).to_have_value("#123456")
