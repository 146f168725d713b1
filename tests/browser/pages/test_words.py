"""The words of pages in the language of their texts, from the first paint."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages.flows import QUESTIONS
from tests.browser.pages.page_server import PageServer, flow_page

WORDS = Path(__file__).parents[3] / "web" / "pages" / "src" / "words"
_FIRST_LABEL = """
new MutationObserver(() => { window.first ??= document.querySelector(".primary")?.textContent })
  .observe(document, {childList: true, subtree: true})
"""


@pytest.mark.parametrize(("locale", "language"), [("de-AT", "de"), ("ar", "ar"), ("zh-TW", "zh-Hant")])
def test_page_has_the_words_of_its_language(page: Page, pages: PageServer, locale: str, language: str) -> None:
    words = json.loads((WORDS / f"{language}.json").read_text())
    pages.html = flow_page([{**QUESTIONS[1], "settings": {"skippable": True}}, QUESTIONS[2]], locale=locale)
    page.add_init_script(_FIRST_LABEL)
    page.goto(pages.url())
    expect(page.get_by_role("button", name=words["skip"])).to_be_visible()
    page.locator(".frame:not([data-settling]) .primary").click()
    expect(page.locator("[role=alert]")).to_have_text(words["fill"])
    assert page.evaluate("first") == words["continue"]
