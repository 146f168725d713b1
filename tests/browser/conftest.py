"""The browser of a worker, and the built web parts. The browser stops after the last test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import running_browser
from tools.web import build, install

# As long as the actions wait: five seconds are few for a machine that runs many tests at once.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="package", autouse=True)
def built_web() -> None:
    """Build the dashboard and the pages of the present sources, beside the packages of tests."""
    install()
    build()


# Not for the session: coroutines of other tests cannot run in a thread that Playwright uses.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return the browser. Each test has contexts of its own, with `browser.new_context()`."""
    with running_browser() as browser:
        yield browser
