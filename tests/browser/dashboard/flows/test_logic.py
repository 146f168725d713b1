"""Journeys through the logic of a flow: rules and variables in the form, the player beside the phone, the map."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.members import add_member
from tests.support.servers.local_stack import RunningStack

_GOAL = {
    "question": "What is your goal?",
    "answer_key": "goal",
    "options": [{"label": "Lose weight", "value": "lose"}, {"label": "Gain strength", "value": "gain"}],
}


def _flow(api: httpx.Client, project_id: str, *rules: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the id of a flow with three screens, and their ids. In its draft the first screen has the rules."""
    screens: list[dict[str, Any]] = [
        {"type": "question_single_choice", "name": "Goal", "content": _GOAL},
        {"type": "welcome", "name": "Food", "content": {"title": "What you eat"}},
        {"type": "welcome", "name": "Weight", "content": {"title": "Your weight"}},
    ]
    flow = {"projectId": project_id, "name": "Plan", "status": "active", "is_default": True, "screens": screens}
    created = api.post("/flows", json=flow).raise_for_status().json()["data"]
    ids = [screen["id"] for screen in created["screens"]]
    if rules:
        for screen, screen_id in zip(screens, ids, strict=True):
            screen["id"] = screen_id
        targets = dict(enumerate(ids))
        screens[0]["next"] = [{**rule, "go_to": targets.get(rule["go_to"], rule["go_to"])} for rule in rules]
        document = {"name": "Plan", "screens": screens}
        api.put(f"/flows/{created['id']}/draft", json={"document": document}).raise_for_status()
    return created["id"], ids


def _paths(flow_id: str, *links: tuple[str | None, str, str | None, int]) -> dict[str, Any]:
    """Return a response of the paths of a flow that ten users started."""
    members = ("from_screen_id", "to_screen_id", "rule", "users")
    listed = [{**dict(zip(members, link, strict=True)), "completed": 0} for link in links]
    days = {"from": "2026-01-01", "to": "2026-01-07"}
    return {"data": {"flow_id": flow_id, **days, "started": 10, "completed": 0, "screens": [], "links": listed}}


def _open(visit: Visitor, project_id: str, flow_id: str) -> Page:
    page = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}").page
    expect(page.get_by_role("heading", name="Plan", level=1)).to_be_visible()
    return page


