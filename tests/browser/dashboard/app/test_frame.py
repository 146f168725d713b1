"""The frame of all views: session, command palette, keys, accessibility, a new release, failures."""

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.servers.local_stack import RunningStack


def test_link_signs_in_and_its_token_leaves_the_address(visit: Visitor) -> None:
    opened = visit("/dashboard/projects?sort=name")
    page = opened.page
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    opened.expect_address("/dashboard/projects?sort=name")
    page.reload()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()


def test_new_tab_has_the_session_and_a_sign_out_ends_it_in_all_tabs(visit: Visitor) -> None:
    opened = visit()
    page = opened.page
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    # A tab of its own, as by a middle click: it shares no sessionStorage.
    tab = page.context.new_page()
    tab.goto(f"{opened.origin}/dashboard/projects?sort=name")
    expect(tab.get_by_role("heading", name="Projects")).to_be_visible()
    tab.get_by_role("button", name="Profile").click()
    tab.get_by_role("menuitem", name="Sign out").click()
    for signed_out in (tab, page):
        expect(signed_out.get_by_text("You are signed out.")).to_be_visible()
        signed_out.reload()
        expect(signed_out.get_by_text("You are signed out.")).to_be_visible()


def test_shortcuts_are_listed_and_appearance_is_chosen(visit: Visitor) -> None:
    opened = visit()
    page = opened.page
    page.get_by_role("button", name="Profile").click()
    expect(page.get_by_role("menuitemradio", name="System")).to_be_checked()
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts").get_by_text("Ctrl+Enter")).to_be_visible()
    opened.assert_accessible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Profile").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.get_by_role("menu")).to_be_hidden()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_rejected_token_shows_the_sign_in_and_keeps_unsaved_work(
    visit: Visitor, stack: RunningStack, email: str
) -> None:
    opened = visit()
    page = opened.page
    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill("Unsaved app")

    def reject(route: Route) -> None:
        body = {"success": False, "error": "Invalid token", "code": "UNAUTHORIZED", "status": 401}
        route.fulfill(status=401, json=body)

    page.route("**/api/**", reject)
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_text("Your session has expired.")).to_be_visible()
    page.unroute("**/api/**")
    page.get_by_label("Token").fill(stack.token(email))
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="New project").click()
    expect(page.get_by_label("Name")).to_have_value("Unsaved app")
    opened.forget_problems("401")


@pytest.mark.slow
def test_new_release_shows_a_notice_and_reloads(visit: Visitor) -> None:
    page = visit(clock=True).page
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    config = page.request.get(f"{page.url.partition('/dashboard')[0]}/dashboard/config.json").json()
    page.route("**/dashboard/config.json", lambda route: route.fulfill(json={**config, "release": "next"}))
    page.clock.fast_forward("06:00")
    expect(page.get_by_text("A new version of the dashboard is available.")).to_be_visible()
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()


def test_old_tab_takes_the_view_of_a_new_release(visit: Visitor, project_id: str) -> None:
    opened = visit()
    page = opened.page
    missing = "**/dashboard/assets/OverviewPage-*.js"
    page.route(missing, lambda route: route.fulfill(status=404), times=1)
    page.get_by_role("link", name="Sample app").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    opened.expect_address(f"/dashboard/projects/{project_id}/overview")
    opened.forget_problems("404")
    # The router reports the missing view, unless the page is loaded again before.
    opened.problems[:] = [problem for problem in opened.problems if "dynamically imported module" not in problem]


@pytest.mark.slow
def test_dialog_of_an_old_release_leads_to_the_new_one(visit: Visitor, project_id: str) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/flows")
    page = opened.page
    page.route("**/dashboard/assets/CreateFlow-*.js", lambda route: route.fulfill(status=404))
    page.get_by_role("button", name="New flow").click()
    expect(page.get_by_text("A new version of the dashboard is available.")).to_be_visible()
    page.unroute("**/dashboard/assets/CreateFlow-*.js")
    page.get_by_role("button", name="Reload").click()
    page.get_by_role("button", name="New flow").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_visible()
    opened.forget_problems("404")
    # React reports the missing dialog, unless the page is loaded again before.
    opened.problems[:] = [problem for problem in opened.problems if "dynamically imported module" not in problem]


