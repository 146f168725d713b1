"""From the bytes of a JSON body to a typed struct, naming every bad field, never failing on what a stranger sends.

The typed decode is one call; only when it refuses is each field looked at alone, against the same annotations, to
say what is wrong with all of them (contract, section 1, Errors).
"""

from collections.abc import Iterator
from typing import Any, Protocol, Self, TypeVar, cast, runtime_checkable

import msgspec
import orjson

from common.errors import Detail, InvalidRequestError, MalformedBodyError
from common.json_rules import json_problem
from common.text import has_forbidden_characters

StructT = TypeVar("StructT", bound=msgspec.Struct)


@runtime_checkable
class ReadFromJson(Protocol):
    """A field's type that reads itself, where bounds and patterns cannot say the rule."""

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read a parsed JSON value. Raises ValueError, whose text is what the client reads after the field's name."""
        ...


def parse_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object that PostgreSQL can store. Raises MalformedBodyError."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise MalformedBodyError("The request body must be valid JSON") from None
    if not isinstance(document, dict):
        raise MalformedBodyError("The request body must be a JSON object")
    problem = json_problem(body, document)
    if problem:
        raise MalformedBodyError(f"The request body {problem}")
    return document


def convert_object(document: dict[str, Any], struct: type[StructT]) -> StructT:
    """Turn a parsed object into a struct, its strings trimmed, null members counting as absent.

    Raises InvalidRequestError with a detail for every bad field. `Meta(description=...)` on an annotation is the
    text that the client reads for it.
    """
    trimmed = {name: value.strip() if isinstance(value, str) else value for name, value in document.items()}
    try:
        return msgspec.convert(trimmed, struct, dec_hook=_read)
    except msgspec.ValidationError:
        details = list(_details(trimmed, struct))
        if details:
            raise InvalidRequestError(details) from None
        raise


def _read(kind: type[Any], value: object) -> object:
    return cast("type[ReadFromJson]", kind).from_json(value)


def _details(document: dict[str, Any], struct: type[msgspec.Struct]) -> Iterator[Detail]:
    for field in msgspec.structs.fields(struct):
        value = document.get(field.encode_name)
        if value is None:
            if field.required:
                yield Detail.missing(field.encode_name)
            continue
        try:
            msgspec.convert(value, field.type, dec_hook=_read)
        except msgspec.ValidationError as error:
            yield Detail.invalid(field.encode_name, _complaint(value, field.type, error))


def _complaint(value: object, annotation: object, error: msgspec.ValidationError) -> str:
    """Word what is wrong with one field, the client's own text never in it."""
    if isinstance(error.__cause__, ValueError):
        return str(error.__cause__)
    if isinstance(value, str) and has_forbidden_characters(value):
        return "must not contain control characters"
    # msgspec says where inside of the value it stopped; without that, it is the value itself that is no string.
    if not isinstance(value, str) and str(error).startswith("Expected `str") and " - at " not in str(error):
        return "must be a string"
    return _description(annotation) or "is invalid"


def _description(annotation: object) -> str | None:
    """Find the description of an annotation, also inside a union with None."""
    for part in (annotation, *getattr(annotation, "__args__", ())):
        for extra in getattr(part, "__metadata__", ()):
            if isinstance(extra, msgspec.Meta) and extra.description:
                return extra.description
    return None
