"""Looks of themes on screens of many types and layouts: contrast, names and sizes, and no shift of the layout."""

from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.pages.flows import ALL_TYPES
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import axe_violations_in_both_schemes
from tests.support.media_files import encoded
from tests.support.polling import eventually

_ADDRESS = "/media/proj_1/grey.webp"
_PICTURE = {"url": _ADDRESS, "width": 400, "height": 300, "alt": "", "placeholder": "#777777"}
_THEMES: dict[str, dict[str, Any]] = {
    "two palettes": {
        "colors": {
            "primary": "#0f766e",
            "background": "#f0fdfa",
            "dark": {"primary": "#2dd4bf", "background": "#042f2e", "text": "#ccfbf1"},
        },
        "typography": {"align": "center", "letterSpacing": 0.02, "weights": {"heading": 800, "body": 500}},
        "button": {"style": "outline", "shape": "pill", "shadow": True, "height": 60},
        "choice": "chip",
        "progress": "steps",
        "transition": "fade",
        "spacing": "compact",
    },
    "always dark": {
        "colors": {"primary": "#facc15", "surface": "#27272a"},
        "appearance": "dark",
        "button": {"style": "soft", "shape": "square"},
        "choice": "list",
        "progress": "dots",
        "transition": "lift",
        "spacing": "airy",
    },
    "a gradient": {
        "colors": {"primary": "#7c3aed"},
        "background": {"gradient": ["#ede9fe", "#fce7f3"], "angle": 160},
        "button": {"style": "glass", "shape": "rounded"},
        "choice": "image_grid",
        "progress": "none",
        "transition": "none",
    },
    "an image": {
        "colors": {"primary": "#be123c", "text": "#3f0d1c"},
        "background": {**_PICTURE, "tones": ["#6b7280", "#f9fafb"], "overlay": 0.2},
        "button": {"style": "filled"},
        "choice": "card",
        "progress": "bar",
        "transition": "slide",
    },
}
_OF_TYPE = {screen["type"]: screen for screen in ALL_TYPES}
#: Each new type stands in a layout with a picture, and questions in the standard one.
_SCREENS = [
    _OF_TYPE["question_single_choice"],
    _OF_TYPE["question_multiple_choice"],
    *(
        {**_OF_TYPE[kind], "settings": {"layout": layout}, "content": {**_OF_TYPE[kind]["content"], "image": _PICTURE}}
        for kind, layout in (("consent", "hero"), ("summary", "cover"), ("comparison", "split_top"))
    ),
    _OF_TYPE["social_proof"],
]
_OBSERVE = """
    window.shifts = []
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value)
    }).observe({ type: "layout-shift", buffered: true })
"""


@pytest.mark.parametrize("name", _THEMES)
def test_looks_keep_contrast_and_shift_nothing(page: Page, pages: PageServer, name: str) -> None:
    # A picture that cannot be loaded leaves the page, which moves the texts.
    pages.media[_ADDRESS] = encoded(Image.new("RGB", (400, 300), "#6b7280"), "WEBP")
    pages.html = flow_page(_SCREENS, theme={"colors": {}, **_THEMES[name]})
    page.add_init_script(_OBSERVE)
    page.goto(pages.url())
    for screen in _SCREENS:
        content = screen["content"]
        frame = page.locator(".frame:not([data-settling])")
        expect(frame.get_by_role("heading", level=1)).to_have_text(content.get("question") or content["title"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert axe_violations_in_both_schemes(page) == []
        for box in frame.locator("main input").all()[:1]:
            box.check(force=True)
        frame.locator(".footer .primary").click()
    eventually(lambda: "flow_completed" in pages.event_types())
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("settings", [{"auto_advance_seconds": 30, "delay_seconds": 20}, {"auto_advance_seconds": 1}])
def test_loading_screen_with_times_goes_on_once(page: Page, pages: PageServer, settings: dict[str, int]) -> None:
    loading = {"type": "loading", "content": {"title": "One moment", "steps": ["Reading"], "seconds": 1}}
    pages.html = flow_page([{**loading, "settings": settings}, *_SCREENS[-2:]])
    page.goto(pages.url())
    expect(page.get_by_role("heading", name=_SCREENS[-2]["content"]["title"])).to_be_visible()
    expect(page.locator(".footer .primary")).to_be_visible()
    eventually(lambda: pages.event_types().count("screen_viewed") == 2)
    assert pages.event_types().count("screen_completed") == 1
