"""Journeys: sign in, create a project with a flow from a template, order and change flows; the view of a viewer."""

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.dashboard.conftest import Visitor


def _expect_order(page: Page, *names: str) -> None:
    rows = page.get_by_role("table", name="Flows").locator("tbody a:not([href$=targeting])")
    expect(rows).to_have_text(list(names))


def _create_flows(api: httpx.Client, project_id: str, *names: str) -> None:
    for name in names:
        api.post("/flows", json={"projectId": project_id, "name": name, "status": "active"}).raise_for_status()


@pytest.mark.slow
def test_new_user_creates_a_project_with_a_flow_from_a_template(visit: Visitor, api: httpx.Client) -> None:
    opened = visit()
    page = opened.page
    opened.expect_address("/dashboard/projects")
    expect(page.get_by_text("Create your first project")).to_be_visible()
    page.get_by_role("button", name="New project").click()
    dialog = page.get_by_role("dialog", name="New project")
    dialog.get_by_role("button", name="Create project").click()
    expect(dialog.get_by_text("Must have 3 to 50 characters")).to_be_visible()
    dialog.get_by_label("Name").fill("My first app")
    dialog.get_by_label("Search templates").fill("depend on a goal")
    dialog.get_by_role("radio", name="Personalised plan").check()
    expect(dialog.get_by_role("radio")).to_have_count(2)
    dialog.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    [project] = api.get("/projects").json()["data"]
    opened.expect_address(f"/dashboard/projects/{project['id']}/overview")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Flows").click()
    _expect_order(page, "Personalised plan")
    [flow] = api.get("/flows", params={"projectId": project["id"]}).json()["data"]
    assert (project["name"], flow["is_default"], flow["status"]) == ("My first app", True, "active")
    [theme] = api.get("/themes", params={"projectId": project["id"]}).json()["data"]
    assert (theme["name"], flow["theme_id"]) == ("Daylight", theme["id"])
    screens = api.get(f"/flows/{flow['id']}").json()["data"]["screens"]
    ids = {screen["name"]: screen["id"] for screen in screens}
    assert [screen["next"][0]["go_to"] for screen in screens if "next" in screen] == [
        ids["Bedtime"],
        ids["Plan"],
    ]


@pytest.mark.slow
def test_flows_are_ordered_by_keyboard_mouse_and_menu(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    _create_flows(api, project_id, "First", "Second", "Third")
    page = visit(f"/dashboard/projects/{project_id}/flows").page
    _expect_order(page, "First", "Second", "Third")

    page.get_by_role("button", name="Change the place of Third").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Third is at place 3")).to_be_attached()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("Third is at place 2")).to_be_attached()
    page.keyboard.press("Space")
    # Devices try the flows in this order, so the change is shown and asked first.
    dialog = page.get_by_role("dialog", name="Change the place of Third?")
    expect(dialog).to_contain_text("Devices that match Third and also Second")
    dialog.get_by_role("button", name="Cancel").click()
    _expect_order(page, "First", "Second", "Third")
    page.get_by_role("button", name="Actions for Third").click()
    page.get_by_role("menuitem", name="Move up").click()
    dialog.get_by_role("button", name="Save the order").click()
    _expect_order(page, "First", "Third", "Second")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The change has been taken back")).to_be_visible()
    _expect_order(page, "First", "Second", "Third")

    handle = page.get_by_role("button", name="Change the place of Second").bounding_box()
    first = page.get_by_role("button", name="Change the place of First").bounding_box()
    assert handle
    assert first
    page.mouse.move(handle["x"] + 8, handle["y"] + 8)
    page.mouse.down()
    page.mouse.move(handle["x"] + 8, handle["y"] - 16, steps=4)
    page.mouse.move(first["x"] + 8, first["y"], steps=8)
    expect(page.get_by_text("Second is at place 1")).to_be_attached()
    page.mouse.up()
    with page.expect_response(lambda response: response.request.method == "PUT"):
        page.get_by_role("dialog").get_by_role("button", name="Save the order").click()
    _expect_order(page, "Second", "First", "Third")

    page.get_by_role("button", name="Actions for Third").click()
    page.get_by_role("menuitem", name="Move to the top").click()
    with page.expect_response(lambda response: response.request.method == "PUT"):
        page.get_by_role("dialog").get_by_role("button", name="Save the order").click()
    _expect_order(page, "Third", "Second", "First")
    page.reload()
    _expect_order(page, "Third", "Second", "First")

    page.get_by_role("button", name="Actions for Second").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Last")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    _expect_order(page, "Third", "Last", "First")


def test_flow_is_duplicated_made_default_and_archived(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    _create_flows(api, project_id, "Welcome", "Other")
    page = visit(f"/dashboard/projects/{project_id}/flows").page
    for name, action in (("Welcome", "Make default"), ("Welcome", "Duplicate"), ("Other", "Archive")):
        page.get_by_role("button", name=f"Actions for {name}", exact=True).click()
        page.get_by_role("menuitem", name=action).click()
        if action != "Duplicate":
            page.get_by_role("dialog").get_by_role("button", name=action).click()
            expect(page.get_by_role("dialog")).to_be_hidden()
    # The default flow is tried last, and archived ones are hidden.
    _expect_order(page, "Welcome (copy)", "Welcome")
    expect(page.get_by_role("button", name="Change the place of Welcome", exact=True)).to_be_hidden()
    page.get_by_role("switch", name="Show archived flows").check(force=True)
    _expect_order(page, "Welcome (copy)", "Welcome", "Other")
    rows = page.get_by_role("table", name="Flows").locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("Draft")
    expect(rows.nth(1)).to_contain_text("Default")
    expect(rows.nth(2)).to_contain_text("Archived")
    page.get_by_text("Archived Other").locator("..").get_by_role("button", name="Undo").click()
    expect(rows.filter(has_text="Other")).to_contain_text("Active")


def test_question_precedes_activation_and_deletion_of_a_flow(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    _create_flows(api, project_id, "Welcome", "Other")
    flows = {flow["name"]: flow["id"] for flow in api.get("/flows", params={"projectId": project_id}).json()["data"]}
    api.put(f"/flows/{flows['Other']}", json={"status": "archived"}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/flows?archived=shown")
    page = opened.page
    row = page.get_by_role("table", name="Flows").locator("tbody tr").filter(has_text="Other")
    dialog = page.get_by_role("dialog")

    page.get_by_role("button", name="Actions for Other").click()
    page.get_by_role("menuitem", name="Activate").click()
    expect(dialog).to_contain_text("Who gets itEveryone")
    expect(dialog).to_contain_text("The project had no device in the last 7 days")
    opened.assert_accessible()
    dialog.get_by_role("button", name="Activate").click()
    expect(row).to_contain_text("Active")
    page.get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("Archived")

    page.get_by_role("button", name="Actions for Other").click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog.get_by_role("textbox").fill("Other")
    dialog.get_by_role("button", name="Delete flow").click()
    expect(row).to_have_count(0)
