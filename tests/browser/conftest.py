"""The browser of a worker, and its stack with the built web parts. They stop after the last test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import running_browser
from tests.support.servers.local_stack import RunningStack
from tools.web import build, install


@pytest.fixture(scope="package", autouse=True)
def built_web() -> None:
    """Build the dashboard and the pages of the present sources, beside the packages of tests."""
    install()
    build()


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Return a running stack. Each test has users and projects of its own."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as running:
        yield running


# Not for the session: coroutines of other tests cannot run in a thread that Playwright uses.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return the browser. Each test has contexts of its own, with `browser.new_context()`."""
    with running_browser() as browser:
        yield browser
