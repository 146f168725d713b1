"""Pages in a phone's browser: the server, a context, and a page whose problems fail the test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.pages.page_server import PageServer, running_page_server
from tests.support.browser import SCREENS, watch


@pytest.fixture
def pages() -> Iterator[PageServer]:
    """Return a server of pages."""
    with running_page_server() as server:
        yield server


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Return a context with the screen of a phone, without motion."""
    width, height = SCREENS["phone"]
    viewport = {"width": width, "height": height}
    with browser.new_context(viewport=viewport, reduced_motion="reduce", locale="en-GB") as context:  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Return a page. Errors of its scripts, console and requests fail the test."""
    page = context.new_page()
    problems = watch(page)
    yield page
    assert problems == []
