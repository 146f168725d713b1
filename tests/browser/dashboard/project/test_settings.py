"""Journeys through the settings of a project: change them, delete the project; the view of a viewer."""

import json

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor


def test_settings_are_changed_and_the_project_deleted(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    api.post("/flows", json={"projectId": project_id, "name": "Welcome", "status": "active"}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/settings")
    page = opened.page
    page.get_by_label("Name").fill("Renamed app")
    page.get_by_role("combobox", name="Default flow").click()
    page.get_by_role("option", name="Welcome").click()
    page.get_by_label("Custom domain").fill("not a host")
    page.get_by_role("combobox", name="Languages of the texts").fill("Deutsch")
    page.get_by_role("option", name="German, Deutsch, de", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("switch", name="Keep answers of users").check(force=True)
    page.get_by_label("Only when a draft is published").check()
    page.get_by_label("Approvals before publishing").fill("1")
    expect(page.get_by_text("One other editor has to approve")).to_be_visible()
    save = page.get_by_role("button", name="Save changes")
    save.click()
    expect(page.get_by_label("Custom domain")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Custom domain").fill("App.example.com")
    save.click()
    expect(page.get_by_text("The settings have been saved")).to_be_visible()
    project = api.get(f"/projects/{project_id}").json()["data"]
    settings = project["settings"]
    assert (project["name"], settings["custom_domain"]) == ("Renamed app", "app.example.com")
    assert (settings["direct_writes"], settings["required_approvals"]) == ("refused", 1)
    assert settings["record_answers"]
    assert settings["locales"] == ["en", "de"]
    assert settings["default_flow_id"]

    page.get_by_role("button", name="Delete project").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 flow with all screens")).to_be_visible()
    dialog.get_by_role("textbox").fill("Renamed app")
    dialog.get_by_role("button", name="Delete project").click()
    expect(page.get_by_text("Create your first project")).to_be_visible()
    assert api.get(f"/projects/{project_id}").status_code == 404
    opened.forget_problems("400")
    opened.forget_problems("404")


def test_data_of_a_device_is_downloaded_and_erased(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    flow = api.post("/flows", json={"projectId": project_id, "name": "Welcome"}).raise_for_status().json()["data"]
    api.put(f"/projects/{project_id}/qa-devices", json={"devices": {"a/b%": flow["id"]}}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/settings")
    page = opened.page
    page.get_by_label("Device id").fill(" a/b% ")
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download data").click()
    document = json.loads(downloaded.value.path().read_text())
    assert (document["device_id"], document["qa_flow_id"], document["events"]) == ("a/b%", flow["id"], [])
    opened.assert_accessible()
    page.get_by_role("button", name="Erase device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("a/b%")
    dialog.get_by_role("button", name="Erase device").click()
    expect(page.get_by_text("Device erased")).to_be_visible()
    assert api.get(f"/projects/{project_id}/qa-devices").json()["data"]["devices"] == {}


@pytest.mark.slow
def test_save_stays_in_sight_and_covers_no_focused_field(visit: Visitor, project_id: str) -> None:
    page = visit(f"/dashboard/projects/{project_id}/settings", screen="phone").page
    save = page.get_by_role("button", name="Save changes")
    expect(save).to_be_in_viewport(ratio=1)
    page.get_by_label("Name").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        field = page.evaluate("document.activeElement.getBoundingClientRect().bottom")
        if save.evaluate("button => button === document.activeElement"):
            return
        box = save.bounding_box()
        assert box is not None
        assert field <= box["y"]
    raise AssertionError("the keyboard does not reach the button")
