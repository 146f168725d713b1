"""The language switch of the editor: texts are translated beside the preview, and saved as each change of the draft."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


@pytest.fixture
def flow_id(api: httpx.Client, project_id: str) -> str:
    """Return the id of a flow with two screens, in a project of three languages."""
    settings = {"default_locale": "en", "locales": ["en", "ar", "de"]}
    api.put(f"/projects/{project_id}", json={"settings": settings}).raise_for_status()
    screens = [
        {
            "type": "welcome",
            "name": "Hello",
            "content": {"title": "Welcome", "subtitle": "Two questions"},
            "localizations": {"ar": {"/subtitle": {"text": "سؤال", "source": "One question"}}},
        },
        {"type": "feature", "name": "More", "content": {"title": "What it does"}},
    ]
    flow = {"projectId": project_id, "name": "Tour", "screens": screens}
    return str(api.post("/flows", json=flow).raise_for_status().json()["data"]["id"])


def _states(api: httpx.Client, flow_id: str) -> dict[str, tuple[str, str]]:
    found = api.get(f"/flows/{flow_id}/translations", params={"locale": "ar"}).raise_for_status().json()["data"]
    return {row["pointer"]: (row["text"], row["state"]) for row in found["rows"] if row["screen_name"] == "Hello"}


def test_texts_are_translated_beside_the_preview_and_never_lost(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}")
    page = opened.page
    language = page.get_by_role("combobox", name="Language of the texts")
    language.focus()
    language.press("Enter")
    expect(page.get_by_role("option", name="English (base)")).to_be_visible()
    page.get_by_role("option", name="Arabic, 0%").click()
    title = page.get_by_role("textbox", name="Title in Arabic", exact=True)
    expect(title).to_have_accessible_description("Welcome")
    expect(title).to_have_attribute("dir", "rtl")
    expect(page.get_by_text("Screens, their order and logic are locked")).to_be_visible()
    expect(page.get_by_role("button", name="Add screen")).to_be_hidden()
    shown = page.frame_locator("iframe[title=Preview]")
    expect(shown.get_by_text("سؤال")).to_be_visible()
    expect(shown.locator("html")).to_have_attribute("dir", "rtl")
    page.get_by_role("button", name="Confirm: Subtitle").click()
    title.fill("أهلا")
    expect(shown.get_by_role("heading", name="أهلا")).to_be_visible()
    eventually(lambda: _states(api, flow_id) == {"/title": ("أهلا", "done"), "/subtitle": ("سؤال", "done")})
    opened.assert_accessible()
    page.keyboard.press("Control+z")
    eventually(lambda: _states(api, flow_id)["/title"] == ("", "missing"))
    page.get_by_role("button", name="Copy base: Title").click()
    eventually(lambda: _states(api, flow_id)["/title"] == ("Welcome", "done"))
    page.context.set_offline(True)
    title.fill("مرحبا")
    expect(page.get_by_text("Offline, 1 change waiting")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("textbox", name="Title in Arabic", exact=True)).to_have_value("مرحبا")
    eventually(lambda: _states(api, flow_id)["/title"] == ("مرحبا", "done"))
    shown.get_by_text("سؤال").click()
    expect(page.get_by_role("textbox", name="Subtitle in Arabic")).to_be_focused()
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Publish the draft")
    expect(dialog).to_contain_text("The flow has 1 missing translation into Arabic")
    expect(dialog).to_contain_text("The flow has 3 missing translations into German")
    expect(dialog).to_contain_text("Hello: confirmed Arabic subtitle")
    dialog.get_by_role("checkbox", name="Publish despite the warnings").check()
    dialog.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Version 2 is live")).to_be_visible()
    opened.problems[:] = [problem for problem in opened.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_deleted_screen_comes_back_without_translations_that_nothing_takes(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    url = f"/flows/{flow_id}"
    live = api.get(url).raise_for_status().json()["data"]
    texts = {"ar": {"/title": "نص"}, "de": {"/title": "Text"}}
    screen = {
        "id": f"{live['screens'][0]['id'][:-4]}0000",
        "type": "welcome",
        "name": "New",
        "content": {"title": "A"},
        "localizations": texts,
    }
    screens = [{name: value for name, value in one.items() if name != "order"} for one in live["screens"]]
    document = {name: live[name] for name in ("name", "targeting")} | {"screens": [*screens, screen]}
    api.put(f"{url}/draft", json={"document": document, "base_version": 1}).raise_for_status()
    api.put(f"/projects/{project_id}", json={"settings": {"locales": ["en", "ar"]}}).raise_for_status()
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}")
    page = opened.page

    def saved() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = api.get(f"{url}/draft").raise_for_status().json()["data"]["document"]["screens"]
        return found

    page.get_by_role("button", name="Actions for New").click()
    page.get_by_role("menuitem", name="Delete").click()
    eventually(lambda: len(saved()) == len(live["screens"]))
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    eventually(lambda: [*saved()[-1].get("localizations", {})] == ["ar"])
    expect(page.get_by_text(re.compile("^Saved"))).to_be_visible()
    opened.problems[:] = [problem for problem in opened.problems if "400 (Bad Request)" not in problem]


def test_viewer_reads_translations_and_changes_none(
    visit: Visitor, api: httpx.Client, stack: RunningStack, project_id: str, flow_id: str
) -> None:
    viewer = f"viewer-{flow_id}@example.com"
    headers = {"Authorization": f"Bearer {stack.token(viewer)}"}
    httpx.get(f"{stack.management_url}/api/user", headers=headers, trust_env=False).raise_for_status()
    api.post(f"/projects/{project_id}/members", json={"email": viewer, "role": "viewer"}).raise_for_status()
    page = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}?locale=ar", user=viewer).page
    expect(page.get_by_role("textbox", name="Subtitle in Arabic")).to_have_value("سؤال")
    expect(page.get_by_role("textbox", name="Subtitle in Arabic")).to_be_disabled()
    expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
