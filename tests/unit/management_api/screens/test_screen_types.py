"""A new type of screens stands in each table of types; the template test and the compiler name the other places."""

from typing import Any

from common.wire.public_responses import ScreenType
from management_api.analytics import responses
from management_api.flows.lifecycle import logic_problems
from management_api.flows.lifecycle.validation import screen_errors

QUESTIONS = {kind for kind in ScreenType if kind.startswith("question_")} | {ScreenType.CONSENT}


def test_every_type_of_screen_has_a_check_of_its_content() -> None:
    screens: list[dict[str, Any]] = [{"id": f"screen_{kind}", "type": kind.value, "content": {}} for kind in ScreenType]
    assert {error.field.split("/")[2] for error in screen_errors(screens)} >= {f"screen_{kind}" for kind in QUESTIONS}


def test_every_question_gives_answers_to_logic_and_to_responses() -> None:
    assert set(responses.QUESTIONS) == QUESTIONS
    assert QUESTIONS <= logic_problems.ASKING
