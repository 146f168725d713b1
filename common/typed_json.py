"""From the bytes of a JSON body to a typed struct, naming every bad field, never failing on what a stranger sends.

The typed decode is one call; only when it refuses is each field looked at alone, against the same annotations, to
say what is wrong with all of them (contract, section 1, Errors).
"""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
import orjson

from common.errors import Detail, InvalidRequestError, MalformedBodyError
from common.json_rules import json_problem

StructT = TypeVar("StructT", bound=msgspec.Struct)


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
    """Turn a parsed object into a struct, null members counting as absent.

    Raises InvalidRequestError with a detail for every bad field. `Meta(description=...)` on an annotation is the
    text that the client reads for it.
    """
    try:
        return msgspec.convert(document, struct)
    except msgspec.ValidationError:
        details = list(_details(document, struct))
        if details:
            raise InvalidRequestError(details) from None
        raise


def _details(document: dict[str, Any], struct: type[msgspec.Struct]) -> Iterator[Detail]:
    for field in msgspec.structs.fields(struct):
        value = document.get(field.encode_name)
        if value is None:
            if field.required:
                yield Detail.missing(field.encode_name)
            continue
        try:
            msgspec.convert(value, field.type)
        except msgspec.ValidationError as error:
            yield Detail.invalid(field.encode_name, _description(field.type) or _lowered(str(error)))


def _description(annotation: Any) -> str | None:  # noqa: ANN401 - an annotation may be any object
    """Find the description of an annotation, also inside a union with None."""
    for part in (annotation, *getattr(annotation, "__args__", ())):
        for extra in getattr(part, "__metadata__", ()):
            if isinstance(extra, msgspec.Meta) and extra.description:
                return extra.description
    return None


def _lowered(message: str) -> str:
    return f"is invalid: {message}"
