"""The translations of a flow: typed in place, saved into the draft, and exchanged as files."""

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.support.polling import eventually


@pytest.fixture
def flow_id(api: httpx.Client, project_id: str) -> str:
    """Return the id of a flow with two screens, in a project of two languages."""
    settings = {"default_locale": "en", "locales": ["en", "ar"]}
    api.put(f"/projects/{project_id}", json={"settings": settings}).raise_for_status()
    screens = [
        {"type": "welcome", "name": "Hello", "content": {"title": "Welcome", "subtitle": "Two questions"}},
        {"type": "feature", "content": {"title": "What it does"}},
    ]
    flow = {"projectId": project_id, "name": "Tour", "screens": screens}
    return str(api.post("/flows", json=flow).raise_for_status().json()["data"]["id"])


def _texts(api: httpx.Client, flow_id: str) -> dict[str, str]:
    found = api.get(f"/flows/{flow_id}/translations", params={"locale": "ar"}).raise_for_status().json()["data"]
    return {row["base"]: row["text"] for row in found["rows"]}


def test_texts_are_typed_with_the_keyboard_and_survive_a_lost_connection(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}")
    page = opened.page
    page.get_by_role("navigation", name="Views of the flow").get_by_role("link", name="Translations").click()
    first = page.get_by_role("textbox", name="Translation of “Welcome”")
    assert first.get_attribute("dir") == "rtl"
    first.fill("أهلا")
    first.press("Enter")
    expect(page.get_by_role("textbox", name="Translation of “Two questions”")).to_be_focused()
    eventually(lambda: _texts(api, flow_id)["Welcome"] == "أهلا")
    expect(page.get_by_role("row").filter(has_text="Welcome")).to_contain_text("Done")
    opened.assert_accessible()
    page.get_by_role("combobox", name="Language").click()
    expect(page.get_by_role("option", name="Arabic, 33%")).to_be_visible()
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    page.get_by_role("textbox", name="Translation of “Two questions”").fill("سؤالان")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Not saved. Trying again…")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("textbox", name="Translation of “Two questions”")).to_have_value("سؤالان")
    eventually(lambda: _texts(api, flow_id)["Two questions"] == "سؤالان")
    opened.problems[:] = [problem for problem in opened.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_files_are_exported_and_imported(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str, tmp_path: Path
) -> None:
    page = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}/translations?state=missing").page
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="JSON").click()
    rows = json.loads(download.value.path().read_text())
    assert sorted(row["base"] for row in rows.values()) == ["Two questions", "Welcome", "What it does"]
    file = tmp_path / "translated.json"
    file.write_text(json.dumps({**{key: {**row, "text": "نص"} for key, row in rows.items()}, "screen_0/title": "x"}))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("3 texts imported, 0 unchanged.")).to_be_visible()
    dialog = page.get_by_role("dialog", name="1 text was skipped")
    expect(dialog).to_contain_text("screen_0/title")
    assert set(_texts(api, flow_id).values()) == {"نص"}
    page.keyboard.press("Escape")
    expect(page.get_by_text("No text matches")).to_be_visible()


def test_texts_of_all_flows_are_translated_confirmed_and_emptied_in_one_table(
    visit: Visitor, api: httpx.Client, project_id: str, flow_id: str
) -> None:
    localizations = {"ar": {"/title": {"text": "قديم", "source": "Former"}}}
    screen = {"type": "welcome", "content": {"title": "Other"}, "localizations": localizations}
    flow = {"projectId": project_id, "name": "Second", "screens": [screen]}
    other = str(api.post("/flows", json=flow).raise_for_status().json()["data"]["id"])
    opened = visit(f"/dashboard/projects/{project_id}/flows/{flow_id}/translations")
    page = opened.page
    page.get_by_role("link", name="All flows").click()
    row = page.get_by_role("row").filter(has_text="Second")
    expect(row).to_contain_text("Outdated")
    row.get_by_role("button", name="Confirm the translation of “Other”").click()
    expect(row).to_contain_text("Done")
    page.get_by_role("textbox", name="Translation of “Welcome”").fill("أهلا")
    opened.assert_accessible()
    eventually(lambda: _texts(api, flow_id)["Welcome"] == "أهلا")
    row.get_by_role("textbox").fill("")
    row.get_by_role("textbox").press("Enter")
    expect(row).to_contain_text("Missing")
    assert _texts(api, other) == {"Other": ""}
    page.get_by_label("Search texts").fill("second")
    expect(page.get_by_role("row").filter(has_text="What it does")).to_have_count(0)
