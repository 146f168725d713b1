"""Access to pages: the keyboard alone, names for screen readers, both directions, light and dark."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages.bridge import listen, messages_until_close
from tests.browser.pages.flows import ALL_TYPES
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import SCREENS, axe_violations_in_both_schemes
from tests.support.polling import eventually

_MAX_TABS = 12
_PALE = {"colors": {"primary": "#ffe066", "background": "#fff8dd", "text": "#ddd0a0", "textSecondary": "#e8ddb0"}}
_DARK = {"colors": {"primary": "#101040", "background": "#0a0a30", "surface": "#20206a", "text": "#3030a0"}}
#: The role, the name and the state of each control of a screen, by the title of the screen.
_NAMES: dict[str, list[tuple[Any, str]]] = {
    "Welcome to Demo app": [("button", "Start")],
    "Your name?": [("textbox", "Your name?"), ("button", "Back"), ("button", "Continue")],
    "Your goal?": [("radiogroup", "Your goal?"), ("radio", "Health"), ("radio", "Work")],
    "Your interests?": [("group", "Your interests?"), ("checkbox", "Art"), ("checkbox", "Cooking")],
    "Your height?": [
        ("radiogroup", "Unit"),
        ("radio", "cm"),
        ("radio", "ft, in"),
        ("spinbutton", "Your height?"),
        ("slider", "Your height?"),
        ("button", "Less"),
        ("button", "More"),
    ],
    "Your birthday?": [("combobox", "Day"), ("combobox", "Month"), ("combobox", "Year")],
    "At which time?": [("button", "Continue")],
    "What you can do": [("list", ""), ("button", "Continue")],
    "Stay informed": [("button", "Allow"), ("button", "Not now")],
    "Create an account": [("textbox", "Email"), ("button", "Continue with Apple")],
    "One moment": [("progressbar", "One moment"), ("list", ""), ("status", "")],
    "Your plan": [("list", ""), ("button", "Continue")],
    "What others say": [("img", "4.8 of 5 stars"), ("figure", ""), ("img", "4 of 5 stars")],
    "Two ways": [("heading", "Alone"), ("heading", "With us"), ("list", "")],
    "Before we begin": [
        ("group", "Before we begin"),
        ("checkbox", "I accept the terms Required"),
        ("checkbox", "Send me news"),
        ("link", "Read: I accept the terms"),
    ],
    "Our promise": [("link", "Read it"), ("button", "Continue")],
    "Try it": [("radiogroup", "Try it"), ("radio", "Yearly Best value"), ("radio", "Monthly"), ("button", "Close")],
}


def heading(page: Page) -> Locator:
    """Return the heading of the screen."""
    return page.get_by_role("heading", level=1)


def tab_to(page: Page, condition: str) -> None:
    """Press the tabulator until the focused element fulfils a condition."""
    for _ in range(_MAX_TABS):
        if page.evaluate(f"(element => {condition})(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no element with {condition} has got the focus")


def press_primary(page: Page) -> None:
    """Go on by the keyboard."""
    tab_to(page, "element.classList.contains('primary')")
    page.keyboard.press("Enter")


def answer(page: Page, title: str) -> None:
    """Answer a screen by the keyboard."""
    if title == "Your name?":
        tab_to(page, "element.type === 'text'")
        page.keyboard.type("Ada")
    elif title == "Your goal?":
        tab_to(page, "element.type === 'radio'")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("radio", name="Work")).to_be_checked()
    elif title == "Your interests?":
        tab_to(page, "element.type === 'checkbox'")
        page.keyboard.press("Space")
    elif title == "Your height?":
        tab_to(page, "element.name === 'unit'")
        page.keyboard.press("ArrowRight")
        tab_to(page, "element.localName === 'select'")
        page.keyboard.press("ArrowDown")
    elif title == "Create an account":
        tab_to(page, "element.type === 'email'")
        page.keyboard.type("ada@example.com")
    elif title == "Before we begin":
        press_primary(page)
        expect(page.get_by_role("alert")).to_have_text("Tick the required boxes.")
        expect(page.get_by_role("checkbox", name="I accept the terms")).to_be_focused()
        page.keyboard.press("Space")
    elif title == "Try it":
        tab_to(page, "element.type === 'radio'")
        page.keyboard.press("ArrowDown")


@pytest.mark.slow
def test_keyboard_alone_completes_every_type_of_screen(page: Page, pages: PageServer) -> None:
    listen(page, "flutter")
    pages.html = flow_page(ALL_TYPES)
    page.goto(pages.url())
    for title in _NAMES:
        expect(heading(page)).to_have_text(title)
        if title != "Welcome to Demo app":
            expect(heading(page)).to_be_focused()
        # A screen takes no presses at first.
        expect(page.locator("[data-settling]")).to_have_count(0)
        answer(page, title)
        # A screen that loads goes on by itself.
        if title != "One moment":
            press_primary(page)
    messages = [text for _, text in messages_until_close(page)]
    assert 'signup:{"method":"email","fields":{"email":"ada@example.com"}}' in messages
    assert "purchase:Monthly" in messages
    eventually(lambda: "flow_completed" in pages.event_types())
    properties = {event["eventType"]: event.get("properties") for event in pages.events}
    assert properties["signup_chosen"] == {"method": "email"}
    assert properties["paywall_purchase_chosen"] == {"product_id": "Monthly"}
    answers = [event["properties"]["answer"] for event in pages.events if event["eventType"] == "question_answered"]
    assert answers == ["Ada", "Work", ["a"], ["6", "9"], ["June", "15", "1995"], ["07:30"], True, False]
    assert "ada@example.com" not in str(pages.events)


@pytest.mark.slow
def test_controls_have_names_for_screen_readers(page: Page, pages: PageServer) -> None:
    listen(page, "flutter")
    screens = [
        {**screen, "content": {"required": False, **screen["content"], "min_selected": 0}}
        for screen in ALL_TYPES
        if screen["content"].get("answer_key") != "name"
    ]
    pages.html = flow_page(screens)
    page.goto(pages.url())
    titles = [title for title in _NAMES if title != "Your name?"]
    for number, title in enumerate(titles, start=1):
        expect(heading(page)).to_have_text(title)
        expect(page.get_by_role("progressbar", name=f"Step {number} of {len(titles)}")).to_be_visible()
        expect(page.get_by_role("main")).to_be_visible()
        for role, name in _NAMES[title]:
            expect(page.get_by_role(role, name=name, exact=True).first).to_be_attached()
        unnamed = (
            "[...document.querySelectorAll('button, input, select')].filter(element => !element.labels?.length && "
        )
        unnamed += "!element.ariaLabel && !element.textContent && !element.getAttribute('aria-labelledby')).length"
        assert page.evaluate(unnamed) == 0
        # A screen takes no presses at first.
        expect(page.locator("[data-settling]")).to_have_count(0)
        if title == "Before we begin":
            page.get_by_role("checkbox", name="I accept the terms").check(force=True)
        if title == "Create an account":
            page.get_by_role("textbox", name="Email").fill("ada@example.com")
        if title != "One moment":
            page.locator(".footer .primary").click()
    messages_until_close(page)


def test_right_to_left_mirrors_the_page(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(ALL_TYPES)
    page.goto(pages.url(query="&locale=ar-EG"))
    page.locator(".footer .primary").click()
    width = page.viewport_size["width"] if page.viewport_size else 0
    back = page.get_by_role("button", name="Back").bounding_box()
    assert back is not None
    assert back["x"] > width / 2
    arrow = page.locator(".back svg").evaluate("svg => getComputedStyle(svg).transform")
    assert arrow == "matrix(-1, 0, 0, 1, 0, 0)"
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("textbox").fill("Ada")
    # The animation must not end before it is looked at.
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0.01})
    page.locator(".footer .primary").click()
    # The next screen comes from the side at which lines end.
    shift = "document.getAnimations()[0].effect.getKeyframes()[0].transform"
    assert page.evaluate(shift).replace("var(--from)", "-16px") == "translateX(-16px)"
    assert page.locator(".frame").evaluate("frame => getComputedStyle(frame).getPropertyValue('--from')") == "-16px"
    # A card begins at the right.
    mark, label = (page.locator(f".card {part}").first.bounding_box() for part in (".mark", ".card-label"))
    assert mark is not None
    assert label is not None
    assert mark["x"] < label["x"]


@pytest.mark.parametrize(
    "theme",
    [
        pytest.param(None, id="without a theme"),
        pytest.param(_PALE, id="pale", marks=pytest.mark.slow),
        pytest.param(_DARK, id="dark", marks=pytest.mark.slow),
    ],
)
def test_every_type_of_screen_passes_axe_with_any_theme(
    page: Page, pages: PageServer, theme: dict[str, Any] | None
) -> None:
    listen(page, "flutter")
    calm = [{**screen, "content": {**screen["content"], "seconds": 30}} for screen in ALL_TYPES]
    pages.html = flow_page([{**screen, "settings": {"skippable": True}} for screen in calm], theme=theme)
    width, height = SCREENS["small"]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(pages.url())
    found = []
    for number in range(1, len(ALL_TYPES) + 1):
        expect(page.get_by_text(f"Step {number} of")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found += axe_violations_in_both_schemes(page)
        # The way past a question without an answer; a paywall has a way out in its place.
        page.locator(".bar > :last-child").click()
    assert found == []
