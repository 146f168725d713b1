"""Values of options and errors of contents, in the validation of documents."""

from typing import Any

import pytest

from management_api.flows.lifecycle.logic_problems import answer_keys
from management_api.flows.lifecycle.validation import (
    option_values,
    screen_errors,
)
from management_api.screens.templates import ScreenTemplate, screen_templates


@pytest.mark.parametrize(
    ("options", "values"),
    [
        (None, set()),
        ("ab", set()),
        (["a", "b", "a"], {"a", "b"}),
        ([{"value": "a", "label": "A"}, {"value": "a"}], {"a"}),
        ([{"label": "A"}, {"value": ""}, {"value": 1}, 2], {"A", "1", "2"}),
    ],
)
def test_option_values_are_counted_once(options: object, values: set[str]) -> None:
    assert option_values({"options": options}) == values


def test_comparison_without_two_columns_is_an_error() -> None:
    content = {"title": "A", "columns": [{"title": "One"}]}
    [error] = screen_errors([{"id": "s", "type": "comparison", "content": content}])
    assert (error.field, error.code) == ("/screens/s/content/columns", "MISSING_PARAMETER")


def test_boxes_of_consents_are_answer_keys() -> None:
    boxes = {"title": "A", "items": [{"name": "goal", "label": "A"}, {"name": "", "label": ""}, "news"]}
    screens = [
        {"id": "a", "type": "question_text", "content": {"question": "Goal?", "answer_key": "goal"}},
        {"id": "b", "type": "consent", "content": boxes},
        {"id": "c", "type": "consent", "content": {"title": "B", "items": [{"label": " "}]}},
    ]
    assert [(error.field, error.code) for error in screen_errors(screens)] == [
        ("/screens/b/content/items/0/name", "INVALID_PARAMETER"),
        ("/screens/c/content/items", "MISSING_PARAMETER"),
    ]
    assert [answer_keys(screen) for screen in screens] == [["goal"], ["goal", "news"], []]


@pytest.mark.parametrize("template", screen_templates(), ids=lambda template: template.id)
def test_templates_have_no_errors(template: ScreenTemplate) -> None:
    screen = {"id": "s", "type": template.type, "content": template.default_content}
    assert list(screen_errors([screen])) == []


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("welcome", {"headline": "A"}),
        ("question_text", {"title": "A?"}),
        ("question_single_choice", {"heading": "A?", "choices": ["a", {"id": 2}]}),
        ("paywall", {"products": [{"id": "yearly"}]}),
        ("permissions", {"title": "A", "permission": "camera", "image_url": "http://a", "items": 3}),
    ],
)
def test_content_that_pages_show_has_no_errors(kind: str, content: dict[str, Any]) -> None:
    assert list(screen_errors([{"id": "s", "type": kind, "content": content}])) == []
