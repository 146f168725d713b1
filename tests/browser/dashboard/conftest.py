"""Views of users who are signed in to the dashboard of a worker's stack."""

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from tests.browser.dashboard.visit import Visit
from tests.support.servers.local_stack import RunningStack

#: Opens a view for a user: by default a new one, at a desktop, in light colours.
Visitor = Callable[..., Visit]


@pytest.fixture
def email() -> str:
    """Return the address of a user of this test alone."""
    return f"{uuid.uuid4().hex[:12]}@example.com"


@pytest.fixture
def visit(browser: Browser, stack: RunningStack, email: str) -> Iterator[Visitor]:
    """Return a function that opens the dashboard for a user; all pages must have been without a problem in the end."""
    visits: list[Visit] = []

    def open_dashboard(path: str = "/dashboard/", user: str = email, **options: Any) -> Visit:  # noqa: ANN401 - Playwright's
        opened = Visit(browser, stack.management_url, stack.token(user), preview=stack.edge_url, **options)
        visits.append(opened)
        opened.sign_in(path)
        return opened

    try:
        yield open_dashboard
        for opened in visits:
            opened.assert_no_problems()
    finally:
        for opened in visits:
            opened.close()


@pytest.fixture
def api(stack: RunningStack, email: str) -> Iterator[httpx.Client]:
    """Return a client of the management interface with the rights of the test's user."""
    headers = {"Authorization": f"Bearer {stack.token(email)}"}
    with httpx.Client(base_url=f"{stack.management_url}/api", headers=headers, trust_env=False, timeout=30) as client:
        yield client


@pytest.fixture
def project_id(api: httpx.Client) -> str:
    """Return the id of a new project of the test's user."""
    created = api.post("/projects", json={"name": "Sample app"}).raise_for_status()
    return str(created.json()["data"]["id"])
