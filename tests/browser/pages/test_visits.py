"""Visits: keyboard, reloads, a killed tab, a lost network, hostile content, access and budgets."""

import gzip

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from common.wire.page_assets import bare_name
from common.wire.page_shell import page_html
from tests.browser.pages.flows import ALL_TYPES, QUESTIONS, TEMPLATES
from tests.browser.pages.page_server import ASSETS, PageServer, flow_page, manifest
from tests.support.browser import SCREENS, axe_violations
from tests.support.polling import eventually

_THREE = [{"type": "welcome"}, {"type": "feature"}, {"type": "paywall"}]
_HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


def _continue(page: Page) -> None:
    page.locator(".footer .primary").click()


def test_flow_is_reported_by_events(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(QUESTIONS[:3])
    page.goto(pages.url())
    _continue(page)
    page.get_by_role("textbox").fill("Ada")
    _continue(page)
    page.get_by_text("Health").click()
    _continue(page)
    expect(page.get_by_role("heading")).to_have_text("All done")
    eventually(lambda: "flow_completed" in pages.event_types())
    question = ["screen_viewed", "question_answered", "screen_completed"]
    assert pages.event_types() == [
        "flow_started",
        *("screen_viewed", "screen_completed"),
        *question,
        *question,
        "flow_completed",
    ]
    answered = next(event for event in pages.events if event["eventType"] == "question_answered")
    views = [event["properties"] for event in pages.events if event["eventType"] == "screen_viewed"]
    assert views == [
        {"from_screen_id": None, "rule": None, "step": 1},
        {"from_screen_id": "screen_0", "rule": None, "step": 2},
        {"from_screen_id": "screen_1", "rule": None, "step": 3},
    ]
    assert answered["properties"] == {"answer_key": "name", "question_type": "question_text", "answer": "Ada"}
    assert len({event["sessionId"] for event in pages.events}) == 1


def test_answers_stay_on_the_device_unless_the_project_records_them(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(QUESTIONS[1:2], record_answers=False)
    page.goto(pages.url())
    page.get_by_role("textbox").fill("Ada")
    _continue(page)
    eventually(lambda: "flow_completed" in pages.event_types())
    assert "Ada" not in str(pages.events)


def test_project_without_analytics_sends_nothing(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(_THREE[:1], analytics_enabled=False)
    page.goto(pages.url())
    _continue(page)
    expect(page.get_by_role("heading")).to_have_text("All done")
    assert page.evaluate("Object.keys(localStorage)") == []


def test_reload_keeps_position_and_answers(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(QUESTIONS)
    page.goto(pages.url())
    _continue(page)
    page.get_by_role("textbox").fill("Ada")
    _continue(page)
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("Your goal?")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("textbox")).to_have_value("Ada")
    page.go_back()
    expect(page.get_by_role("heading")).to_have_text("Welcome to Demo app")
    eventually(lambda: pages.event_types().count("flow_started") == 1)


def test_screen_that_was_not_reached_leads_to_the_first(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(QUESTIONS)
    page.goto(pages.url(5))
    expect(page).to_have_url(pages.url(1))


def test_events_of_a_killed_tab_arrive_at_the_next_visit_once(context: BrowserContext, pages: PageServer) -> None:
    pages.html = flow_page(_THREE)
    pages.status = 503
    first = context.new_page()
    first.goto(pages.url())
    _continue(first)
    expect(first).to_have_url(pages.url(2))
    first.close()
    assert pages.events == []
    pages.status = 200
    second = context.new_page()
    second.goto(pages.url())
    eventually(lambda: pages.event_types().count("flow_started") == 2)
    assert pages.event_types()[:4] == ["flow_started", "screen_viewed", "screen_completed", "screen_viewed"]
    eventually(lambda: second.evaluate("localStorage['onboarding.events.proj_1']") == "[]")
    # The last request of the first tab may arrive late: the service stores an event that it gets twice once.
    assert len({event["eventId"] for event in pages.events}) == 6


def test_flow_needs_no_network_after_its_first_load(context: BrowserContext, pages: PageServer) -> None:
    pages.html = flow_page(TEMPLATES)
    page = context.new_page()
    page.goto(pages.url(), wait_until="networkidle")
    context.set_offline(offline=True)
    requests = len(pages.requests)
    for number in (2, 3, 4):
        _continue(page)
        expect(page).to_have_url(pages.url(number))
    broken = "[...document.images].filter(image => image.complete && !image.naturalWidth).length"
    assert page.evaluate(broken) == 0
    context.set_offline(offline=False)
    eventually(lambda: pages.event_types().count("screen_viewed") == 4)
    assert len(pages.requests) == requests


def test_markup_in_texts_is_shown_as_text(page: Page, pages: PageServer) -> None:
    content = {"title": _HOSTILE, "question": _HOSTILE, "options": [_HOSTILE], "benefits": [_HOSTILE], "html": _HOSTILE}
    for kind in ("welcome", "question_single_choice", "custom", "paywall"):
        pages.html = flow_page([{"type": kind, "name": _HOSTILE, "content": content}], project_name=_HOSTILE)
        page.goto(pages.url())
        expect(page.locator(".footer .primary")).to_be_visible()
        assert page.title() != "owned"
        assert page.locator("main script").count() == 0


def test_name_of_a_project_does_not_become_markup_in_a_custom_screen(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(
        [{"type": "custom", "content": {"html": "<p>Hello {{app_name}}</p>"}}], project_name="<b>R&amp;D</b>"
    )
    page.goto(pages.url())
    expect(page.locator("main p")).to_have_text("Hello <b>R&amp;D</b>")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "direction"), [("phone", "ltr"), ("desktop", "rtl")])
def test_axe_finds_no_violation_on_any_template(page: Page, pages: PageServer, size: str, direction: str) -> None:
    width, height = SCREENS[size]
    page.set_viewport_size({"width": width, "height": height})
    screens = [
        {
            **screen,
            "content": {
                **screen["content"],
                "primary_button": "Go",
                "required": False,
                "min_selected": 0,
                "fields": [{"name": "email"}],
                **({"items": [{"name": "terms", "label": "Terms"}]} if screen["type"] == "consent" else {}),
            },
        }
        for screen in TEMPLATES
    ]
    pages.html = flow_page(screens)
    page.goto(pages.url(query="&locale=ar-EG" if direction == "rtl" else ""))
    expect(page.locator("html")).to_have_attribute("dir", direction)
    found = []
    for number, screen in enumerate(screens, start=1):
        expect(page.get_by_text(f"Step {number} of")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found += axe_violations(page)
        if screen["type"] != "loading":
            _continue(page)
    assert found == []


def test_targets_are_at_least_44_pixels_high(page: Page, pages: PageServer) -> None:
    pages.html = flow_page([{**TEMPLATES[10], "settings": {"skippable": True}}])
    page.goto(pages.url())
    sizes = page.evaluate(
        "[...document.querySelectorAll('button, label')].map(element => element.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44


def test_motion_is_short_and_absent_where_it_is_not_wanted(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(_THREE)
    page.goto(pages.url())
    _continue(page)
    duration = "Math.max(0, ...document.getAnimations().map(a => a.effect.getTiming().duration))"
    assert page.evaluate(duration) == 0
    page.emulate_media(reduced_motion="no-preference")
    _continue(page)
    assert 0 < page.evaluate(duration) <= 200


def test_error_page_shows_itself_and_closes(page: Page, pages: PageServer) -> None:
    page.add_init_script("window.sent = []; window.flutter_bridge = {postMessage: text => window.sent.push(text)}")
    body = '<main id="error"><h1>Gone</h1><p role="alert">Try later.</p>'
    body += '<button type="button" data-action="close">Close</button></main>'
    pages.html = page_html("Gone", body, manifest(), "../../../../", body_attributes=' data-error="404"')
    page.goto(pages.url())
    page.get_by_role("button", name="Close").click()
    assert page.evaluate("sent") == ["initial_load_complete", "themeStyle:default", "close_pressed"]
    assert axe_violations(page) == []


def test_page_keeps_its_budgets(page: Page, pages: PageServer) -> None:
    pages.html = flow_page([QUESTIONS[0], QUESTIONS[2], ALL_TYPES[-1]])
    page.goto(pages.url(), wait_until="networkidle")
    assert len(gzip.compress(pages.html.encode())) <= 14 * 1024
    loaded = [path.rpartition("/")[2] for path in pages.requests[1:]]
    assert sum((ASSETS / f"{name}.gz").stat().st_size for name in loaded) <= 26 * 1024
    # All others are parts that only some flows need.
    needed = {"fallback.js", "pages.css", "pages.js", "paywall.css", "paywall.js"}
    assert {f"{bare_name(name)}.{name.rpartition('.')[2]}" for name in loaded} == needed
