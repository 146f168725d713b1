"""The annotated types of the fields of models: texts, numbers, choices and lists, with their JSON Schema."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, BeforeValidator, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from common.text import has_forbidden_characters, text_pattern
from common.timestamps import parse_timestamp
from common.wire.public_bodies import EVENT_TYPE_DESCRIPTION, EVENT_TYPE_PATTERN

#: The longest name of a member in stored content, in characters. A diff has the names above a change in its path.
MAX_NAME_LENGTH = 200
#: The first character of the name of a kind in the place of an error, which clients do not see.
KIND_MARK = "\0"


@dataclass(frozen=True, eq=False)
class Rule:
    """Annotates a type. `check` gets the value before pydantic and raises `field_error(...)`.

    `schema` adds members to pydantic's schema of the type.
    """

    check: Callable[[Any], Any]
    schema: Mapping[str, Any] = field(default_factory=dict)

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Run the check before pydantic's validation."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the accepted values."""
        return {**handler(core), **self.schema}


def field_error(message: str) -> PydanticCustomError:
    """Return a validation error; the client reads the message after the name of the field."""
    # Braces would be taken for placeholders of the message's context.
    return PydanticCustomError("invalid", "{message}", {"message": message})


def missing() -> PydanticCustomError:
    """Return the error for null where a value is required."""
    return PydanticCustomError("required_null", "is required")


def moment_of(value: object) -> datetime:
    """Return a timestamp of ISO 8601."""
    try:
        moment = parse_timestamp(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None:
        raise field_error("must be an ISO 8601 timestamp")
    return moment


def text_between(shortest: int, longest: int) -> Rule:
    """Return the rule of a text: trimmed, then counted in code points, without control characters."""
    lengths = f"must have {shortest} to {longest} characters" if shortest else f"must have at most {longest} characters"

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise field_error("must be a string")
        trimmed = value.strip()
        if not shortest <= len(trimmed) <= longest:
            raise field_error(lengths)
        if has_forbidden_characters(trimmed):
            raise field_error("must not contain control characters")
        return trimmed

    described = {"description": f"{lengths}; white space around it is trimmed".capitalize()}
    return Rule(check, {"pattern": text_pattern(shortest, longest), **described})


def text_of_pattern(pattern: str, description: str) -> Rule:
    """Return the rule of an identifier by a pattern; it is not trimmed."""
    compiled = re.compile(pattern)

    def check(value: object) -> str:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            raise field_error(description)
        return value

    return Rule(check, {"pattern": pattern})


def _id_text(value: object) -> str:
    if not isinstance(value, str):
        raise field_error("must be a string")
    trimmed = value.strip()
    if not trimmed:
        raise field_error("must not be empty")
    return trimmed


def _required(value: object) -> object:
    if value is None:
        raise missing()
    return value


def whole_number_between(lowest: int, highest: int) -> Rule:
    """Return the rule of a whole number in a body: a JSON number, 5 or 5.0, never a text or a boolean."""

    def check(value: object) -> int:
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
        if number is None or not lowest <= number <= highest or number != int(number):
            raise field_error(f"must be a whole number from {lowest} to {highest}")
        return int(number)

    return Rule(check, {"minimum": lowest, "maximum": highest})


def number_between(lowest: int, highest: int) -> Rule:
    """Return the rule of a whole number in a query, which is a text."""

    def check(value: object) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(highest))):
            raise field_error(f"must be a whole number from {lowest} to {highest}")
        if not lowest <= int(text) <= highest:
            raise field_error(f"must be a whole number from {lowest} to {highest}")
        return int(text)

    return Rule(check, {"minimum": lowest, "maximum": highest})


def one_of(choices: type[StrEnum]) -> Rule:
    """Return the rule of a choice; its error lists the choices."""
    known = {choice.value: choice for choice in choices}

    def check(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in known:
            raise field_error(f"must be one of {', '.join(known)}")
        return known[value]

    return Rule(check)


def list_up_to(longest: int) -> Rule:
    """Return the rule that limits a list before its items are checked."""

    def check(value: object) -> list[Any]:
        if not isinstance(value, list) or len(value) > longest:
            raise field_error(f"must be an array of at most {longest} items")
        return value

    return Rule(check, {"maxItems": longest})


def json_up_to(longest: int) -> Rule:
    """Return the rule that limits a JSON value by its bytes."""

    def check(value: object) -> object:
        if len(orjson.dumps(value)) > longest:
            raise field_error(f"must have at most {longest} bytes as JSON")
        return value

    return Rule(check)


def _short_names(value: object) -> object:
    """Return a JSON value unless a name inside of it is longer than MAX_NAME_LENGTH."""
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            if any(len(name) > MAX_NAME_LENGTH for name in inner):
                raise field_error(f"must not have member names above {MAX_NAME_LENGTH} characters")
            waiting.extend(inner.values())
        elif isinstance(inner, list):
            waiting.extend(inner)
    return value


def _as_sent(value: object) -> object:
    """Return the JSON of a model, and other values as they are."""
    return value.model_dump(mode="json", exclude_unset=True) if isinstance(value, BaseModel) else value


class Either:
    """Annotates JSON of several kinds; errors name the members of the kind that `kind_of` returns."""

    def __init__(self, kind_of: Callable[[Any], str], **kinds: object) -> None:
        self._kind_of = kind_of
        self._kinds = kinds

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the kinds."""
        choices = {KIND_MARK + name: handler.generate_schema(kind) for name, kind in self._kinds.items()}
        checked = core_schema.tagged_union_schema(choices, lambda value: KIND_MARK + self._kind_of(value))
        plain = core_schema.simple_ser_schema("any")
        return core_schema.no_info_after_validator_function(_as_sent, checked, serialization=plain)


#: Annotates a required member: null counts as missing.
REQUIRED = BeforeValidator(_required)

ProjectName = Annotated[str, text_between(3, 50)]
ProjectDescription = Annotated[str, text_between(0, 200)]
FlowName = Annotated[str, text_between(1, 100)]
FlowDescription = Annotated[str, text_between(0, 500)]
ScreenName = Annotated[str, text_between(0, 100)]
ThemeName = Annotated[str, text_between(1, 50)]
ThemeDescription = Annotated[str, text_between(0, 500)]
SearchText = Annotated[str, text_between(0, 200)]
#: A time of ISO 8601.
Moment = Annotated[datetime, Rule(moment_of, {"examples": ["2026-11-01T00:00:00Z"]})]
#: An id in a body or a query. A malformed id is not an error here: its object does not exist.
IdText = Annotated[str, Rule(_id_text, {"pattern": r"\S"})]
#: The type of an event.
EventTypeText = Annotated[str, text_of_pattern(EVENT_TYPE_PATTERN, EVENT_TYPE_DESCRIPTION)]
#: Annotates a JSON object whose members are free.
short_names = Rule(_short_names, {"propertyNames": {"maxLength": MAX_NAME_LENGTH}})
#: Any JSON object, stored unchanged.
JsonObject = Annotated[dict[str, Any], short_names]
