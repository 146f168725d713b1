"""Old and odd systems: library calls of newer browsers, locales, storage, networks, and a script that fails."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages.bridge import listen, messages_until_close
from tests.browser.pages.flows import ALL_TYPES
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.polling import eventually

#: Calls that iOS 14 or Android WebView 80 do not have. The build must not bring them back either.
_NEWER = """
delete Object.hasOwn; delete Object.groupBy; delete window.structuredClone; delete Promise.any; delete window.WeakRef;
for (const name of ["at", "findLast", "toSorted", "with"]) delete Array.prototype[name];
for (const name of ["at", "replaceAll"]) delete String.prototype[name];
for (const name of ["any", "timeout"]) delete AbortSignal[name];
delete Crypto.prototype.randomUUID;
for (const type of [Element, Document, DocumentFragment]) delete type.prototype.replaceChildren;
"""
_STORAGE_THROWS = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {get() { throw new DOMException("denied", "SecurityError"); }});
}
"""
_DATE: list[dict[str, Any]] = [{"type": "question_picker", "content": {"question": "Your birthday?", "picker": "date"}}]
#: Parts of tags that are well-formed, misplaced or none.
_PARTS = ("no", "NO", "NY", "zh", "cmn", "en", "US", "US", "x", "i", "u", "ca", "", "1", "latn", "?", "🙂", "a" * 70)


def walk(page: Page, count: int) -> None:
    """Go through all screens of `ALL_TYPES`, with answers where they are needed."""
    for number in range(1, count + 1):
        expect(page.get_by_text(f"Step {number} of")).to_be_visible()
        expect(page.locator("[data-settling]")).to_have_count(0)
        for choice in page.locator("main .card").all()[:1]:
            choice.click()
        for field in page.locator("main input[required]:not([type=time], [type=checkbox])").all():
            field.fill("ada@example.com")
        if page.locator(".ring").count() == 0:
            page.locator(".footer .primary").click()


@pytest.mark.slow
def test_old_systems_without_storage_complete_every_type_of_screen(page: Page, pages: PageServer) -> None:
    listen(page, "flutter")
    page.add_init_script(_NEWER)
    page.add_init_script(_STORAGE_THROWS)
    # Names in texts need the script of logic.
    screens = [*ALL_TYPES, {"type": "welcome", "content": {"title": "{{answers.name:title}} in {{locale|English}}"}}]
    pages.html = flow_page(screens)
    page.goto(pages.url())
    walk(page, len(screens))
    assert messages_until_close(page)[0] == ("flutter", "initial_load_complete")
    assert pages.event_types()[-1] == "flow_completed"


def test_failure_before_the_first_paint_ends_in_an_error_page(context: BrowserContext, pages: PageServer) -> None:
    page = context.new_page()
    listen(page, "webkit")
    page.add_init_script("delete window.URLSearchParams")
    pages.html = flow_page(_DATE)
    page.goto(pages.url())
    page.get_by_role("button", name="Close").click()
    messages = [text for _, text in messages_until_close(page)]
    assert (messages[0], messages[-1]) == ("initial_load_complete", "close_pressed")


def test_script_that_is_not_loaded_ends_in_an_error_with_a_new_attempt(
    context: BrowserContext, pages: PageServer
) -> None:
    page = context.new_page()
    listen(page, "webkit")
    pages.html = flow_page([{"type": "welcome", "content": {"title": "Hello"}}])
    page.route("**/assets/pages.*.js", lambda route: route.abort())
    page.goto(pages.url())
    expect(page.get_by_role("alert")).to_have_text("The page could not be loaded. Are you online?")
    page.get_by_role("button", name="Close").click()
    messages = [text for _, text in messages_until_close(page)]
    assert messages == ["initial_load_complete", "themeStyle:default", "close_pressed"]
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("part", ["logic", "picker"])
@pytest.mark.parametrize("stalls", [False, True], ids=["fails", "stalls"])
def test_part_of_the_script_that_does_not_arrive_ends_in_an_error(
    context: BrowserContext, pages: PageServer, part: str, *, stalls: bool
) -> None:
    page = context.new_page()
    listen(page, "webkit")
    page.clock.install()
    pages.html = flow_page([{**_DATE[0], "showIf": [{"attribute": "platform", "operator": "exists", "value": True}]}])
    # A route that is not answered is a network that stalls.
    page.route(f"**/assets/{part}.*.js", lambda route: None if stalls else route.abort())
    page.goto(pages.url(), wait_until="commit")

    def has_alert() -> bool:
        page.clock.run_for(5_000)
        return page.get_by_role("alert").count() == 1

    eventually(has_alert)
    page.get_by_role("button", name="Close").click()
    messages = [text for _, text in messages_until_close(page)]
    assert (messages[0], messages[-1]) == ("initial_load_complete", "close_pressed")


@pytest.mark.parametrize(("status", "headers"), [(503, {}), (429, {"Retry-After": "60"}), (None, {})], ids=str)
def test_bad_network_neither_delays_the_end_nor_loses_events(
    context: BrowserContext, pages: PageServer, status: int | None, headers: dict[str, str]
) -> None:
    page = context.new_page()
    listen(page, "react native")
    if status is None:
        # The route is never answered.
        page.route("**/api/analytics/events", lambda _route: None)
    else:
        pages.status, pages.headers = status, headers
    pages.html = flow_page([{"type": "welcome", "content": {"title": "Hello"}}])
    page.goto(pages.url())
    page.locator(".footer .primary").click()
    (pending,) = [text for _, text in messages_until_close(page) if text.startswith("pending_events:")]
    assert "flow_completed" in pending
    pages.status, pages.headers = 200, {}
    page.close()
    # What the app was handed also stays for the next visit.
    context.new_page().goto(pages.url())
    eventually(lambda: "flow_completed" in pages.event_types())
