"""The browser itself: it shows a page with fonts, and the checks of tests/support/browser.py find problems."""

from playwright.sync_api import Browser

from tests.support.browser import axe_violations, watch


def test_browser_draws_text(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content("<p><span id=a>wide</span> <span id=b>i</span></p>")
        widths = [page.locator(name).evaluate("element => element.offsetWidth") for name in ("#a", "#b")]
    assert widths[0] > widths[1] > 0


def test_axe_finds_a_picture_without_a_text(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(
            "<html lang=en><title>a</title><main><h1>a</h1><img src='data:image/gif;base64,R0lGOD'></main>"
        )
        assert [line.partition(":")[0] for line in axe_violations(page)] == ["image-alt"]


def test_errors_of_scripts_and_of_the_console_are_collected(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        problems = watch(page)
        page.set_content("<script>console.error('one'); throw new Error('two')</script>")
    assert problems == ["error: one", "script: two"]
