"""The SDK for React Native by react-native-web: the Expo example in Strict Mode, with the real page in a frame."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.pages.page_server import FLOW_ID
from tests.browser.sdk.conftest import EDGE, App
from tests.browser.sdk.test_web import screen

_POLICY = f"default-src 'none'; script-src 'self'; connect-src {EDGE}; frame-src {EDGE}; style-src 'unsafe-inline'"
Open = Callable[[list[dict[str, Any]]], tuple[App, Page, FrameLocator]]
# A page in the web view of React Native.
_RECEIVER = """
if (window !== window.top) {
  const tell = (data) => parent.postMessage({ data, url: location.href }, "*");
  window.ReactNativeWebView = { postMessage: tell };
  window.addEventListener("message", ({ data }) => data.onboardingHost && window.onboardingHost(data.onboardingHost));
}
"""
_SCREENS = [
    screen("welcome", {"title": "One"}),
    {**screen("native", {"name": "sign_in", "data": {"title": "Who are you?"}}), "settings": {"required": True}},
    {**screen("feature", {"title": "Check"}), "settings": {"await_app": True}},
    screen("permissions", {"title": "Camera", "permission": "camera", "answer_key": "camera"}),
    screen("feature", {"title": "Answer {{answers.user}}"}),
]


@pytest.fixture
def open_app(start_app: Callable[[dict[str, Any]], App], react_native_app: str) -> Open:
    """Return a function that opens the example with a flow of these screens."""

    def open_with(screens: list[dict[str, Any]]) -> tuple[App, Page, FrameLocator]:
        shown = [{**one, "id": f"screen_{place}"} for place, one in enumerate(screens)]
        app = start_app({"id": FLOW_ID, "name": "", "theme": None, "screens": shown})
        app.policy = _POLICY
        app.context.add_init_script(_RECEIVER)
        page = app.open_bundle(react_native_app)
        return app, page, page.frame_locator("iframe")

    return open_with


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).last.click()


def _go_on(frame: FrameLocator) -> None:
    frame.locator(".frame:not([data-settling]):not([data-waiting]) .primary").click()


def _counts(app: App) -> tuple[int, int]:
    """Return how many visits have begun and ended. As for the service, an id counts once."""
    types = Counter({event["eventId"]: event["eventType"] for event in app.events}.values())
    return types["flow_started"], types["flow_completed"]


def test_show_takes_the_app_into_the_page_and_reports_the_visit_once(open_app: Open) -> None:
    app, page, frame = open_app(_SCREENS)
    _press(page, "Start (ready)")
    expect(frame.locator("h1")).to_have_text("One")
    _go_on(frame)
    expect(page.get_by_role("heading")).to_have_text("Who are you?")
    _press(page, "Sign in")
    expect(page.get_by_role("alert")).to_have_text("Enter your name.")
    _press(page, "Back")
    expect(page.get_by_role("heading")).to_have_count(0)
    expect(frame.locator("h1")).to_have_text("One")
    _go_on(frame)
    page.get_by_label("Name").fill("Eve")
    _press(page, "Sign in")
    expect(frame.locator("h1")).to_have_text("Check")
    _go_on(frame)
    expect(frame.get_by_role("alert")).to_contain_text("Not you.")
    frame.get_by_label("Back").click()
    page.get_by_label("Name").fill("Ann")
    _press(page, "Sign in")
    expect(frame.locator("h1")).to_have_text("Check")
    _go_on(frame)
    expect(frame.locator("h1")).to_have_text("Camera")
    _go_on(frame)
    expect(frame.locator("h1")).to_have_text("Answer Ann")
    _go_on(frame)
    expect(page.get_by_test_id("result")).to_have_text('completed {"camera":"granted","user":"Ann"}')
    expect(page.locator("iframe")).to_have_count(0)
    # The page has reported all of it, and the SDK nothing beside it.
    assert _counts(app) == (1, 1)
    assert "doorstep" in page.evaluate("JSON.stringify(localStorage)")
    assert '"eventType"' not in page.evaluate("localStorage.getItem('doorstep.p')")
    _press(page, "Start (ready)")
    expect(page.get_by_test_id("result")).to_have_text("already_completed {}")


def test_without_the_service_the_stored_page_is_shown_and_it_counts_once(open_app: Open) -> None:
    app, page, frame = open_app(_SCREENS)
    # A frame without an address has the policy of its parent, too.
    app.policy = _POLICY.replace("script-src", "script-src 'unsafe-inline'")
    page.wait_for_function("() => localStorage.getItem('doorstep.p.page')")
    app.is_online = False
    page.reload()
    _press(page, "Start (ready)")
    expect(frame.locator("h1")).to_have_text("One")
    assert frame.locator("h1").evaluate("() => location.href") == "about:srcdoc"
    _go_on(frame)
    page.get_by_label("Name").fill("Ann")
    _press(page, "Sign in")
    expect(frame.locator("h1")).to_have_text("Check")
    frame.get_by_label("Back").click()
    page.get_by_label("Name").fill("Ann")
    _press(page, "Sign in")
    for title in ("Check", "Camera", "Answer Ann"):
        expect(frame.locator("h1")).to_have_text(title)
        _go_on(frame)
    expect(page.get_by_test_id("result")).to_have_text('completed {"camera":"granted","user":"Ann"}')
    expect(page.locator("iframe")).to_have_count(0)
    assert app.events == []
    app.is_online = True
    page.reload()
    page.wait_for_function("() => !localStorage.getItem('doorstep.p').includes('flow_completed')")
    assert _counts(app) == (1, 1)


def test_without_a_stored_page_the_app_draws_the_flow_and_it_counts_once(open_app: Open) -> None:
    app, page, _ = open_app(_SCREENS)
    page.wait_for_function("() => localStorage.getItem('doorstep.p.page')")
    page.evaluate("localStorage.removeItem('doorstep.p.page')")
    app.is_online = False
    page.reload()
    _press(page, "Start (ready)")
    expect(page.get_by_role("heading")).to_have_text("One")
    _press(page, "Continue")
    page.get_by_label("Name").fill("Ann")
    _press(page, "Sign in")
    for title in ("Check", "Camera", "Answer Ann"):
        expect(page.get_by_role("heading")).to_have_text(title)
        _press(page, "Continue")
    expect(page.get_by_test_id("result")).to_have_text('completed {"camera":"granted","user":"Ann"}')
    app.is_online = True
    page.reload()
    page.wait_for_function("() => !localStorage.getItem('doorstep.p').includes('flow_completed')")
    assert _counts(app) == (1, 1)


def test_a_preview_link_opens_over_the_app_and_leaves_it(open_app: Open) -> None:
    _, page, frame = open_app(_SCREENS[:1])
    expect(page.get_by_role("button", name="Start (ready)")).to_be_visible()
    page.evaluate("(link) => window.openLink(link)", f"{EDGE}/s/ticket/onboarding/{FLOW_ID}/1?preview=1")
    expect(frame.locator("h1")).to_have_text("One")
    _go_on(frame)
    expect(page.locator("iframe")).to_have_count(0)
    expect(page.get_by_test_id("result")).to_have_text("")
