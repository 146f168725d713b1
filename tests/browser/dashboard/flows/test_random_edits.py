"""Random edits in two tabs of one person, while saves are delayed, lost or doubled and tabs are closed."""

import random
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Request, Route, expect
from playwright.sync_api import Error as PlaywrightError

from tests.support.browser import SCREENS
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack
from tests.support.soak import report, soak_setting

EDITS = soak_setting("EDITS", 12, 200)
SEED = soak_setting("EDITS_SEED", 1, 1)
_FIELDS = ("Title", "Subtitle")
_SAVED_MILLISECONDS = 60_000


class _Tab:
    """A tab whose next save has a `fault`, and which counts the saves that are under way at once."""

    def __init__(self, context: BrowserContext, address: str, field: str) -> None:
        self.fault = ""
        self.most_at_once = 0
        self._under_way: set[Request] = set()
        self._delayed: list[Route] = []
        self.page = context.new_page()
        self.page.set_default_timeout(30_000)
        self.page.route("**/draft", self._on_request)
        self.page.on("request", self._on_start)
        self.page.on("requestfinished", self._on_end)
        self.page.on("requestfailed", self._on_end)
        self.page.goto(address)
        self.input = self.page.get_by_role("textbox", name=field, exact=True)
        expect(self.input).to_be_visible(timeout=30_000)

    def deliver(self) -> None:
        """Let the delayed saves reach the service."""
        delayed, self._delayed = self._delayed, []
        for route in delayed:
            route.continue_()

    def _on_start(self, request: Request) -> None:
        if request.method == "PUT":
            self._under_way.add(request)
            self.most_at_once = max(self.most_at_once, len(self._under_way))

    def _on_end(self, request: Request) -> None:
        self._under_way.discard(request)

    def _on_request(self, route: Route) -> None:
        fault, self.fault = (self.fault, "") if route.request.method == "PUT" else ("", self.fault)
        if fault == "delay":
            self._delayed.append(route)
            return
        # The requests of a page that is closed meanwhile have ended.
        with suppress(PlaywrightError):
            if fault in {"lose response", "double"}:
                route.fetch()
            if fault.startswith("lose"):
                route.abort("connectionreset")
            else:
                route.continue_()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Return a browser without tabs."""
    width, height = SCREENS["desktop"]
    opened = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    yield opened
    opened.close()


@pytest.mark.slow
def test_random_edits_lose_nothing_and_have_no_conflict_with_oneself(
    context: BrowserContext, api: httpx.Client, stack: RunningStack, email: str, project_id: str
) -> None:
    screens = [{"type": "welcome", "content": {"title": "", "subtitle": ""}}]
    flow = {"projectId": project_id, "name": "Tour", "screens": screens}
    flow_id = api.post("/flows", json=flow).raise_for_status().json()["data"]["id"]
    view = f"{stack.management_url}/dashboard/projects/{project_id}/flows/{flow_id}"
    address = f"{view}#token={stack.token(email)}"
    chance = random.Random(SEED)
    tabs = [_Tab(context, address, field) for field in _FIELDS]
    typed = ["", ""]
    counts: list[int] = []
    is_offline = False

    for edit in range(EDITS):
        place = chance.randrange(2)
        tab = tabs[place]
        tab.fault = chance.choice(["", "", "delay", "lose request", "lose response", "double"])
        letters = f"{edit} "
        tab.input.press("Control+End")
        tab.input.press_sequentially(letters)
        typed[place] += letters
        act = chance.choice(["", "", "save", "connection", "close", "deliver"])
        if act == "save":
            tab.page.keyboard.press("Control+s")
        elif act == "connection":
            is_offline = not is_offline
            context.set_offline(is_offline)
        elif act == "close":
            is_offline = False
            context.set_offline(False)
            counts.append(tab.most_at_once)
            tab.page.close()
            tab = tabs[place] = _Tab(context, address, _FIELDS[place])
            expect(tab.input).to_have_value(typed[place])
        elif act == "deliver":
            tab.deliver()
        tab.page.wait_for_timeout(chance.randrange(1_200))
        for shown in tabs:
            expect(shown.page.get_by_role("dialog")).to_have_count(0)

    context.set_offline(False)
    for tab in tabs:
        tab.fault = ""
        tab.deliver()
        expect(tab.page.get_by_role("status").filter(has_text="Saved ")).to_be_visible(timeout=_SAVED_MILLISECONDS)

    def stored() -> list[str]:
        content = (
            api.get(f"/flows/{flow_id}/draft").raise_for_status().json()["data"]["document"]["screens"][0]["content"]
        )
        return [content["title"], content["subtitle"]]

    eventually(lambda: stored() == typed)
    assert [tab.input.input_value() for tab in tabs] == typed
    most_at_once = max(*counts, *(tab.most_at_once for tab in tabs), 0)
    report("random edits", {"edits": EDITS, "tabs closed": len(counts), "saves at once": most_at_once})
    assert most_at_once == 1
