"""The members of contents: read by the first of their names that has a value; the schema knows what is stored."""

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from common.errors import InvalidRequestError
from common.wire.screen_contents import definitions
from management_api.screens.contents import check_contents, list_of, text_of
from management_api.screens.templates import screen_templates


def test_members_are_read_by_the_first_of_their_names_that_has_a_value() -> None:
    assert text_of("screen", "title", {"title": " ", "question": None, "heading": 7}) == "7"
    assert text_of("option", "value", {"label": "A"}) == text_of("option", "value", "A") == "A"
    assert text_of("screen", "title", {"title": True}) == text_of("screen", "title", None) == ""
    assert list_of("choice", "options", {"options": None, "choices": ["a"]}) == ["a"]
    assert list_of("choice", "options", {"options": "a", "choices": ["a"]}) == []


def test_schema_accepts_the_templates() -> None:
    for template in screen_templates():
        validator = Draft202012Validator({"$ref": f"#/$defs/{template.type}", "$defs": definitions()})
        assert [error.message for error in validator.iter_errors(template.default_content)] == []
        check_contents([("content", {"type": template.type, "content": template.default_content})])


@pytest.mark.parametrize(
    ("kind", "content", "field"),
    [
        ("loading", {"seconds": 31}, "seconds"),
        ("loading", {"seconds": 0.5}, "seconds"),
        ("loading", {"seconds": "5"}, "seconds"),
        ("loading", {"seconds": True}, "seconds"),
        ("loading", {"steps": "One"}, "steps"),
        ("summary", {"rows": [{"label": "A", "text": {"a": 1}}]}, "rows.0.text"),
        ("social_proof", {"quotes": [{"text": "Good", "stars": 6}]}, "quotes.0.stars"),
        ("social_proof", {"quotes": [{"text": "Good", "image": 7}]}, "quotes.0.image"),
        ("social_proof", {"rating": 5.1}, "rating"),
        ("comparison", {"columns": [{}, {}, {}]}, "columns"),
        ("consent", {"items": [{"name": "terms", "label": "Terms", "required": "yes"}]}, "items.0.required"),
        ("consent", {"items": [7]}, "items.0"),
        ("comparison", {"columns": ["A", {}]}, "columns.0"),
        ("comparison", {"columns": [{"points": "A"}]}, "columns.0.points"),
        ("loading", {"steps": ["One", {"label": ["Two"]}]}, "steps.1.label"),
        ("native", {"name": 7}, "name"),
        ("native", {"name": "sign_in", "data": "x"}, "data"),
    ],
)
def test_checked_members_of_another_shape_are_refused(kind: str, content: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        check_contents([("content", {"type": kind, "content": content})])
    assert [detail.field for detail in refused.value.details] == [f"content.{field}"]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("loading", {"seconds": None, "steps": [], "own": {"of": "the app"}, "title": 1}),
        ("loading", {"seconds": 1, "steps": ["One", {"label": "Two", "own": True}]}),
        ("summary", {"rows": ["Plain", {"icon": "🙂", "label": "A", "text": 7}]}),
        ("social_proof", {"rating": "4.8 of 5", "quotes": [{"stars": 4.5, "image": {"media_id": "media_1"}}]}),
        ("comparison", {"columns": [{"title": "A", "points": ["a", 1]}]}),
        ("welcome", {"seconds": 31, "title": []}),
    ],
)
def test_other_members_of_contents_are_free(kind: str, content: dict[str, Any]) -> None:
    check_contents([("content", {"type": kind, "content": content})])
