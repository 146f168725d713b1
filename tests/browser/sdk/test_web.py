"""The web SDK in a real browser: the player of the hosted pages in a shadow root of the app's page."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.sdk.conftest import App

Start = Callable[[dict[str, Any]], App]


def screen(screen_type: str, content: dict[str, Any], **settings: bool) -> dict[str, Any]:
    return {"id": screen_type, "type": screen_type, "content": content, "settings": settings}


EVERY_TYPE = [
    screen("welcome", {"title": "Welcome", "illustration": "welcome"}),
    screen("feature", {"title": "Feature", "items": [{"icon": "heart", "title": "One"}]}),
    screen("permissions", {"title": "Permission", "permission": "camera"}),
    screen("question_text", {"question": "Name?"}),
    screen("question_single_choice", {"question": "Goal?", "options": ["Run", "Swim"]}),
    screen("question_multiple_choice", {"question": "Days?", "options": ["Mon", "Tue"]}),
    screen("question_picker", {"question": "Birthday?", "picker": "date"}),
    screen("consent", {"title": "Consent", "items": [{"key": "terms", "label": "Terms"}]}),
    screen("loading", {"title": "Loading", "steps": ["One"], "seconds": 1}),
    screen("summary", {"title": "Summary", "rows": [{"label": "Goal", "text": "{{answers.goal|none}}"}]}),
    screen("social_proof", {"title": "Proof", "quotes": [{"text": "Good", "name": "Ann"}]}),
    screen("comparison", {"title": "Comparison", "columns": ["Us", "Them"], "rows": [{"label": "A"}]}),
    screen("signup", {"title": "Sign up", "fields": ["email"]}),
    screen("paywall", {"title": "Pay", "products": [{"product_id": "year", "label": "Year"}]}),
    screen("custom", {"title": "Custom", "html": "<h1>Own</h1><img src=x onerror='document.title=1'>"}),
    screen("hologram", {"title": "A newer type"}),
    screen("native", {"name": "sign_in", "data": {"hint": "Hi"}}),
]


def flow_of(screens: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "flow_1", "name": "Flow", "theme": {"colors": {"primary": "#0f766e"}}, "screens": screens}


def _two() -> dict[str, Any]:
    return flow_of([screen("welcome", {"title": "One"}), screen("feature", {"title": "Two"})])


def go_on(page: Page) -> None:
    """Press the primary button, when the screen takes presses."""
    page.locator(".frame:not([data-settling]):not([data-waiting]) .primary").click()


def _result(page: Page) -> dict[str, Any]:
    page.wait_for_function("() => document.title.startsWith('{')")
    result: dict[str, Any] = json.loads(page.title())
    return result


def test_modal_shows_every_type_asks_the_app_and_reports_each_event_once(start_app: Start) -> None:
    app = start_app(flow_of(EVERY_TYPE))
    errors: list[str] = []
    script = """
    window.asked = [];
    showOnboarding(client, {
      onPermission: (name) => window.asked.push(name),
      onPurchase: ({ productId }) => window.asked.push(productId),
      onSignup: ({ fields }) => window.asked.push(fields.email),
      screens: { sign_in: (element, { data, done, fail }) => {
        element.innerHTML = `<button id="own">${data.hint}</button>`;
        element.firstChild.onclick = () => {
          element.dataset.tried ? done() : fail("Again");
          element.dataset.tried = "yes";
        };
        return () => window.asked.push("left");
      } },
    }).then(ended);
    document.getElementById("before").focus();
    """
    page = app.open(script)
    page.on("console", lambda message: errors.append(message.text) if "Policy" in message.text else None)
    page.on("pageerror", lambda error: errors.append(error.message))
    expect(page.locator("dialog h1")).to_have_text("Welcome")
    expect(page.locator("dialog .picture svg")).to_be_visible()
    assert page.evaluate("document.documentElement.style.overflow") == "hidden"
    expect(page.locator("dialog .primary")).to_have_css("background-color", "rgb(15, 118, 110)")
    go_on(page)
    go_on(page)
    go_on(page)
    page.locator("#answer").fill("Ada")
    go_on(page)
    page.get_by_text("Swim").click()
    go_on(page)
    page.get_by_text("Tue").click()
    go_on(page)
    go_on(page)
    expect(page.locator("h1")).to_have_text("Consent")
    page.locator(".card").first.click()
    go_on(page)
    expect(page.locator("h1")).to_have_text("Summary")
    go_on(page)
    go_on(page)
    go_on(page)
    page.locator("#field-email").fill("ada@example.com")
    go_on(page)
    go_on(page)
    expect(page.locator("h1")).to_have_text("Own")
    go_on(page)
    expect(page.locator("h1")).to_have_text("A newer type")
    go_on(page)
    page.locator("#own").click()
    expect(page.get_by_role("alert")).to_have_text("Again")
    page.locator("#own").click()
    result = _result(page)
    assert result["outcome"] == "completed"
    assert result["answers"]["question_single_choice"] == "Swim"
    assert page.evaluate("window.asked") == ["camera", "ada@example.com", "year", "left"]
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("[document.documentElement.style.overflow, document.activeElement.id]") == ["", "before"]
    counts = Counter(app.types())
    assert counts["flow_started"] == counts["flow_completed"] == 1
    assert counts["screen_viewed"] == counts["screen_completed"] == len(EVERY_TYPE)
    assert errors == []


def test_back_reload_and_offline_start_keep_the_visit(start_app: Start) -> None:
    app = start_app(_two())
    page = app.open("window.mounted = mountOnboarding(client, inline); mounted.result.then(ended);")
    go_on(page)
    expect(page.locator("h1")).to_have_text("Two")
    page.get_by_label("Back").click()
    expect(page.locator("h1")).to_have_text("One")
    go_on(page)
    expect(page.locator("h1")).to_have_text("Two")
    app.is_online = False
    page.reload()
    expect(page.locator("h1")).to_have_text("Two")
    go_on(page)
    assert _result(page)["outcome"] == "completed"
    assert page.locator("#inline").inner_html() == ""
    app.is_online = True
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_function("() => !localStorage.getItem('doorstep.p').includes('flow_completed')")
    counts = Counter(app.types())
    assert counts["flow_started"] == counts["flow_completed"] == 1


def test_two_tabs_of_one_device_lose_no_event(start_app: Start) -> None:
    app = start_app(_two())
    app.is_online = False
    tabs = [app.open("window.client = client") for _ in range(2)]
    for number in range(20):
        for tab in tabs:
            tab.evaluate("(number) => window.client.track('opened', { number })", number)
    app.is_online = True
    for tab in tabs:
        tab.evaluate("void window.client.flush()")
    tabs[0].wait_for_function("() => JSON.parse(localStorage.getItem('doorstep.p')).events.length === 0")
    # A tab keeps its events until it has sent them, so the service may get one twice. Its id counts once.
    numbers = {event["eventId"]: event["properties"]["number"] for event in app.events}
    assert Counter(numbers.values()) == dict.fromkeys(range(20), 2)
    assert len({event["deviceId"] for event in app.events}) == 1


def test_escape_ends_a_dialog_only_where_the_app_allows_it(start_app: Start) -> None:
    app = start_app(_two())
    page = app.open("showOnboarding(client).then(ended)")
    for _ in range(3):
        page.locator("dialog h1").press("Escape")
    expect(page.locator("dialog h1")).to_have_text("One")
    page = app.open("showOnboarding(client, { closable: true }).then(ended)")
    page.locator("dialog h1").press("Escape")
    assert _result(page)["outcome"] == "skipped"


def test_a_required_native_screen_without_a_component_is_not_passed(start_app: Start) -> None:
    native = {"name": "sign_in", "title": "Sign in"}
    optional = {**screen("native", native), "id": "optional"}
    app = start_app(flow_of([optional, screen("welcome", {"title": "One"}), screen("native", native, required=True)]))
    page = app.open("mountOnboarding(client, inline).result.then(ended)")
    expect(page.locator("h1")).to_have_text("One")
    go_on(page)
    expect(page.locator("main")).to_contain_text("This step needs the app.")
    expect(page.locator(".primary")).to_have_count(0)


def test_two_flows_in_one_page_share_nothing_and_leave_nothing(start_app: Start) -> None:
    app = start_app(_two())
    page = app.open("""
    const other = document.body.appendChild(document.createElement("div"));
    window.all = [inline, other].map((element) => mountOnboarding(client, element));
    """)
    expect(page.locator("h1")).to_have_count(2)
    page.evaluate("all[0].close()")
    expect(page.locator("h1")).to_have_count(1)
    assert page.evaluate("all[0].result.then((result) => result.outcome)") == "skipped"
    assert page.locator("#inline").inner_html() == ""