def _preview(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[title=Preview]")


def _choose(page: Page, field: str, option: str) -> None:
    page.get_by_role("combobox", name=field, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.slow
def test_rule_is_built_from_options_followed_by_the_preview_and_worded_in_the_review(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    flow_id, ids = _flow(api, project_id)
    page = _open(visit, project_id, flow_id)
    page.get_by_role("button", name="Logic", exact=True).click()
    expect(page.get_by_role("heading", name="Logic")).to_be_focused()
    rules = page.get_by_role("group", name="After this screen")
    expect(rules.get_by_text("Go to Food.")).to_be_visible()
    rules.get_by_role("button", name="Add rule").click()
    _choose(page, "Value of condition 1", "Gain strength")
    _choose(page, "Target of rule 1", "Weight")
    expect(rules.get_by_text("Otherwise go to Food.")).to_be_visible()
    preview = _preview(page)
    preview.get_by_text("Gain strength").click()
    preview.get_by_role("button", name="Continue").click()
    expect(preview.get_by_role("heading", name="Your weight")).to_be_visible()

    page.get_by_role("button", name="Food Welcome", exact=True).click()
    page.get_by_role("group", name="Show this screen only if").get_by_role("button", name="Add condition").click()
    expect(page.get_by_role("status").filter(has_text="Saved ")).to_be_visible()
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Publish the draft")
    expect(dialog.get_by_text("From Goal: if Goal is “Gain strength”, go to Weight")).to_be_visible()
    expect(dialog.get_by_text("Food: shown only if Goal is “Lose weight”")).to_be_visible()
    dialog.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Version 2 is live")).to_be_visible()
    goal, food, _ = api.get(f"/flows/{flow_id}").json()["data"]["screens"]
    condition = {"attribute": "answers.goal", "operator": "eq"}
    assert goal["next"] == [{"id": "rule_1", "when": [{**condition, "value": "gain"}], "go_to": ids[2]}]
    assert food["show_if"] == [{**condition, "value": "lose"}]


def test_move_in_the_way_of_a_rule_asks_and_one_undo_brings_both_back(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    condition = {"attribute": "answers.goal", "operator": "eq", "value": "away"}
    flow_id, ids = _flow(api, project_id, {"when": [condition], "go_to": 1})
    page = _open(visit, project_id, flow_id)
    expect(page.get_by_text("No option of the question has this value.")).to_be_visible()
    page.get_by_role("button", name="Goal Single choice", exact=True).focus()
    page.keyboard.press("Alt+ArrowDown")
    dialog = page.get_by_role("dialog", name="A rule is in the way of Goal")
    expect(dialog.get_by_text("From Goal: if Goal is “away”, go to Food")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Rule 1")).to_be_visible()
    page.keyboard.press("Alt+ArrowDown")
    dialog.get_by_role("button", name="Move the screen and remove the rule").press("Enter")
    expect(page.get_by_role("group", name="Rule 1")).to_have_count(0)
    names = page.get_by_role("navigation", name="Screens").locator("button[id^=screen-] > p:first-child")
    assert names.all_inner_texts() == ["Flow settings", "Food", "Goal", "Weight"]
    page.keyboard.press("Control+z")
    expect(page.get_by_role("group", name="Rule 1")).to_be_visible()
    assert names.all_inner_texts() == ["Flow settings", "Goal", "Food", "Weight"]
    page.get_by_role("button", name="Actions for Food").click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog", name="A rule leads to Food")
    dialog.get_by_role("button", name="Delete the screen and remove the rule").click()
    expect(page.get_by_role("status").filter(has_text="Saved ")).to_be_visible()
    screens = api.get(f"/flows/{flow_id}/draft").json()["data"]["document"]["screens"]
    assert [(screen["id"], "next" in screen) for screen in screens] == [(ids[0], False), (ids[2], False)]


@pytest.mark.slow
def test_map_is_walked_by_keyboard_and_selects_the_screen_in_the_form(
    visit: Visitor, api: httpx.Client, project_id: str
) -> None:
    condition = {"attribute": "answers.goal", "operator": "eq", "value": "lose"}
    flow_id, ids = _flow(api, project_id, {"when": [condition], "go_to": 2}, {"when": [], "go_to": "end"})
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}")
    page = opened.page
    page.get_by_role("radio", name="Map").locator("..").click()
    flow_map = page.get_by_role("region", name="Map of the flow")
    expect(flow_map.get_by_role("button", name="Food Welcome No path leads to this screen.")).to_be_visible()
    expect(flow_map.get_by_role("list", name="Screens and where they lead")).to_contain_text(
        "Leads to Weight: Goal is “Lose weight”"
    )
    paths = _paths(flow_id, (None, ids[0], None, 8), (ids[0], ids[2], "rule_1", 2), (ids[0], "left", None, 6))
    page.route("**/api/analytics/paths?*", lambda route: route.fulfill(json=paths))
    _choose(page, "Users on the arrows", "Last 7 days")
    expect(flow_map.get_by_role("status")).to_contain_text("10 users started the live flow.")
    expect(flow_map.get_by_role("list", name="Screens and where they lead")).to_contain_text(
        "Leads to Weight: Goal is “Lose weight”. 25% of its users, 2"
    )
    expect(flow_map.get_by_role("button", name="Goal Single choice 75% · 6")).to_be_visible()
    name = page.get_by_role("textbox", name="Name of the screen")
    flow_map.get_by_role("button", name="Goal Single choice").focus()
    page.keyboard.press("ArrowDown")
    expect(flow_map.get_by_role("button", name="Weight Welcome")).to_be_focused()
    expect(name).to_have_value("Weight")
    page.keyboard.press("ArrowLeft")
    expect(name).to_have_value("Food")
    page.keyboard.press("Alt+ArrowRight")
    expect(flow_map.get_by_role("button", name="Food Welcome")).to_be_focused()
    opened.assert_accessible()
    page.keyboard.press("Control+z")
    expect(flow_map.get_by_role("button", name="Food Welcome")).to_be_focused()
    flow_map.get_by_role("button", name="Goal Single choice").click()
    expect(name).to_have_value("Goal")


@pytest.mark.slow
def test_variable_in_a_text_is_filled_by_answers_in_the_phone_and_the_player(
    visit: Visitor, api: httpx.Client, stack: RunningStack, project_id: str
) -> None:
    flow_id, ids = _flow(api, project_id, {"when": [], "go_to": 2})
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}")
    page = opened.page
    page.get_by_role("button", name="Flow settings").click()
    page.get_by_role("button", name="Add variable").click()
    page.get_by_role("textbox", name="Name of variable 1").fill("days")
    formula = page.get_by_role("textbox", name="Formula of days")
    formula.fill('if(answers.goal == "lose", 30, sixty)')
    expect(page.get_by_text("At character 32: sixty is unknown.")).to_be_visible()
    formula.fill('if(answers.goal == "lose", 30, 60)')
    page.get_by_role("button", name="Weight Welcome", exact=True).click()
    page.get_by_role("textbox", name="Title", exact=True).fill("Days: ")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Goal")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Days: {{variables.days|}}")
    opened.assert_accessible()

    page.get_by_role("radio", name="Try it").locator("..").click()
    player = page.get_by_role("region", name="Try it")
    player.get_by_role("button", name="Restart").click()
    preview = _preview(page)
    preview.get_by_text("Gain strength").click()
    preview.get_by_role("button", name="Continue").click()
    expect(preview.get_by_role("heading", name="Days: 60")).to_be_visible()
    expect(player.get_by_role("list", name="Path").get_by_role("listitem")).to_have_count(2)
    _choose(page, "Answer on Goal", "Lose weight")
    player.get_by_role("button", name="Next", exact=True).click()
    expect(preview.get_by_role("heading", name="Days: 30")).to_be_visible()
    player.get_by_role("button", name="Find all paths").click()
    expect(player.get_by_text("1 path", exact=True)).to_be_visible()
    opened.assert_accessible()
    expect(page.get_by_role("status").filter(has_text="Saved ")).to_be_visible()
    document = api.get(f"/flows/{flow_id}/draft").json()["data"]["document"]
    assert document["variables"] == [{"name": "days", "formula": 'if(answers.goal == "lose", 30, 60)'}]
    assert document["screens"][2]["id"] == ids[2]
    assert document["screens"][2]["content"]["title"] == "Days: {{variables.days|}}"

    viewer = add_member(api, stack, project_id, "viewer")
    page = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}", user=viewer).page
    page.get_by_role("radio", name="Try it").locator("..").click()
    player = page.get_by_role("region", name="Try it")
    player.get_by_role("button", name="Restart").click()
    _choose(page, "Answer on Goal", "Lose weight")
    player.get_by_role("button", name="Next", exact=True).click()
    expect(_preview(page).get_by_role("heading", name="Days: 30")).to_be_visible()
