"""The members of contents: read by the first of their names that has a value; the schema knows what is stored."""

from jsonschema_rs import Draft202012Validator

from management_api.screens.contents import definitions, list_of, text_of
from management_api.screens.templates import SCREEN_TEMPLATES


def test_members_are_read_by_the_first_of_their_names_that_has_a_value() -> None:
    assert text_of("screen", "title", {"title": " ", "question": None, "heading": 7}) == "7"
    assert text_of("option", "value", {"label": "A"}) == text_of("option", "value", "A") == "A"
    assert text_of("screen", "title", {"title": True}) == text_of("screen", "title", None) == ""
    assert list_of("choice", "options", {"options": None, "choices": ["a"]}) == ["a"]
    assert list_of("choice", "options", {"options": "a", "choices": ["a"]}) == []


def test_schema_accepts_the_templates() -> None:
    for template in SCREEN_TEMPLATES:
        validator = Draft202012Validator({"$ref": f"#/$defs/{template.type}", "$defs": definitions()})
        assert [error.message for error in validator.iter_errors(template.default_content)] == []
