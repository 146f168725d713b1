"""The annotated types of what people write: text with its lengths, and values that may not be null."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from common.text import has_forbidden_characters, text_pattern
from common.wire.public_bodies import EVENT_TYPE_DESCRIPTION, EVENT_TYPE_PATTERN
from management_api.schemas.rules import Rule


def complaint(message: str) -> PydanticCustomError:
    """Make a validation error whose text the client reads after the field's name."""
    # Braces would be taken for placeholders of the message's context.
    return PydanticCustomError("invalid", "{message}", {"message": message})


def missing() -> PydanticCustomError:
    """Make the error for null where a value is required."""
    return PydanticCustomError("required_null", "is required")


def text_between(shortest: int, longest: int) -> Rule:
    """Make the rule of a text: trimmed, then counted in code points, without control characters."""
    lengths = f"must have {shortest} to {longest} characters" if shortest else f"must have at most {longest} characters"

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise complaint("must be a string")
        trimmed = value.strip()
        if not shortest <= len(trimmed) <= longest:
            raise complaint(lengths)
        if has_forbidden_characters(trimmed):
            raise complaint("must not contain control characters")
        return trimmed

    described = {"description": f"{lengths}; white space around it is trimmed".capitalize()}
    return Rule(check, {"pattern": text_pattern(shortest, longest), **described})


def text_of_pattern(pattern: str, description: str) -> Rule:
    """Make the rule of a text that is a word of ours, not people's: it is taken as it stands."""
    compiled = re.compile(pattern)

    def check(value: object) -> str:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            raise complaint(description)
        return value

    return Rule(check, {"pattern": pattern})


def _id_text(value: object) -> str:
    if not isinstance(value, str):
        raise complaint("must be a string")
    trimmed = value.strip()
    if not trimmed:
        raise complaint("must not be empty")
    return trimmed


def _required(value: object) -> object:
    if value is None:
        raise missing()
    return value


#: Put on a required member, so that null is reported as missing.
REQUIRED = BeforeValidator(_required)

ProjectName = Annotated[str, text_between(3, 50)]
ProjectDescription = Annotated[str, text_between(0, 200)]
FlowName = Annotated[str, text_between(1, 100)]
FlowDescription = Annotated[str, text_between(0, 500)]
ScreenName = Annotated[str, text_between(0, 100)]
ThemeName = Annotated[str, text_between(1, 50)]
ThemeDescription = Annotated[str, text_between(0, 500)]
SearchText = Annotated[str, text_between(0, 200)]
#: An id in a body or a query: one that is malformed, however, simply does not exist.
IdText = Annotated[str, Rule(_id_text, {"pattern": r"\S"})]
#: What an event says that it is.
EventTypeText = Annotated[str, text_of_pattern(EVENT_TYPE_PATTERN, EVENT_TYPE_DESCRIPTION)]
#: Free JSON that is stored as it came.
JsonObject = dict[str, Any]


def whole_number_between(lowest: int, highest: int) -> Rule:
    """Make the rule of a whole number in a body: a JSON number, 5 or 5.0, never a text or a boolean."""

    def check(value: object) -> int:
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        if number is None or not lowest <= number <= highest or number != int(number):
            raise complaint(f"must be a whole number from {lowest} to {highest}")
        return int(number)

    return Rule(check, {"minimum": lowest, "maximum": highest})
