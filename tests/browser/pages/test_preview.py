"""The preview's page in a frame of the dashboard: messages of its origin alone are obeyed, and nothing is recorded."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Locator, Page, Route, expect

from common.wire.page_document import sanitize_html
from tests.support.browser import watch
from tests.support.data.custom_html import CUSTOM_HTML
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

_STRANGER = "http://stranger.test"
#: A page with the preview in its first frame and another page in its second, which keeps the messages that it gets.
_FRAMES = """<!doctype html><html lang="en"><title>Dashboard</title><h1>Dashboard</h1>
<iframe title="preview" src="{preview}" width="390" height="700"></iframe>
<iframe title="other" src="{other}"></iframe>
<script>
window.received = [];
addEventListener("message", ({{origin, data}}) => received.push([origin, data]));
</script>"""
_DOCUMENT = {
    "version": 1,
    "mode": "preview",
    "projectId": "proj_1",
    "projectName": "Demo app",
    "flowId": "flow_1",
    "flowName": "Welcome",
    "theme": None,
    "screens": [
        {"id": "s1", "type": "welcome", "content": {"title": "Welcome to {{app_name}}", "illustration": "welcome"}},
        {"id": "s2", "type": "question_text", "content": {"question": "Your name?"}},
        {"id": "s3", "type": "feature", "content": {"title": "Ready"}},
    ],
    "recordAnswers": True,
    "analyticsEnabled": True,
    "assets": {"illustrations": {}},
}


@pytest.fixture
def preview_url(stack: RunningStack) -> str:
    """Return the address of the preview's page, which the edge serves after the publisher's start."""
    url = f"{stack.edge_url}/onboarding/preview"
    eventually(lambda: httpx.get(url, trust_env=False).status_code == 200, within=60)
    return url


@pytest.fixture
def frames(context: BrowserContext, stack: RunningStack, preview_url: str) -> Iterator[Page]:
    """Return a page of the dashboard's origin with the preview and a frame of another origin. No problem may occur."""

    def other(route: Route) -> None:
        route.fulfill(body="<!doctype html><title>Other</title>", content_type="text/html")

    def around(route: Route) -> None:
        other_url = f"{_STRANGER}/other" if "stranger" not in route.request.url else "about:blank"
        route.fulfill(body=_FRAMES.format(preview=preview_url, other=other_url), content_type="text/html")

    context.route(f"{stack.management_url}/frames", around)
    context.route(f"{stack.management_url}/other", other)
    context.route(f"{_STRANGER}/frames", around)
    context.route(f"{_STRANGER}/other", other)
    context.route("https://a.example/**", lambda route: route.fulfill(body="<svg/>", content_type="image/svg+xml"))
    page = context.new_page()
    problems = watch(page)
    page.goto(f"{stack.management_url}/frames")
    yield page
    assert problems == []


def ready(page: Page, preview_url: str) -> None:
    """Wait until the preview has said that it is ready."""
    origin = preview_url.removesuffix("/onboarding/preview")
    page.wait_for_function("window.received.some(([, data]) => data.type === 'onboarding:preview-ready')")
    assert {sender for sender, _ in page.evaluate("received")} == {origin}


def show(page: Page, document: dict[str, Any] = _DOCUMENT, **members: object) -> None:
    """Send a document from the dashboard to the preview."""
    message = {"type": "onboarding:preview", "document": document, "screenId": "s1", "dark": False, **members}
    page.evaluate("message => frames[0].postMessage(message, '*')", message)


def preview(page: Page) -> FrameLocator:
    """Return the frame of the preview."""
    return page.frame_locator("iframe[title=preview]")


def heading(page: Page) -> Locator:
    """Return the heading of the screen in the preview."""
    return preview(page).get_by_role("heading", level=1)


def reported(page: Page) -> tuple[str, str]:
    """Return the type and the screen of the last message. It also has the state of the session."""
    message = page.evaluate("received.at(-1)[1]")
    return message["type"], message["screenId"]


