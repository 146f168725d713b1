"""JSON bodies of requests: parsing, the values that PostgreSQL can store, and conversion to typed structs (section 1).

The conversion is one call. Only a body that it rejects is checked field by field, against the same annotations, so
that the error names every bad field.

orjson rejects lone surrogates, numbers outside a double and raw control characters. The NUL character can only come as
an escape; it and the depth of nesting are checked here. A batch of items that orjson rejects is parsed by the standard
library, which accepts all of it, so that one item which cannot be stored does not fail the others.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar

import msgspec
import orjson

from common.errors import Detail, InvalidRequestError, MalformedBodyError
from common.text import has_forbidden_characters

StructT = TypeVar("StructT", bound=msgspec.Struct)

MAX_DEPTH = 32

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

#: A number with fewer digits fits into 64 bits. orjson converts longer ones to floats, and so does the lenient parser.
_SAFE_DIGITS = 19
#: Deeper than an item may be nested inside of its body, so that a truncated item is rejected.
_TRUNCATION_DEPTH = 2 * MAX_DEPTH
#: A bracket, or a string. A string without an end extends to the end of the text, which keeps the search linear.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def parse_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object that PostgreSQL can store. Raises MalformedBodyError."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise MalformedBodyError("The request body must be valid JSON") from None
    if not isinstance(document, dict):
        raise MalformedBodyError("The request body must be a JSON object")
    error = object_error(body, document)
    if error:
        raise MalformedBodyError(f"The request body {error}")
    return document


def parse_batch_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object with a list of items; :func:`value_error` checks each item. Raises MalformedBodyError."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        document = _parse_leniently(body)
        _check_outside_of_lists(document)
    if not isinstance(document, dict):
        raise MalformedBodyError("The request body must be a JSON object")
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


def object_error(body: bytes, document: dict[str, Any]) -> str | None:
    """Return why a document cannot be stored, None when it can; `body` is its source.

    Most bodies need no walk through the document: too few brackets to be nested deeply, no escape of a NUL.
    """
    may_be_deep = body.count(b"{") + body.count(b"[") > MAX_DEPTH
    may_have_nul = b"\\u0000" in body
    if not may_be_deep and not may_have_nul:
        return None
    return value_error(document)


def value_error(value: object) -> str | None:
    """Return why a parsed value cannot be stored, None when it can; the value itself is the first level of nesting."""
    level: list[object] = [value]
    depth = 0
    while level:
        inner: list[object] = []
        for node in level:
            if isinstance(node, str):
                if _UNSTORABLE.search(node):
                    return "must not contain NUL characters or lone surrogates"
            elif isinstance(node, float):
                if not math.isfinite(node):
                    return "must not contain numbers outside the range of a double"
            elif isinstance(node, dict):
                inner.extend(node.keys())
                inner.extend(node.values())
            elif isinstance(node, list):
                inner.extend(node)
        depth += any(isinstance(node, dict | list) for node in level)
        if depth > MAX_DEPTH:
            return f"must not be nested deeper than {MAX_DEPTH} levels"
        level = inner
    return None


# --- the lenient parser of batches ------------------------------------------------------------------------------------


def _parse_leniently(body: bytes) -> object:
    try:
        text = "".join(_truncate_depth(body.decode()))
        return json.loads(text, parse_int=_number, parse_constant=_reject_constant)
    except ValueError:
        raise MalformedBodyError("The request body must be valid JSON") from None


def _truncate_depth(text: str) -> Iterator[str]:
    """Yield the parts of JSON without values that are nested deeper than allowed, which would exhaust the stack."""
    depth, kept_to = 0, 0
    for match in _STRING_OR_BRACKET.finditer(text):
        if match[0] in {"[", "{"}:
            depth += 1
            if depth == _TRUNCATION_DEPTH:
                yield text[kept_to : match.end()]
        elif match[0] in {"]", "}"}:
            if depth == _TRUNCATION_DEPTH:
                kept_to = match.start()
            depth -= 1
    if depth < _TRUNCATION_DEPTH:
        yield text[kept_to:]


def _check_outside_of_lists(document: object) -> None:
    """Refuse members outside of lists that cannot be stored: only items are checked later."""
    if not isinstance(document, dict):
        return
    error = value_error([*document, *(value for value in document.values() if not isinstance(value, list))])
    if error:
        raise MalformedBodyError(f"The request body {error}")


def _number(digits: str) -> float:
    return int(digits) if len(digits) < _SAFE_DIGITS else float(digits)


def _reject_constant(_name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError


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
