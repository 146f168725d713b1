"""A published SDK with its web view: three GETs of the real edge, the page until it closes, the recorded answers."""

import re
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages.bridge import decode_strictly, listen, messages_until_close
from tests.e2e.api_clients import Dashboard
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

_PUBLISHED_WITHIN = 60
_SCREENS: list[dict[str, Any]] = [
    {"type": "welcome", "content": {"title": "Welcome to {{app_name}}", "illustration": "welcome"}},
    {"type": "question_text", "content": {"question": "Your name?", "answer_key": "name", "required": True}},
    {
        "type": "question_single_choice",
        "content": {"question": "Your goal?", "options": [{"value": "fit", "label": "Get fit"}, "Calm"]},
    },
    {"type": "question_multiple_choice", "content": {"question": "Your interests?", "options": ["Art", "Books"]}},
    {"type": "question_picker", "content": {"question": "Your height?", "picker": "height", "default_value": 175}},
    {"type": "permissions", "content": {"title": "Stay informed", "permission": "notifications"}},
    {"type": "signup", "content": {"title": "Create an account", "fields": [{"name": "email"}]}},
    {"type": "custom", "content": {"html": "<h1>Our promise</h1><script>document.title = 'owned'</script>"}},
    {
        "type": "paywall",
        "content": {
            "title": "Try it",
            "products": [{"product_id": "yearly", "label": "Yearly", "is_preselected": True}],
            "primary_button": {"label": "Start", "action": "purchase"},
        },
    },
]


class GlobalConfig(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """The body that an SDK decodes in step 1."""

    backend_domain: str


class ResolvedFlow(msgspec.Struct, rename="camel"):
    """The body that an SDK decodes in step 2; it ignores other members."""

    flow_id: str


@pytest.fixture
def sdk() -> Iterator[httpx.Client]:
    """Return the client of an SDK, which sends no headers of its own."""
    with httpx.Client(trust_env=False, timeout=30) as client:
        yield client


@pytest.fixture
def dashboard(sdk: httpx.Client, stack: RunningStack) -> Dashboard:
    """Return the dashboard of a new user."""
    return Dashboard(sdk, stack.management_url, stack.token(f"{uuid.uuid4().hex}@example.com"))


def published(sdk: httpx.Client, url: str) -> bytes:
    """Return the body of a GET, when it is published."""

    def body() -> bytes | None:
        response = sdk.get(url)
        return response.content if response.status_code == 200 else None

    return eventually(body, within=_PUBLISHED_WITHIN)


def play(page: Page) -> None:
    """Go through all screens as a person does."""
    forward = page.locator(".footer .primary")
    heading = page.get_by_role("heading", level=1)
    for title in (
        "Welcome to Travel app",
        "Your name?",
        "Your goal?",
        "Your interests?",
        "Your height?",
        "Stay informed",
        "Create an account",
        "Our promise",
        "Try it",
    ):
        expect(heading).to_have_text(title)
        if title == "Your name?":
            page.get_by_role("textbox").fill("Ada")
        elif title == "Your goal?":
            page.get_by_text("Get fit").click()
        elif title == "Your interests?":
            page.get_by_text("Art").click()
            page.get_by_text("Books").click()
        elif title == "Create an account":
            page.get_by_role("textbox").fill("ada@example.com")
        forward.click()


@pytest.mark.slow
def test_published_sdk_shows_a_flow_whose_answers_and_funnel_arrive(
    page: Page, stack: RunningStack, sdk: httpx.Client, dashboard: Dashboard
) -> None:
    project = dashboard.post("/projects", {"name": "Travel app"})
    project_id = project["id"]
    dashboard.put(f"/projects/{project_id}", {"settings": {"record_answers": True}})
    key = dashboard.get(f"/projects/{project_id}/api-keys")["secret_keys"][0]["secret_key"]
    members = {"name": "Welcome", "status": "active", "is_default": True, "screens": _SCREENS}
    flow = dashboard.post("/flows", {"projectId": project_id, **members})
    device_id = str(uuid.uuid4())

    configured = published(sdk, f"{stack.edge_url}/api/global-config?apiKey={key}&projectId={project_id}")
    backend = msgspec.json.decode(configured, type=GlobalConfig).backend_domain
    resolve_url = f"{backend}/api/onboarding/resolve?projectId={project_id}&deviceId={device_id}"
    resolved = msgspec.json.decode(published(sdk, resolve_url), type=ResolvedFlow)
    url = f"{backend}/onboarding/{resolved.flow_id}/1?deviceId={device_id}"
    published(sdk, url)

    listen(page, "flutter")
    response = page.goto(url)
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert re.match(r"default-src 'none'; script-src 'self'; style-src 'self'; ", policy)
    play(page)
    messages = [text for _, text in messages_until_close(page)]
    assert messages[:3] == ["initial_load_complete", "themeStyle:default", "request_permission:notification"]
    assert messages[3:5] == ['signup:{"method":"email","fields":{"email":"ada@example.com"}}', "purchase:yearly"]
    assert (len(messages), messages[-1]) == (7, "close_pressed")
    answers = decode_strictly(messages[-2])
    assert answers.flow_id == flow["id"]
    screens = {screen["type"]: screen["id"] for screen in flow["screens"]}
    assert [(given.screen_id, given.answer) for given in answers.responses] == [
        (screens["question_text"], "Ada"),
        (screens["question_single_choice"], "fit"),
        (screens["question_multiple_choice"], ["Art", "Books"]),
        (screens["question_picker"], ["175"]),
    ]

    def funnel() -> dict[str, Any] | None:
        found: dict[str, Any] = dashboard.get(f"/analytics/funnel?flowId={flow['id']}&period=1d")
        return found if found["completed"] == 1 else None

    counted = eventually(funnel, within=30)
    assert counted["started"] == 1
    assert [(screen["reached"], screen["completed"]) for screen in counted["screens"]] == [(1, 1)] * len(_SCREENS)
    questions = dashboard.get(f"/analytics/responses?flowId={flow['id']}&period=1d")["questions"]
    assert [question["screen_id"] for question in questions] == [given.screen_id for given in answers.responses]
    name, goal, interests, height = questions
    assert name["samples"] == ["Ada"]
    assert goal["distribution"] == [{"value": "fit", "count": 1}]
    assert {(choice["value"], choice["count"]) for choice in interests["distribution"]} == {("Art", 1), ("Books", 1)}
    assert height["numbers"]["median"] == 175
    assert "ada@example.com" not in str(questions)