def test_preview_shows_a_document_and_reports_its_screens(frames: Page, preview_url: str) -> None:
    ready(frames, preview_url)
    show(frames)
    expect(heading(frames)).to_have_text("Welcome to Demo app")
    expect(preview(frames).locator("main .drawn svg")).to_be_visible()
    preview(frames).get_by_role("button", name="Continue").click()
    expect(heading(frames)).to_have_text("Your name?")
    assert reported(frames) == ("onboarding:preview-screen", "s2")
    preview(frames).get_by_role("button", name="Back").click()
    expect(heading(frames)).to_have_text("Welcome to Demo app")
    assert reported(frames) == ("onboarding:preview-screen", "s1")


def test_preview_follows_screen_colours_direction_and_language(frames: Page, preview_url: str) -> None:
    ready(frames, preview_url)
    show(frames, screenId="s3", dark=True, dir="rtl", locale="ar-EG")
    expect(heading(frames)).to_have_text("Ready")
    root = preview(frames).locator("html")
    expect(root).to_have_attribute("dir", "rtl")
    expect(root).to_have_attribute("lang", "ar-EG")
    dark = preview(frames).locator("#app").evaluate("app => getComputedStyle(app).colorScheme")
    show(frames, screenId="gone", dir="ltr", locale="de")
    expect(root).to_have_attribute("dir", "ltr")
    expect(heading(frames)).to_have_text("Ready")
    light = preview(frames).locator("#app").evaluate("app => getComputedStyle(app).colorScheme")
    assert (dark, light) == ("dark", "light")


def test_preview_ignores_messages_of_other_origins_and_frames(
    frames: Page, preview_url: str, stack: RunningStack
) -> None:
    ready(frames, preview_url)
    foreign = {**_DOCUMENT, "screens": [{"id": "x", "type": "welcome", "content": {"title": "Foreign"}}]}
    message = {"type": "onboarding:preview", "document": foreign, "screenId": "x"}
    send = "message => parent.frames[0].postMessage(message, '*')"
    other = frames.frames[2]
    assert other.url.startswith(_STRANGER)
    other.evaluate(send, message)
    # A frame of the right origin is not the page around the preview.
    other.goto(f"{stack.management_url}/other")
    other.evaluate(send, message)
    frames.evaluate("message => frames[0].postMessage(message, '*')", {**message, "type": "other"})
    frames.evaluate("frames[0].postMessage('text', '*')")
    # Messages arrive in their order: the last one is that of the dashboard.
    show(frames, screenId="s3")
    expect(heading(frames)).to_have_text("Ready")
    assert preview(frames).get_by_text("Foreign").count() == 0


def test_preview_is_not_shown_in_a_frame_of_another_origin(
    context: BrowserContext, frames: Page, preview_url: str
) -> None:
    ready(frames, preview_url)
    page = context.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(f"{_STRANGER}/frames")
    eventually(lambda: any("frame-ancestors" in message for message in messages))
    assert page.evaluate("received") == []


def test_preview_records_nothing(frames: Page, preview_url: str) -> None:
    requests: list[str] = []
    frames.on("request", lambda request: requests.append(f"{request.method} {urlsplit(request.url).path}"))
    ready(frames, preview_url)
    show(frames)
    preview(frames).get_by_role("button", name="Continue").click()
    preview(frames).get_by_role("textbox").fill("Ada")
    for _ in range(2):
        preview(frames).get_by_role("button", name="Continue").click()
    expect(heading(frames)).to_have_text("All done")
    assert all(re.fullmatch(r"GET /onboarding/(preview|assets/\S+)", request) for request in requests), requests
    storage = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
    assert frames.frames[1].evaluate(storage) == []


def test_preview_sanitizes_html_as_the_publisher_does(frames: Page, preview_url: str) -> None:
    ready(frames, preview_url)
    for number, (html, _) in enumerate(CUSTOM_HTML):
        given = f"<p>a</p>{html}"
        screen = {"id": "s1", "type": "custom", "content": {"title": f"Case {number}", "html": given}}
        show(frames, {**_DOCUMENT, "screens": [screen]})
        expect(heading(frames)).to_have_text(f"Case {number}")
        # The browser's own form of the HTML that the publisher has sanitized.
        clean = sanitize_html(given).replace("{{app_name}}", "Demo app")
        expected = frames.evaluate("html => new DOMParser().parseFromString(html, 'text/html').body.innerHTML", clean)
        added = """/ alt=""| target="_blank"/g"""
        shown = preview(frames).locator(".html").evaluate(f"part => part.innerHTML.replace({added}, '')")
        assert shown == expected.replace(' alt=""', ""), html
