"""Layouts and backgrounds of screens: what is in sight on each device, contrast, and no shift of the layout."""

import io
from typing import Any, Literal

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.pages.bridge import listen
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import OBSERVE_SHIFTS, axe_violations, in_sight, watch

_DEVICES = {
    "phone": (390, 844),
    "small phone": (320, 568),
    "phone on its side": (844, 390),
    "tablet": (768, 1024),
    "tablet on its side": (1024, 768),
    "foldable": (717, 512),
}
_ADDRESS = "/media/proj_1/white.webp"
_PICTURE = {"url": _ADDRESS, "width": 400, "height": 300, "alt": "", "placeholder": "#ffffff", "srcset": []}
_LAYOUTS = ("standard", "hero", "cover", "split_top", "centered")


def _screen(settings: dict[str, Any], **content: object) -> dict[str, Any]:
    texts = {"title": "A plan that fits your week", "subtitle": "Answer four short questions.", "button_text": "Start"}
    return {"type": "welcome", "settings": settings, "content": {**texts, "image_url": _PICTURE, **content}}


def _white() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(file, "WEBP")
    return file.getvalue()


@pytest.fixture
def pages(pages: PageServer) -> PageServer:
    """Return the server with a white picture: it is the hardest one for the texts of a cover."""
    pages.media[_ADDRESS] = _white()
    return pages


@pytest.mark.parametrize("device", _DEVICES)
def test_heading_and_button_are_in_sight_in_every_layout(browser: Browser, pages: PageServer, device: str) -> None:
    width, height = _DEVICES[device]
    screens = [_screen({"layout": layout}) for layout in _LAYOUTS]
    pages.html = flow_page([*screens, _screen({"background": _PICTURE})])
    with browser.new_context(viewport={"width": width, "height": height}, has_touch=True) as context:
        context.add_init_script(OBSERVE_SHIFTS)
        page = context.new_page()
        problems = watch(page)
        listen(page, "flutter")
        page.goto(pages.url())
        for layout in (*_LAYOUTS, "standard"):
            frame = page.locator(f'.frame[data-layout="{layout}"]:not([data-settling])')
            frame.locator(".picture.loaded").first.wait_for()
            assert in_sight(page, "#heading"), layout
            assert in_sight(page, ".footer .primary"), layout
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), layout
            page.locator(".footer .primary").click()
        # Pictures have their space before they are there, and transitions move nothing but layers.
        assert page.evaluate("window.shifts") == []
        assert problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_on_pictures_and_gradients_have_contrast(
    browser: Browser, pages: PageServer, scheme: Literal["light", "dark"]
) -> None:
    gradient = {"gradient": ["#ffffff", "#000000"], "angle": 90}
    pages.html = flow_page([_screen({"layout": "cover"}), _screen({"background": gradient}, image_url=None)])
    with browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(pages.url())
        page.locator(".picture.loaded").wait_for()
        shot = Image.open(io.BytesIO(page.screenshot())).convert("L")
        # Beside the heading lies nothing but the scrim on white.
        box = page.locator("#heading").bounding_box()
        assert box is not None
        beside = shot.crop((4, int(box["y"]), 5, int(box["y"]) + 1)).tobytes()
        assert max(beside) <= 102
        assert axe_violations(page) == []
        page.locator(".frame:not([data-settling]) .footer .primary").click()
        page.locator(".frame[data-behind]").wait_for()
        assert "linear-gradient(90deg" in page.evaluate(
            "getComputedStyle(document.querySelector('.app')).backgroundImage"
        )
        assert axe_violations(page) == []


def test_illustration_has_the_colours_of_the_theme(page: Page, pages: PageServer) -> None:
    screen = _screen({"layout": "hero"}, image_url=None, illustration="goal")
    pages.html = flow_page([screen], theme={"colors": {"primary": "#1f7a4d"}})
    page.goto(pages.url())
    drawing = page.locator(".media .drawn svg circle").first
    drawing.wait_for()
    assert drawing.evaluate("drawing => getComputedStyle(drawing).fill") == "rgb(31, 122, 77)"


def test_options_with_pictures_stand_in_two_columns(page: Page, pages: PageServer) -> None:
    options = [{"value": name, "label": name.title(), "image": _PICTURE} for name in ("sea", "hills", "town")]
    mixed = [{"label": "Yes", "icon": "heart"}, {"label": "No", "emoji": "\N{CROSS MARK}"}, "Perhaps"]
    pages.html = flow_page(
        [
            {"type": "question_single_choice", "content": {"question": "Where to?", "options": options}},
            {"type": "question_multiple_choice", "content": {"question": "Sure?", "options": mixed}},
        ]
    )
    page.goto(pages.url())
    page.locator(".grid .card .picture.loaded").nth(2).wait_for()
    boxes = [box for card in page.locator(".card").all() if (box := card.bounding_box()) is not None]
    assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"]
    assert axe_violations(page) == []
    # A screen takes no presses in its first moment.
    page.locator(".frame:not([data-settling]) .card", has_text="Hills").click()
    page.locator(".frame:not([data-settling]) .footer .primary").click()
    page.locator(".cards:not(.grid) .card .badge svg").wait_for()
    assert page.locator(".card > .emoji").text_content() == "\N{CROSS MARK}"
    assert axe_violations(page) == []


def test_layout_without_its_picture_is_the_standard_one(page: Page, pages: PageServer) -> None:
    pages.html = flow_page([_screen({"layout": "hero"}, image_url=None), _screen({"layout": "cover"}, image_url=None)])
    page.goto(pages.url())
    page.locator('.frame[data-layout="standard"]:not([data-settling]) .footer .primary').click()
    page.locator('.frame[data-layout="standard"] .back').wait_for()
    assert page.locator(".media").count() == 0


def test_picture_of_the_background_follows_the_colour_scheme(browser: Browser, pages: PageServer) -> None:
    address = "/media/proj_1/dark.webp"
    dark = {**_PICTURE, "url": address}
    pages.media[address] = _white()
    pages.html = flow_page([_screen({"background": {**_PICTURE, "dark": dark, "overlay": 0.2}}, image_url=None)])
    with browser.new_context(color_scheme="light") as context:
        page = context.new_page()
        page.goto(pages.url())
        page.locator(f'.backdrop img[src="{_ADDRESS}"]').wait_for()
        page.emulate_media(color_scheme="dark")
        page.locator(f'.backdrop img[src="{address}"]').wait_for()
