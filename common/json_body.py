"""JSON bodies of requests: parsing, the values that PostgreSQL can store, and conversion to typed structs (section 1).

The conversion is one call. Only a body that it rejects is checked field by field, against the same annotations, so
that the error names every bad field.

orjson rejects lone surrogates, numbers outside a double and raw control characters. The NUL character can only come as
an escape; it and the depth of nesting are checked here, on the bytes, because a walk through the document takes a
hundred times as long.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
import orjson

from common.errors import Detail, InvalidRequestError, MalformedBodyError
from common.text import has_forbidden_characters

StructT = TypeVar("StructT", bound=msgspec.Struct)

MAX_DEPTH = 32

_BACKSLASH = ord("\\")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_TO_LISTS = bytes.maketrans(b"{}", b"[]")


def parse_object(body: bytes | memoryview, subject: str = "The request body") -> dict[str, Any]:
    """Parse a JSON object that PostgreSQL can store. Raises MalformedBodyError, whose text begins with the subject."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise MalformedBodyError(f"{subject} must be valid JSON") from None
    if not isinstance(document, dict):
        raise MalformedBodyError(f"{subject} must be a JSON object")
    error = storage_error(bytes(body))
    if error:
        raise MalformedBodyError(f"{subject} {error}")
    return document


def convert_object(document: dict[str, Any], struct: type[StructT]) -> StructT:
    """Convert a parsed object to a struct; strings are trimmed, null members count as absent.

    Raises InvalidRequestError with a detail for every bad field. The text of a detail is the `Meta(description=...)`
    of the field's annotation. A type that is no struct has a class method `from_json`, which takes the parsed value and
    raises ValueError with the text.
    """
    trimmed = {name: value.strip() if isinstance(value, str) else value for name, value in document.items()}
    try:
        return msgspec.convert(trimmed, struct, dec_hook=_from_json)
    except msgspec.ValidationError:
        details = list(_details(trimmed, struct))
        if details:
            raise InvalidRequestError(details) from None
        raise


# --- values that PostgreSQL can store ---------------------------------------------------------------------------------


def storage_error(body: bytes) -> str | None:
    """Return why a body that orjson has parsed cannot be stored, None when it can."""
    # An escaped backslash before `u0000` is text.
    if _BACKSLASH in body and b"\\u0000" in body.replace(b"\\\\", b""):
        return "must not contain NUL characters or lone surrogates"
    # Most bodies have too few brackets to be nested deeply.
    if body.count(b"{") + body.count(b"[") > MAX_DEPTH and _is_deep(body):
        return f"must not be nested deeper than {MAX_DEPTH} levels"
    return None


def _is_deep(body: bytes) -> bool:
    # Every second part between quotes is outside of texts, once no quote is escaped.
    outside = b"".join(body.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    brackets = outside.translate(_TO_LISTS, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        # Remove the innermost level.
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return False
    return True


# --- errors of fields -------------------------------------------------------------------------------------------------


def _from_json(kind: Any, value: object) -> object:  # noqa: ANN401 - any type with a `from_json`
    return kind.from_json(value)


def _details(document: dict[str, Any], struct: type[msgspec.Struct]) -> Iterator[Detail]:
    for field in msgspec.structs.fields(struct):
        value = document.get(field.encode_name)
        if value is None:
            if field.required:
                yield Detail.missing(field.encode_name)
            continue
        try:
            msgspec.convert(value, field.type, dec_hook=_from_json)
        except msgspec.ValidationError as error:
            yield Detail.invalid(field.encode_name, _field_error(value, field.type, error))


def _field_error(value: object, annotation: object, error: msgspec.ValidationError) -> str:
    """Return the text of a field's error, without the client's value."""
    if isinstance(error.__cause__, ValueError):
        return str(error.__cause__)
    if isinstance(value, str) and has_forbidden_characters(value):
        return "must not contain control characters"
    # msgspec names the place inside of the value where it stopped. Without a place, the value itself is no string.
    if not isinstance(value, str) and str(error).startswith("Expected `str") and " - at " not in str(error):
        return "must be a string"
    return _description(annotation) or "is invalid"


def _description(annotation: object) -> str | None:
    """Return the description of an annotation, also inside a union with None."""
    for part in (annotation, *getattr(annotation, "__args__", ())):
        for extra in getattr(part, "__metadata__", ()):
            if isinstance(extra, msgspec.Meta) and extra.description:
                return extra.description
    return None
