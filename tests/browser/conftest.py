"""The browser of these tests: one for each worker, started with the first test and stopped after the last."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import running_browser


# Not for the session: coroutines of other tests cannot run in a thread that Playwright uses.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return the browser. Each test has contexts of its own, with `browser.new_context()`."""
    with running_browser() as browser:
        yield browser
