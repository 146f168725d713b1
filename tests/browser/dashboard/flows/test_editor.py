"""Journeys through the editor of flows: edit with a preview, publish, undo, conflicts, offline, viewers."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.visit import Visit
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

_QUESTION = {
    "question": "Your name?",
    "answer_key": "name",
    "primary_button": {"label": "Continue", "action": "submit"},
}


@pytest.fixture
def flow_id(api: httpx.Client, project_id: str) -> str:
    """Return the id of an active flow with a welcome screen and a question."""
    screens = [
        {"type": "welcome", "name": "Hello", "content": {"title": "Good morning"}},
        {"type": "question_text", "name": "Name", "content": _QUESTION},
    ]
    flow = {"projectId": project_id, "name": "Tour", "status": "active", "is_default": True, "screens": screens}
    return str(api.post("/flows", json=flow).raise_for_status().json()["data"]["id"])


def _saved(page: Page) -> None:
    expect(page.get_by_role("status").filter(has_text="Saved ")).to_be_visible()


def _preview(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[title=Preview]")


def _open(visit: Visitor, project_id: str, flow_id: str, **options: Any) -> Visit:  # noqa: ANN401 - those of a visit
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}", **options)
    expect(opened.page.get_by_role("heading", name="Tour", level=1)).to_be_visible()
    return opened


def _names(page: Page) -> list[str]:
    screens = page.get_by_role("navigation", name="Screens")
    return screens.locator("button[id^=screen-] > p:first-child").all_inner_texts()


@pytest.fixture
def colleague(api: httpx.Client, stack: RunningStack, project_id: str, flow_id: str) -> str:
    """Return the address of another editor of the project."""
    address = f"editor-{flow_id}@example.com"
    _send(stack, address, "GET", "/user")
    api.post(f"/projects/{project_id}/members", json={"email": address, "role": "editor"}).raise_for_status()
    return address


def _send(stack: RunningStack, address: str, method: str, path: str, body: object = None) -> None:
    url, headers = f"{stack.management_url}/api{path}", {"Authorization": f"Bearer {stack.token(address)}"}
    httpx.request(method, url, headers=headers, json=body, trust_env=False).raise_for_status()


@pytest.mark.slow
def test_edit_is_seen_in_the_preview_and_published_to_devices(
    visit: Visitor, api: httpx.Client, stack: RunningStack, project_id: str, flow_id: str
) -> None:
    page = _open(visit, project_id, flow_id).page
    expect(_preview(page).get_by_role("heading", name="Good morning")).to_be_visible()
    page.get_by_role("textbox", name="Title", exact=True).fill("Good evening")
    expect(_preview(page).get_by_role("heading", name="Good evening")).to_be_visible()
    page.get_by_role("button", name="Add screen").click()
    page.get_by_role("dialog").get_by_role("button", name="Free trial").click()
    expect(_preview(page).get_by_text("Try everything for 7 days")).to_be_visible()
    _saved(page)

    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Publish the draft")
    expect(dialog.get_by_text("Hello: changed title from “Good morning” to “Good evening”")).to_be_visible()
    expect(dialog.get_by_text("Added Free trial")).to_be_visible()
    dialog.get_by_label("Note").fill("Evening words")
    dialog.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Version 2 is live")).to_be_visible()
    expect(page.get_by_text("All changes saved")).to_be_visible()

    [version, _] = api.get(f"/flows/{flow_id}/versions").json()["data"]
    assert (version["number"], version["note"]) == (2, "Evening words")
    [key] = api.get(f"/projects/{project_id}/api-keys").json()["data"]["secret_keys"]
    headers = {"X-Secret-Key": key["secret_key"], "X-Project-Id": project_id}

    def shown() -> bool:
        answer = httpx.post(
            f"{stack.edge_url}/api/onboarding/resolve", headers=headers, json={"deviceId": "d"}, trust_env=False
        )
        return "Good evening" in answer.text

    eventually(shown)


def test_screens_are_moved_copied_deleted_and_brought_back(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    page = _open(visit, project_id, flow_id).page
    hello = page.get_by_role("button", name="Hello Welcome", exact=True)
    hello.focus()
    page.keyboard.press("Alt+ArrowDown")
    assert _names(page) == ["Flow settings", "Name", "Hello"]
    page.get_by_role("button", name="Actions for Name").click()
    page.get_by_role("menuitem", name="Duplicate").click()
    assert _names(page) == ["Flow settings", "Name", "Name (copy)", "Hello"]
    _saved(page)
    page.get_by_role("button", name="Actions for Hello").press("Enter")
    page.get_by_role("menuitem", name="Delete").press("Enter")
    copy = page.get_by_role("button", name="Name (copy) Text question", exact=True)
    expect(copy).to_be_focused()
    page.keyboard.press("Control+z")
    assert _names(page) == ["Flow settings", "Name", "Name (copy)", "Hello"]
    page.get_by_role("button", name="Actions for Hello").click()
    page.get_by_role("menuitem", name="Move up").click()

    def stored() -> bool:
        screens = api.get(f"/flows/{flow_id}/draft").json()["data"]["document"]["screens"]
        return [screen["content"].get("answer_key") for screen in screens] == ["name", None, "name_2"]

    eventually(stored)
    # The address names the selected screen.
    copy.click()
    page.reload()
    expect(copy).to_have_attribute("aria-current", "true")


def test_conflict_between_two_people_shows_both_sides(
    visit: Visitor, api: httpx.Client, colleague: str, project_id: str, flow_id: str
) -> None:
    mine = _open(visit, project_id, flow_id)
    theirs = _open(visit, project_id, flow_id, user=colleague)
    theirs.page.get_by_role("textbox", name="Title", exact=True).fill("Theirs")
    _saved(theirs.page)
    mine.page.get_by_role("textbox", name="Title", exact=True).fill("Mine")
    dialog = mine.page.get_by_role("dialog", name="Two people changed this flow")
    expect(dialog.get_by_role("group", name="Your changes")).to_contain_text("“Mine”")
    expect(dialog.get_by_role("group", name="Their changes")).to_contain_text("“Theirs”")
    mine.assert_accessible()
    dialog.get_by_role("button", name="Keep my version").click()
    _saved(mine.page)
    theirs.page.get_by_role("textbox", name="Title", exact=True).fill("Theirs again")
    dialog = theirs.page.get_by_role("dialog", name="Two people changed this flow")
    dialog.get_by_role("button", name="Take their version").click()
    expect(theirs.page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Mine")
    assert api.get(f"/flows/{flow_id}/draft").json()["data"]["document"]["screens"][0]["content"]["title"] == "Mine"
    mine.forget_problems("412")
    theirs.forget_problems("412")


def _rename(page: Page, name: str) -> None:
    page.get_by_role("button", name="Flow settings").click()
    page.get_by_role("textbox", name="Name", exact=True).fill(name)


def test_one_person_in_two_tabs_keeps_the_changes_of_both(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    first, second = _open(visit, project_id, flow_id), _open(visit, project_id, flow_id)
    _rename(first.page, "Journey")
    _saved(first.page)
    second.page.get_by_role("textbox", name="Title", exact=True).fill("Good evening")
    _saved(second.page)
    expect(second.page.get_by_text("You have changed this draft in another tab.")).to_be_visible()
    document = api.get(f"/flows/{flow_id}/draft").json()["data"]["document"]
    assert (document["name"], document["screens"][0]["content"]["title"]) == ("Journey", "Good evening")
    second.forget_problems("412")


@pytest.mark.slow
def test_preview_shows_html_as_the_published_page_does(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    html = '<p title="All" class="red">Terms</p><form><input placeholder="Card"></form><script>alert(1)</script>'
    screens = [
        {"type": "custom", "name": "Terms", "content": {"html": html}},
        {"type": "welcome", "name": "Plan", "content": {"title": "Your plan", "image_url": "plan"}},
    ]
    api.put(f"/flows/{flow_id}/draft", json={"document": {"name": "Tour", "screens": screens}}).raise_for_status()
    page = _open(visit, project_id, flow_id).page
    preview = _preview(page)
    terms = preview.get_by_role("paragraph").filter(has_text="Terms")
    expect(terms).to_be_visible()
    assert terms.get_attribute("class") is None
    expect(preview.get_by_placeholder("Card")).to_have_count(0)
    page.get_by_role("textbox", name="HTML").fill("<h1 onclick='x()'>Rules</h1>")
    expect(preview.get_by_role("heading", name="Rules")).to_be_visible()
    page.get_by_role("button", name="Plan Welcome", exact=True).click()
    expect(preview.locator(".drawn svg")).to_be_visible()


def test_changes_wait_while_the_service_cannot_be_reached(visit: Visitor, project_id: str, flow_id: str) -> None:
    opened = _open(visit, project_id, flow_id)
    page = opened.page
    expect(_preview(page).get_by_role("heading", name="Good morning")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("textbox", name="Title", exact=True).fill("Offline")
    expect(page.get_by_text("Offline, 1 change waiting")).to_be_visible()
    page.get_by_role("textbox", name="Name of the screen").fill("Later")
    expect(page.get_by_text("Offline, 2 changes waiting")).to_be_visible()
    page.context.set_offline(False)
    _saved(page)
    page.reload()
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Offline")
    opened.problems[:] = [problem for problem in opened.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


@pytest.mark.slow
def test_unsaved_changes_survive_a_new_release(visit: Visitor, project_id: str, flow_id: str) -> None:
    opened = _open(visit, project_id, flow_id, clock=True)
    page = opened.page
    config = page.request.get(f"{opened.origin}/dashboard/config.json").json()
    page.route("**/dashboard/config.json", lambda route: route.fulfill(json={**config, "release": "next"}))
    page.route("**/draft", lambda route: route.abort())
    page.get_by_role("textbox", name="Title", exact=True).fill("Before the upgrade")
    page.clock.fast_forward("06:00")
    expect(page.get_by_text("A new version of the dashboard is available.")).to_be_visible()
    page.unroute("**/draft")
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Before the upgrade")
    page.clock.fast_forward("00:10")
    _saved(page)
    opened.problems.clear()


@pytest.mark.slow
def test_keyboard_saves_undoes_and_redoes(visit: Visitor, project_id: str, flow_id: str) -> None:
    page = _open(visit, project_id, flow_id, clock=True).page
    title = page.get_by_role("textbox", name="Title", exact=True)
    expect(_preview(page).get_by_role("heading", name="Good morning")).to_be_visible()
    # Without time there is no autosave.
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    title.fill("Good evening")
    with page.expect_request(lambda request: request.method == "PUT" and request.url.endswith("/draft")):
        page.keyboard.press("Control+s")
    page.clock.resume()
    _saved(page)
    page.keyboard.press("Control+z")
    expect(title).to_have_value("Good morning")
    page.keyboard.press("Control+y")
    expect(title).to_have_value("Good evening")
    _saved(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog", name="Publish the draft")).to_be_visible()


@pytest.mark.slow
def test_dialogs_of_the_editor_are_accessible(
    visit: Visitor, stack: RunningStack, colleague: str, project_id: str, flow_id: str
) -> None:
    opened = _open(visit, project_id, flow_id)
    page = opened.page
    page.get_by_role("textbox", name="Title", exact=True).fill("")
    _saved(page)
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Publish the draft")
    expect(dialog.get_by_text("To be fixed before publication")).to_be_visible()
    dialog.get_by_label("At a time").check()
    opened.assert_accessible()
    page.keyboard.press("Escape")
    _send(stack, colleague, "PUT", f"/flows/{flow_id}/draft", {"document": {"name": "Theirs"}})
    _rename(page, "Mine")
    expect(page.get_by_role("dialog", name="Two people changed this flow")).to_be_visible()
    opened.assert_accessible()
    opened.forget_problems("412")


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_links_lead_between_the_views_of_a_flow(visit: Visitor, project_id: str, flow_id: str, screen: str) -> None:
    page = _open(visit, project_id, flow_id, screen=screen).page
    links = page.get_by_role("navigation", name="Views of the flow").get_by_role("link")
    expect(links).to_have_text(["Screens", "Who sees it", "Translations", "History"])
    for name, heading in (("Who sees it", "Who sees this flow"), ("History", "History"), ("Screens", "Tour")):
        links.filter(has_text=name).click()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
        expect(page.locator("[aria-current=page]").filter(has_text=name)).to_be_visible()


def test_text_in_the_phone_opens_its_field_and_options_move_by_keyboard(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    options = [{"label": label, "value": label.lower()} for label in ("Run", "Swim", "Ride")]
    screens = [
        {"type": "question_single_choice", "name": "Sport", "content": {"question": "Sport?", "options": options}}
    ]
    flow = {"projectId": project_id, "name": "Tour", "screens": screens}
    flow_id = api.post("/flows", json=flow).raise_for_status().json()["data"]["id"]
    opened = _open(visit, project_id, flow_id)
    page = opened.page
    _preview(page).get_by_text("Swim").click()
    expect(page.get_by_role("group", name="Options 2").get_by_label("Label")).to_be_focused()
    _preview(page).get_by_role("heading", name="Sport?").click()
    expect(page.get_by_label("Question")).to_be_focused()

    page.get_by_role("button", name="Change the place of Options 3").focus()
    for key, place in (("Space", 3), ("ArrowUp", 2), ("ArrowUp", 1)):
        page.keyboard.press(key)
        expect(page.get_by_text(f"Options 3 is at place {place}")).to_be_attached()
    page.keyboard.press("Space")
    expect(page.get_by_label("Label").first).to_have_value("Ride")
    _saved(page)
    [screen] = api.get(f"/flows/{flow_id}/draft").json()["data"]["document"]["screens"]
    assert [option["value"] for option in screen["content"]["options"]] == ["ride", "run", "swim"]
    opened.assert_accessible()


def test_change_is_tested_by_a_copy_and_a_draft_of_an_experiment(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    opened = _open(visit, project_id, flow_id)
    page = opened.page
    page.get_by_role("button", name="Actions for Tour").click()
    page.get_by_role("menuitem", name="Test a change").click()
    dialog = page.get_by_role("dialog", name="Test a change")
    expect(dialog.get_by_label("Name")).to_have_value("Test of Tour")
    opened.assert_accessible()
    dialog.get_by_role("button", name="Create the test").click()
    expect(page.get_by_role("heading", name="Tour (copy)", level=1)).to_be_visible()
    [experiment] = api.get("/experiments", params={"projectId": project_id}).json()["data"]
    flows = [variant["flow_id"] for variant in experiment["variants"]]
    assert (experiment["status"], [variant["weight"] for variant in experiment["variants"]]) == ("draft", [50, 50])
    assert (flows[0], page.url.endswith(flows[1])) == (flow_id, True)
