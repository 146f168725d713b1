"""The app around a page: a bridge that keeps the messages, and a decoder as strict as that of an SDK."""

from typing import Annotated

import msgspec
from playwright.sync_api import Page

from tests.support.polling import eventually

_RECEIVERS = {
    "webkit": "window.webkit = {messageHandlers: {flutter_bridge: receiver}};",
    "flutter": "window.flutter_bridge = receiver;",
    "react native": "window.ReactNativeWebView = receiver;",
}
BRIDGES = tuple(_RECEIVERS)
_ANSWERS = "form_responses:"


class FormResponse(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """An answer as SDKs with fixed types decode it."""

    question_text: str
    question_type: Annotated[str, msgspec.Meta(pattern="^question_(text|single_choice|multiple_choice|picker)$")]
    answer: str | list[str]
    screen_id: str
    unit: str | msgspec.UnsetType = msgspec.UNSET


class FormResponses(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """The answers of a visit."""

    flow_id: str
    responses: list[FormResponse]


def listen(page: Page, *bridges: str) -> None:
    """Add bridges to a page, which keep their messages in the page."""
    page.add_init_script("window.sent = []")
    for bridge in bridges:
        script = f"const receiver = {{postMessage: text => window.sent.push([{bridge!r}, text])}}; {_RECEIVERS[bridge]}"
        page.add_init_script(f"{{ {script} }}")


def messages_until_close(page: Page) -> list[tuple[str, str]]:
    """Return the messages with the bridge of each, after the page has closed."""
    # A function that Playwright repeats in the page needs `eval`, which the policy of pages forbids.
    eventually(lambda: page.evaluate("window.sent.some(([, text]) => text === 'close_pressed')"))
    return [(bridge, text) for bridge, text in page.evaluate("window.sent")]


def decode_strictly(message: str) -> FormResponses:
    """Decode form_responses: neither unknown members nor numbers are allowed. Raises msgspec.ValidationError."""
    assert message.startswith(_ANSWERS)
    decoded = msgspec.json.decode(message.removeprefix(_ANSWERS), type=FormResponses, strict=True)
    assert {response.unit for response in decoded.responses} <= {msgspec.UNSET, "metric", "imperial"}
    return decoded
