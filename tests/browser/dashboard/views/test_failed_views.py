"""Views whose requests fail: each failure shows its request id, nothing loads for ever, each page has a heading."""

import re

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.views.routes import view_paths
from tests.browser.dashboard.views.sample_project import OWNER, SampleProject
from tests.support.servers.local_stack import RunningStack

_REQUEST_ID = "failed-request-1"
#: The id of a request is about its path.
_FAILED = re.compile(r"failed-\d+-")
_BODY = {"success": False, "error": "Internal server error", "code": "INTERNAL_ERROR", "status": 500}
#: The last character of each id is another one.
_UNKNOWN = re.compile(r"(?<=/)((?:flow|theme|exp)_\w+)\w\b")


def _fail(route: Route, request_id: str) -> None:
    route.fulfill(status=500, json=_BODY, headers={"X-Request-Id": request_id})


@pytest.mark.slow
def test_each_request_that_fails_shows_its_id(visit: Visitor, sample: SampleProject) -> None:
    opened = visit(user=OWNER)
    page = opened.page
    shown: set[str] = set()
    failed: dict[str, str] = {}

    def fail_unless_shown(route: Route) -> None:
        asked = route.request.url.partition("?")[0]
        # One component shows the failures of all views.
        if asked in shown:
            route.fallback()
        else:
            _fail(route, failed.setdefault(asked, f"failed-{len(failed)}-"))

    page.route(f"{opened.origin}/api/**", fail_unless_shown)
    failures, again = page.get_by_text(_FAILED), page.get_by_role("button", name="Try again")
    for path in view_paths():
        failed.clear()
        opened.open(sample.address(path))
        # A failure may keep a view from asking more, and from showing others: repeat until all are shown.
        while True:
            expect(page.get_by_role("heading", level=1).first).to_be_visible()
            expect(page.locator("main .mantine-Skeleton-root")).to_have_count(0)
            if not failures.count():
                page.wait_for_load_state("networkidle")
            if not failures.count():
                break
            seen = {asked for asked, request_id in failed.items() if page.get_by_text(request_id).count()}
            shown |= seen
            if again.count() < failures.count():
                opened.open(sample.address(path))
                continue
            for button in reversed(again.all()):
                button.click()
            for asked in seen:
                expect(page.get_by_text(failed[asked])).to_have_count(0)
        assert failed.keys() <= shown, path
    assert len(shown) > len(view_paths()) / 2
    opened.forget_problems("500")


def test_view_of_a_failed_membership_shows_the_id_and_tries_again(visit: Visitor, project_id: str) -> None:
    opened = visit()
    page = opened.page
    page.route("**/members/me", lambda route: _fail(route, _REQUEST_ID))
    opened.open(f"/dashboard/projects/{project_id}/settings")
    expect(page.get_by_role("heading", name="This could not be loaded", level=1)).to_be_visible()
    expect(page.get_by_text(_REQUEST_ID)).to_be_visible()
    opened.assert_accessible()
    page.unroute("**/members/me")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_label("Name")).to_have_value("Sample app")
    opened.forget_problems("500")


@pytest.mark.slow
def test_addresses_of_things_that_are_gone_have_a_heading_and_a_title(visit: Visitor, sample: SampleProject) -> None:
    opened = visit(user=OWNER)
    addresses = {sample.address(path) for path in view_paths()}
    for address in sorted(address for address in addresses if _UNKNOWN.search(address)):
        unknown = _UNKNOWN.sub(lambda found: found[1] + ("1" if found[0][-1] == "0" else "0"), address)
        opened.open(unknown)
        expect(opened.page.get_by_role("heading", name="There is nothing here")).to_have_count(1)
        expect(opened.page).to_have_title(re.compile("^(There is nothing here|History|Edit experiment) · "))
        expect(opened.page.get_by_role("heading", level=1)).to_have_count(1)
        opened.assert_accessible()
    opened.forget_problems("404")


@pytest.mark.slow
def test_things_of_another_project_are_not_shown_in_this_one(
    visit: Visitor, sample: SampleProject, api: httpx.Client, stack: RunningStack
) -> None:
    headers = {"Authorization": f"Bearer {stack.token(OWNER)}"}
    project = api.post("/projects", json={"name": "Another app"}, headers=headers).raise_for_status().json()["data"]
    opened = visit(user=OWNER)
    for path in ("flows/$flowId", "flows/$flowId/targeting", "themes/$themeId", "experiments/$experimentId"):
        address = sample.address(f"/projects/$projectId/{path}").replace(sample.project_id, project["id"])
        opened.open(address)
        expect(opened.page.get_by_role("heading", name="There is nothing here", level=1)).to_be_visible()
