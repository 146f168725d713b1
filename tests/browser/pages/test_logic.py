"""Logic in hosted pages: paths, events of views, texts with values, progress."""

from playwright.sync_api import Page, expect

from tests.browser.pages.flows import QUESTIONS, TEMPLATES
from tests.browser.pages.page_server import ASSETS, PageServer, flow_page, manifest
from tests.support.browser import axe_violations
from tests.support.polling import eventually


def _continue(page: Page) -> None:
    page.locator(".footer .primary").click()


def test_answers_and_the_device_decide_which_screens_follow(page: Page, pages: PageServer) -> None:
    is_work = [{"attribute": "answers.screen_0", "operator": "eq", "value": "Work"}]
    is_pro = [{"attribute": "attributes.plan", "operator": "eq", "value": "pro"}]
    pages.html = flow_page(
        [
            {**QUESTIONS[2], "next": [{"id": "r1", "when": is_work, "goTo": "screen_2"}]},
            {"type": "feature", "content": {"title": "Eat well"}, "next": [{"id": "r1", "when": [], "goTo": "end"}]},
            {"type": "feature", "content": {"title": "Plan your day"}},
            {"type": "feature", "content": {"title": "For you"}, "showIf": is_pro},
        ]
    )
    page.goto(pages.url(query="&attributes=%7B%22plan%22%3A%22pro%22%7D"))
    heading = page.get_by_role("heading")
    page.get_by_text("Work").click()
    _continue(page)
    expect(heading).to_have_text("Plan your day")
    expect(page.locator("progress")).to_have_js_property("value", 2 / 3)
    page.reload()
    expect(heading).to_have_text("Plan your day")
    _continue(page)
    expect(heading).to_have_text("For you")
    for title in ("Plan your day", "Your goal?"):
        page.get_by_role("button", name="Back").click()
        expect(heading).to_have_text(title)
    page.get_by_text("Health").click()
    _continue(page)
    expect(heading).to_have_text("Eat well")
    assert axe_violations(page) == []
    _continue(page)
    eventually(lambda: pages.event_types()[-1:] == ["flow_completed"])
    views = {event["eventId"]: event for event in pages.events if event["eventType"] == "screen_viewed"}.values()
    assert [(view["screenId"], *view["properties"].values()) for view in views] == [
        ("screen_0", None, None, 1),
        ("screen_2", "screen_0", "r1", 2),
        # The reload.
        ("screen_2", "screen_0", "r1", 2),
        ("screen_3", "screen_2", None, 3),
        ("screen_2", "screen_3", None, 2, True),
        ("screen_0", "screen_2", None, 1, True),
        ("screen_1", "screen_0", None, 2),
    ]


def test_texts_have_answers_and_variables_in_the_language_of_the_page(page: Page, pages: PageServer) -> None:
    pages.html = flow_page(
        [
            {"type": "question_text", "content": {"question": "Name?", "answer_key": "name"}},
            {
                "type": "question_multiple_choice",
                "content": {
                    "question": "{{answers.name}}, what for?",
                    "answer_key": "areas",
                    "options": ["Sleep", {"value": "{{x}}", "label": "Food of {{app_name}}"}],
                },
            },
            {
                "type": "custom",
                "content": {
                    "html": "<h1>Plan of {{answers.name}}</h1><p>{{answers.areas}}: {{variables.price:currency(EUR)}} "
                    "until {{ variables.day }}, {{attributes.plan|free}} \\{{locale}}</p>"
                },
            },
        ],
        variables={"price": "1000 + count(answers.areas) / 2", "day": 'date_add("2026-12-31", 2, "month")'},
    )
    page.goto(pages.url(query="&locale=de"))
    page.get_by_role("textbox").fill("<b>Ada</b>")
    _continue(page)
    expect(page.get_by_role("heading")).to_have_text("<b>Ada</b>, what for?")
    # Only conditions and rules change the progress.
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    page.get_by_text("Sleep").click()
    page.get_by_text("Food of Demo app").click()
    _continue(page)
    expect(page.get_by_role("heading")).to_have_text("Plan of <b>Ada</b>")
    shown = "Sleep und Food of Demo app: 1.001,00\u00a0€ until 28. Februar 2027, free {{locale}}"
    expect(page.locator(".html p")).to_have_text(shown)
    page.reload()
    expect(page.locator(".html p")).to_have_text(shown)
    answered = {
        event["properties"]["answer_key"]: event["properties"]["answer"]
        for event in pages.events
        if event["eventType"] == "question_answered"
    }
    assert answered == {"name": "<b>Ada</b>", "areas": ["Sleep", "{{x}}"]}


def test_screens_that_do_not_count_are_in_no_number_of_the_progress(page: Page, pages: PageServer) -> None:
    uncounted = {"settings": {"counts": False}}
    screens = [{**TEMPLATES[0], **uncounted}, TEMPLATES[2], {**TEMPLATES[2], **uncounted}, TEMPLATES[2]]
    pages.html = flow_page(screens)
    page.goto(pages.url())
    bar, step = page.locator("progress"), page.locator(".step")
    expect(bar).to_have_js_property("value", 0)
    expect(step).to_have_count(0)
    for number in (1, 1, 2):
        _continue(page)
        expect(step).to_have_text(f"Step {number} of 2")
        expect(bar).to_have_js_property("value", number)


def test_script_of_logic_keeps_its_budget() -> None:
    [script] = [name for name in manifest().files if name.startswith("logic.")]
    assert (ASSETS / f"{script}.gz").stat().st_size <= 5_000
