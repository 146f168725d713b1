"""The starter flow "Personalised plan" of the demo project: three paths in two languages, and their funnel."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from cli.demo.project import DEMO_EMAIL
from tests.browser.pages.test_published_sdk import published
from tests.e2e.api_clients import Dashboard
from tests.support.browser import SCREENS, axe_violations, watch
from tests.support.logic_oracle.texts import Shown, filled
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=30) as client:
        yield client


@pytest.fixture
def flow(client: httpx.Client, stack: RunningStack) -> dict[str, Any]:
    """Return the flow of the demo project."""
    demo = Dashboard(client, stack.management_url, stack.token(DEMO_EMAIL))
    flows = demo.get(f"/flows?projectId={stack.demo['project_id']}&limit=100")
    [listed] = [flow for flow in flows if flow["name"] == "Personalised plan"]
    flow: dict[str, Any] = demo.get(f"/flows/{listed['id']}")
    return flow


def _in_weeks(weeks: int, language: str) -> str:
    """Return a date in its long form."""
    day = datetime.now(UTC) + timedelta(weeks=weeks)
    return filled("{{variables.day}}", Shown({"variables.day": day.date().isoformat()}, {}, language))


def _next(page: Page, title: str) -> None:
    """Press the primary button, and expect the title of the next screen."""
    page.locator(".footer .primary").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def _choose(page: Page, goal: str, title: str) -> None:
    page.get_by_text(goal).click()
    _next(page, title)


def _finish(page: Page) -> None:
    _next(page, "Shall we remind you?")
    page.get_by_role("button", name="Not now").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All done")


def _lose(page: Page) -> None:
    _choose(page, "Lose weight", "How much do you weigh?")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("How much do you weigh?")
    _next(page, "Which weight do you want to reach?")
    expect(page.get_by_text("Today you weigh 80 kg.")).to_be_visible()
    page.get_by_role("spinbutton").fill("60")
    _next(page, "On how many days a week do you have half an hour?")
    _next(page, "Your plan for a lighter you")
    expect(page.get_by_text("Goal: Lose weight")).to_be_visible()
    expect(page.get_by_text("3,600 minutes in all")).to_be_visible()
    expect(page.get_by_text(f"Ready on {_in_weeks(40, 'en')}")).to_be_visible()
    assert axe_violations(page) == []


def _move(page: Page) -> None:
    _choose(page, "Move more", "On how many days a week do you have half an hour?")
    page.get_by_role("spinbutton").fill("7")
    _next(page, "Your plan for a stronger you")
    expect(page.get_by_text("1.680 minutes in all")).to_be_visible()
    expect(page.get_by_text(f"Ready on {_in_weeks(8, 'de')}")).to_be_visible()


def _sleep(page: Page) -> None:
    _choose(page, "Lose weight", "How much do you weigh?")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What is your goal?")
    _choose(page, "Sleep better", "When do you want to fall asleep?")
    _next(page, "Your plan for a rested you")
    expect(page.get_by_text("Half an hour on 7 days a week")).to_be_visible()


_PATHS: list[tuple[str, Callable[[Page], None]]] = [("en-US", _lose), ("de-DE", _move), ("en-US", _sleep)]


@pytest.mark.slow
def test_three_paths_of_the_plan_arrive_in_the_funnel(
    browser: Browser, stack: RunningStack, client: httpx.Client, flow: dict[str, Any]
) -> None:
    query = f"apiKey={stack.demo['secret_key']}&projectId={stack.demo['project_id']}"
    backend = client.get(f"{stack.edge_url}/api/global-config?{query}").json()["backendDomain"]
    url = f"{backend}/onboarding/{flow['id']}/1"
    published(client, url)
    demo = Dashboard(client, stack.management_url, stack.token(DEMO_EMAIL))

    def funnel() -> Counter[str]:
        """Return the users of the flow, which has those of the demo too."""
        found: dict[str, Any] = demo.get(f"/analytics/funnel?flowId={flow['id']}&period=1d")
        screens = {screen["name"]: screen["reached"] for screen in found["screens"]}
        return Counter({"started": found["started"], "completed": found["completed"], **screens})

    before = funnel()
    width, height = SCREENS["phone"]
    for locale, walk in _PATHS:
        size = {"width": width, "height": height}
        with browser.new_context(viewport=size, locale=locale, timezone_id="UTC", reduced_motion="reduce") as context:  # type: ignore[arg-type]
            page = context.new_page()
            problems = watch(page)
            page.goto(f"{url}?deviceId={uuid.uuid4()}")
            expect(page.locator(".step")).to_have_count(0)
            _next(page, "What is your goal?")
            walk(page)
            _finish(page)
            assert problems == []
    counted = {
        "started": 3,
        "completed": 3,
        "Hello": 3,
        "Goal": 3,
        "Weight": 2,
        "Target weight": 1,
        "Days": 2,
        "Bedtime": 1,
        "Plan": 3,
        "Reminders": 3,
    }
    eventually(lambda: funnel() - before == counted, within=30)
