"""Messages to the app: their order, their shapes, and the first bridge that exists."""

import pytest
from msgspec import UNSET
from playwright.sync_api import Page, expect

from tests.browser.pages.bridge import BRIDGES, decode_strictly, listen, messages_until_close
from tests.browser.pages.flows import QUESTIONS
from tests.browser.pages.page_server import FLOW_ID, PageServer, flow_page
from tests.support.polling import eventually

_OTHERS = [pytest.param(bridge, marks=pytest.mark.slow) for bridge in BRIDGES[1:]]
_WHITE = {"colors": {"background": "#ffffff"}}
_BLACK = {"colors": {"background": "#101010"}}


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("bridge", [BRIDGES[0], *_OTHERS])
def test_messages_arrive_in_order_and_answers_have_their_shapes(page: Page, pages: PageServer, bridge: str) -> None:
    listen(page, bridge)
    pages.html = flow_page(QUESTIONS, theme=_WHITE)
    page.goto(pages.url())
    press(page, "Start")
    page.get_by_role("textbox").fill("Ada")
    press(page, "Continue")
    page.get_by_text("Work").click()
    press(page, "Continue")
    page.get_by_text("Books").click()
    page.get_by_text("Cooking").click()
    press(page, "Continue")
    for _ in range(3):
        press(page, "Continue")
    messages = messages_until_close(page)
    texts = [text for _, text in messages]
    assert {name for name, _ in messages} == {bridge}
    assert [text.partition(":{")[0] for text in texts] == [
        "initial_load_complete",
        "themeStyle:default",
        "form_responses",
        "close_pressed",
    ]
    document = decode_strictly(texts[-2])
    assert document.flow_id == FLOW_ID
    assert [(entry.question_type, entry.answer, entry.unit) for entry in document.responses] == [
        ("question_text", "Ada", UNSET),
        ("question_single_choice", "Work", UNSET),
        ("question_multiple_choice", ["b", "Cooking"], UNSET),
        ("question_picker", ["175"], "metric"),
        ("question_picker", ["June", "15", "1995"], UNSET),
        ("question_picker", ["07:30"], UNSET),
    ]


def test_first_bridge_gets_all_messages(page: Page, pages: PageServer) -> None:
    listen(page, "react native", "flutter", "webkit")
    pages.html = flow_page([{"type": "welcome"}], theme=_BLACK)
    page.goto(pages.url())
    press(page, "Continue")
    messages = messages_until_close(page)
    assert messages == [
        ("webkit", "initial_load_complete"),
        ("webkit", "themeStyle:light"),
        ("webkit", "close_pressed"),
    ]


def test_style_is_sent_again_when_a_screen_changes_it(page: Page, pages: PageServer) -> None:
    listen(page, "flutter")
    dark = {"type": "welcome", "settings": {"background_color": "#000000"}}
    pages.html = flow_page([{"type": "welcome"}, dark, dark, {"type": "feature"}], theme=_WHITE)
    page.goto(pages.url())
    for _ in range(4):
        press(page, "Continue")
    messages = messages_until_close(page)
    styles = [text for _, text in messages if text.startswith("themeStyle")]
    assert styles == ["themeStyle:default", "themeStyle:light", "themeStyle:default"]


@pytest.mark.parametrize(
    ("bridge", "permission", "message"),
    [
        ("flutter", "notifications", "notification"),
        pytest.param("react native", "notifications", "notifications", marks=pytest.mark.slow),
        pytest.param("webkit", "camera", "camera", marks=pytest.mark.slow),
    ],
)
def test_permission_is_requested_and_the_page_goes_on(
    page: Page, pages: PageServer, bridge: str, permission: str, message: str
) -> None:
    listen(page, bridge)
    pages.html = flow_page([{"type": "permissions", "content": {"permission": permission}}, {"type": "feature"}])
    page.goto(pages.url())
    press(page, "Allow")
    page.wait_for_url("**/2?*")
    assert page.evaluate("window.sent")[2] == [bridge, f"request_permission:{message}"]


def test_skip_closes_once_with_the_answers(page: Page, pages: PageServer) -> None:
    listen(page, "flutter")
    leave = {"secondary_button": {"label": "Leave", "action": "skip"}, "question": "Who?"}
    pages.html = flow_page(
        [{"type": "question_text", "content": {"question": "Name?"}}, {"type": "welcome", "content": leave}]
    )
    page.goto(pages.url())
    page.get_by_role("textbox").fill("Ada")
    expect(page.locator("[data-settling]")).to_have_count(0)
    page.get_by_role("textbox").press("Enter")
    page.get_by_role("button", name="Leave").dblclick()
    messages = messages_until_close(page)
    assert [text for _, text in messages].count("close_pressed") == 1
    assert decode_strictly(messages[-2][1]).responses[0].answer == "Ada"
    eventually(lambda: pages.event_types()[-1] == "flow_skipped")
