"""The examples of the package that run in a browser."""

from playwright.sync_api import expect

from tests.browser.sdk.conftest import EDGE
from tests.browser.sdk.test_web import Start, flow_of, go_on, screen

_CREDENTIALS = f"#{EDGE},p,s"


def test_web_example_shows_a_flow_and_its_answers(start_app: Start) -> None:
    question = screen("question_text", {"question": "Name?"})
    app = start_app(flow_of([screen("welcome", {"title": "One"}), question]))
    page = app.open_bundle("", f"/examples/web/index.html{_CREDENTIALS}")
    go_on(page)
    page.locator("#answer").fill("Ada")
    go_on(page)
    expect(page.locator("#result")).to_have_text('completed {"question_text":"Ada"}')


def test_react_example_draws_its_own_screen(start_app: Start, react_example: str) -> None:
    app = start_app(flow_of([screen("welcome", {"title": "One"}), screen("native", {"name": "sign_in"})]))
    page = app.open_bundle(react_example, f"/{_CREDENTIALS}")
    page.get_by_role("button", name="Start (ready)").click()
    go_on(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Enter your name.")
    page.get_by_label("Name").fill("Ada")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("completed")).to_be_visible()
