"""Contrast of colours, values of options and errors of contents, in the validation of documents."""

from typing import Any

import pytest

from management_api.flows.lifecycle.logic_problems import answer_keys
from management_api.flows.lifecycle.validation import (
    contrast_of_texts,
    contrast_ratio,
    contrast_warnings,
    option_values,
    screen_errors,
)
from management_api.screens.templates import ScreenTemplate, screen_templates


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#fff", "#ffffff", 1.0),
        ("#767676", "#ffffff", 4.54),
        ("#777777", "#ffffff", 4.48),
        ("#ff0000ff", "#ffffff", 4.0),
    ],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast_ratio(first, second) == contrast_ratio(second, first) == pytest.approx(ratio, abs=0.005)


def test_contrast_is_judged_where_the_theme_sets_a_colour() -> None:
    assert list(contrast_of_texts({})) == []
    assert [pair[:2] for pair in contrast_of_texts({"primary": "#000"})] == []
    colors = {"background": "#000", "surface": "#111", "textSecondary": "#222"}
    assert [pair[:2] for pair in contrast_of_texts(colors)] == [
        ("text", "background"),
        ("textSecondary", "background"),
        ("text", "surface"),
    ]


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


def test_contrast_of_the_palette_of_dark_devices_is_a_warning() -> None:
    colors = {"text": "#000000", "dark": {"text": "#333333", "primary": "#fff"}}
    assert [(found.field, found.message) for found in contrast_warnings(colors, "/theme_id")] == [
        ("/theme_id", "has a contrast of 1.6:1 between text and background on dark devices; 4.5:1 is needed")
    ]
    assert list(contrast_warnings({"dark": {"text": "#eeeeee"}}, "")) == []