def test_command_palette_goes_to_projects_and_experiments(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    flow = {"projectId": project_id, "name": "Welcome"}
    flow_id = api.post("/flows", json=flow).raise_for_status().json()["data"]["id"]
    variants = [{"key": key, "flow_id": flow_id, "weight": 50, "is_control": key == "a"} for key in "ab"]
    experiment = {"projectId": project_id, "name": "Shorter welcome", "variants": variants}
    experiment_id = api.post("/experiments", json=experiment).raise_for_status().json()["data"]["id"]
    opened = visit()
    page = opened.page
    expect(page.get_by_role("link", name="Sample app")).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_placeholder("Go to a view, project, or flow").fill("Welcome")
    page.get_by_role("dialog").get_by_role("button", name="Welcome Sample app", exact=True).click()
    opened.expect_address(f"/dashboard/projects/{project_id}/flows/{flow_id}")
    page.keyboard.press("Control+k")
    page.get_by_placeholder("Go to a view, flow, experiment or project").fill("shorter")
    page.get_by_role("dialog").get_by_role("button", name="Shorter welcome").click()
    opened.expect_address(f"/dashboard/projects/{project_id}/experiments/{experiment_id}")


@pytest.mark.slow
def test_personal_key_is_shown_and_replaced(visit: Visitor, api: httpx.Client) -> None:
    page = visit().page
    page.get_by_role("button", name="Profile").click()
    page.get_by_role("menuitem", name="API Keys").click()
    page.get_by_role("button", name="Show: Personal API key").click()
    old = api.get("/user/api-key").json()["data"]["api_key"]
    expect(page.get_by_text(old)).to_be_visible()
    page.get_by_role("button", name="Replace key").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Replace key")).to_be_disabled()
    dialog.get_by_role("textbox").fill("replace")
    dialog.get_by_role("button", name="Replace key").click()
    expect(dialog).to_be_hidden()
    new = api.get("/user/api-key").json()["data"]["api_key"]
    assert new != old
    expect(page.get_by_text(new)).to_be_visible()


@pytest.mark.slow
def test_views_are_accessible_on_a_phone(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    api.post("/flows", json={"projectId": project_id, "name": "Welcome", "status": "active"}).raise_for_status()
    opened = visit(screen="phone")
    page = opened.page
    expect(page.get_by_role("link", name="Sample app")).to_be_visible()
    opened.assert_accessible()
    page.get_by_role("button", name="New project").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_visible()
    opened.assert_accessible()
    opened.open(f"/dashboard/projects/{project_id}/flows")
    page.get_by_role("button", name="Actions for Welcome").click()
    expect(page.get_by_role("menuitem", name="Archive")).to_be_visible()
    opened.assert_accessible()
    opened.open("/dashboard/api-keys")
    expect(page.get_by_role("heading", name="Personal API key")).to_be_visible()
    opened.assert_accessible()


def test_closed_dialog_returns_the_focus(visit: Visitor, api: httpx.Client, project_id: str) -> None:
    api.post("/flows", json={"projectId": project_id, "name": "Welcome"}).raise_for_status()
    page = visit(f"/dashboard/projects/{project_id}/flows").page
    opener = page.get_by_role("button", name="New flow")
    for _ in range(2):
        opener.press("Enter")
        expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Members").click()
    opener = page.get_by_role("button", name="Actions for")
    for _ in range(2):
        opener.press("Enter")
        page.get_by_role("menuitem", name="Leave project").press("Enter")
        expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()


def test_unknown_addresses_lead_somewhere(visit: Visitor) -> None:
    opened = visit("/dashboard/nowhere")
    expect(opened.page.get_by_text("There is nothing here")).to_be_visible()
    opened.assert_accessible()
    opened.page.get_by_role("link", name="Go to projects").click()
    expect(opened.page.get_by_role("heading", name="Projects")).to_be_visible()


@pytest.mark.slow
def test_lost_connection_is_shown_until_it_returns(visit: Visitor, project_id: str) -> None:
    page = visit(f"/dashboard/projects/{project_id}/flows").page
    expect(page.get_by_text("Create your first flow")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("You are offline.")).to_be_hidden()
