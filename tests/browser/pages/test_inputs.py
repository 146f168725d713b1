"""Inputs as phones have them: wheels, the keyboard beside them, and choices that go on by themselves."""

import json
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.browser.pages.bridge import listen, messages_until_close
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import watch

_ROW = 44
_SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
}).observe({type: "layout-shift", buffered: true});"""


def _picker(question: str, **content: object) -> dict[str, Any]:
    return {"type": "question_picker", "content": {"question": question, **content}}


_PICKERS = [
    _picker("Height?", picker="height", default_value=175),
    _picker("Born?", picker="date", default_value="1995-06-15"),
    _picker("When?", picker="time", default_value="07:30"),
    _picker("Year?", picker="number", min_value=1930, max_value=2015, default_value=1990),
]


def _box(wheel: Locator) -> FloatRect:
    box = wheel.bounding_box()
    assert box is not None
    return box


def _settle(page: Page) -> None:
    """Wait until the screen takes presses."""
    expect(page.locator("[data-settling]")).to_have_count(0)


def _turn(page: Page, wheel: Locator, rows: int) -> None:
    """Turn a wheel as a finger does."""
    _settle(page)
    box = _box(wheel)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, rows * _ROW)


def _press_row(page: Page, wheel: Locator, rows: int) -> None:
    """Press a row below the middle of a wheel."""
    _settle(page)
    box = _box(wheel)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + rows * _ROW)


def _go_on(page: Page) -> None:
    _settle(page)
    page.locator(".primary").click()


@pytest.mark.parametrize(
    ("size", "locale", "motion"),
    [((390, 844), "en-US", "no-preference"), ((320, 568), "ar", "reduce")],
)
def test_wheels_are_turned_and_pressed_and_their_answers_kept(
    browser: Browser, pages: PageServer, size: tuple[int, int], locale: str, motion: Literal["no-preference", "reduce"]
) -> None:
    with browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale=locale, reduced_motion=motion
    ) as context:
        page = context.new_page()
        problems = watch(page)
        page.add_init_script(_SHIFTS)
        listen(page, "flutter")
        pages.html = flow_page(_PICKERS)
        page.goto(pages.url())
        wheels, number = page.locator(".wheel"), page.get_by_role("spinbutton")
        _turn(page, wheels, 3)
        expect(number).to_have_value("178")
        _press_row(page, wheels, 1)
        expect(number).to_have_value("179")
        _go_on(page)

        day, month, year = (page.get_by_role("combobox", name=name) for name in ("Day", "Month", "Year"))
        _turn(page, page.locator("[aria-label=Year] ~ .wheel"), -2)
        expect(year).to_have_value("1997")
        # A list of the keyboard turns its wheel.
        day.select_option("30")
        _press_row(page, page.locator("[aria-label=Day] ~ .wheel"), -1)
        expect(day).to_have_value("29")
        expect(month).to_have_value("June")
        _go_on(page)

        _turn(page, wheels.nth(1), 5)
        expect(page.get_by_label("When?")).to_have_value("07:35")
        _press_row(page, wheels.nth(0), -1)
        expect(page.get_by_label("When?")).to_have_value("06:35")
        _go_on(page)

        expect(page.get_by_role("slider")).to_have_count(0)
        _press_row(page, wheels, 0)
        expect(number).to_be_focused()
        number.fill("1984")
        page.get_by_role("button", name="Back").click()
        expect(page.get_by_label("When?")).to_have_value("06:35")
        page.reload()
        expect(page.get_by_label("When?")).to_have_value("06:35")
        _go_on(page)
        number.fill("1984")
        page.get_by_role("button", name="More").click()
        expect(number).to_have_value("1985")
        _go_on(page)
        sent = dict(text.partition(":")[::2] for _, text in messages_until_close(page))
        answers = [response["answer"] for response in json.loads(sent["form_responses"])["responses"]]
        assert answers == [["179"], ["June", "29", "1997"], ["06:35"], ["1985"]]
        assert page.evaluate("window.shifts") == []
        assert problems == []


def test_choice_goes_on_when_it_is_pressed_and_not_by_arrow_keys(page: Page, pages: PageServer) -> None:
    question = {"type": "question_single_choice", "content": {"question": "Goal?", "options": ["Lose", "Gain", "Keep"]}}
    pages.html = flow_page([{**question, "settings": {"auto_advance": True}}, {"type": "welcome"}])
    page.goto(pages.url())
    heading = page.get_by_role("heading", level=1)
    _settle(page)
    page.get_by_role("radio", name="Lose").focus()
    for option in ("Gain", "Keep"):
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("radio", name=option)).to_be_checked()
    page.wait_for_timeout(600)
    expect(heading).to_have_text("Goal?")
    page.get_by_text("Gain").click()
    expect(heading).not_to_have_text("Goal?")
    _settle(page)
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("radio", name="Gain")).to_be_checked()
    _settle(page)
    # What was chosen before can be pressed again.
    page.get_by_text("Gain").click()
    expect(heading).not_to_have_text("Goal?")
