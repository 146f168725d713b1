"""All views of the router are accessible, send few requests and none to other hosts, and let viewers write nothing."""

import re
from collections import Counter

import httpx
import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.views.routes import view_paths
from tests.browser.dashboard.views.sample_project import VIEWER, SampleProject, create_sample_project
from tests.browser.dashboard.visit import Visit
from tests.support.servers.local_stack import RunningStack

_OWNER = "owner-of-samples@example.com"
_IDS = re.compile(r"\b[a-z]+_[0-9a-z]{26}\b")
#: The buttons that viewers have: they show, choose, copy or download, and send at most a question.
_READING = re.compile(
    r"^(Show|Copy|Download|Sort|Next|Previous|Small|Phone|Tablet|Dark|Right|Users|New users|Completion|Time|Successes"
    r"|Actions for|Screens|Preview|Properties|Flow settings|Version|Clear|Conversions|Answers|\d|[a-z_]+$"
    r"|[A-Z][\w ]+: [\w ]+$)"
)


@pytest.fixture(scope="module")
def sample(stack: RunningStack) -> SampleProject:
    """Return a project with a part of everything."""
    headers = {"Authorization": f"Bearer {stack.token(_OWNER)}"}
    with httpx.Client(base_url=f"{stack.management_url}/api", headers=headers, trust_env=False, timeout=60) as api:
        return create_sample_project(api, stack, users_a_day=2)


def _open(opened: Visit, address: str) -> Page:
    opened.open(address)
    page = opened.page
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.slow
def test_every_view_is_accessible_and_asks_few_questions_of_its_own_origin(
    visit: Visitor, sample: SampleProject
) -> None:
    opened = visit(user=_OWNER)
    for path in view_paths():
        opened.requests.clear()
        page = _open(opened, sample.address(path))
        # A request for each row would ask one endpoint with many ids.
        asked = Counter(_IDS.sub("{id}", request) for request in opened.requests)
        assert [endpoint for endpoint, times in asked.items() if times > 1] == [], path
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            opened.assert_accessible()


@pytest.mark.slow
def test_viewer_has_no_button_that_writes_in_any_view(visit: Visitor, sample: SampleProject) -> None:
    opened = visit(user=VIEWER)
    writes: list[str] = []

    def note(request: Request) -> None:
        if request.method not in {"GET", "HEAD"} and not request.url.endswith("/explain"):
            writes.append(f"{request.method} {request.url}")

    opened.page.on("request", note)
    found = {}
    for path in view_paths():
        page = _open(opened, sample.address(path))
        # Heads of tables sort, and the list of screens selects.
        buttons = page.get_by_role("main").locator("button:enabled:not(thead *, nav *)")
        names = [button.get_attribute("aria-label") or button.inner_text() for button in buttons.all()]
        found[path] = [name for name in names if not _READING.match(name)]
    # Every user may create a project, and has a personal key.
    assert found.pop("/projects") == ["New project"]
    assert found.pop("/api-keys") == ["Replace key"]
    assert {path: names for path, names in found.items() if names} == {}
    assert writes == []
