"""The SDK for React in a real browser, in Strict Mode."""

from collections import Counter

from playwright.sync_api import expect

from tests.browser.sdk.test_web import Start, flow_of, go_on, screen


def test_show_and_component_draw_own_screens_and_report_once(start_app: Start, react_app: str) -> None:
    native = screen("native", {"name": "sign_in", "data": {"hint": "Hi"}})
    app = start_app(flow_of([screen("welcome", {"title": "One"}), native]))
    page = app.open_bundle(react_app)
    assert ">loading<" in page.evaluate("() => window.rendered")
    expect(page.locator("#show")).to_have_text("ready false")
    for shown in ("#show", "#inline-button"):
        app.events.clear()
        page.locator(shown).click()
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator("#show")).to_have_text(f"ready {str(shown == '#show').lower()}")
        go_on(page)
        page.locator("#own").click()
        expect(page.get_by_role("alert")).to_have_text("Again")
        expect(page.locator("#own")).to_have_text("Hi 1")
        page.locator("#own").click()
        expect(page.locator("#own")).to_have_count(0)
        page.wait_for_function("() => !localStorage.getItem('doorstep.p').includes('flow_completed')")
        counts = Counter(app.types())
        assert (counts["flow_started"], counts["screen_viewed"], counts["flow_completed"]) == (1, 2, 1)
    expect(page.locator("#texts")).to_have_text("completed completed")


def test_a_component_that_is_removed_keeps_the_visit(start_app: Start, react_app: str) -> None:
    app = start_app(flow_of([screen("welcome", {"title": "One"}), screen("feature", {"title": "Two"})]))
    page = app.open_bundle(react_app)
    page.locator("#inline-button").click()
    go_on(page)
    expect(page.locator("h1")).to_have_text("Two")
    page.locator("#inline-button").click()
    expect(page.locator("h1")).to_have_count(0)
    page.locator("#inline-button").click()
    expect(page.locator("h1")).to_have_text("Two")
    expect(page.locator("#texts")).to_have_text("")
