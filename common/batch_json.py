"""A body of many items, parsed so that one item which cannot be stored does not sink the others.

orjson refuses a whole body for one lone surrogate, one number outside a double, or one nesting without end. The
standard parser takes the first two, slower, and the third once it is cut short. It is asked only after orjson has
refused, and then each item is judged by itself (`json_rules.py`).
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

import orjson

from common.errors import MalformedBodyError
from common.json_rules import MAX_DEPTH, value_problem

#: A number with fewer digits than this fits into 64 bits; orjson makes a float of a longer one, and so do we.
_SAFE_DIGITS = 19

#: Deeper than any item may be nested in its body, so that one which is cut there is refused all the same.
_CUT_DEPTH = 2 * MAX_DEPTH
#: A bracket, or a string (one without an end goes to the end of the text, which keeps the search linear).
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def parse_batch_object(body: bytes) -> dict[str, Any]:
    """Parse a JSON object whose items have yet to be judged one by one. Raises MalformedBodyError."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        document = _parse_patiently(body)
        _check_around_the_items(document)
    if not isinstance(document, dict):
        raise MalformedBodyError("The request body must be a JSON object")
    return document


def _parse_patiently(body: bytes) -> object:
    try:
        text = "".join(_cut_short(body.decode()))
        return json.loads(text, parse_int=_integer, parse_constant=_refuse)
    except ValueError:
        raise MalformedBodyError("The request body must be valid JSON") from None


def _cut_short(text: str) -> Iterator[str]:
    """Give JSON without what is nested deeper than any item may be, which would exhaust the parser's stack."""
    depth, kept_to = 0, 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found[0] in {"[", "{"}:
            depth += 1
            if depth == _CUT_DEPTH:
                yield text[kept_to : found.end()]
        elif found[0] in {"]", "}"}:
            if depth == _CUT_DEPTH:
                kept_to = found.start()
            depth -= 1
    if depth < _CUT_DEPTH:
        yield text[kept_to:]


def _check_around_the_items(document: object) -> None:
    """Refuse what cannot be stored outside of any list: nobody judges that later, as the items are judged."""
    if not isinstance(document, dict):
        return
    problem = value_problem([*document, *(value for value in document.values() if not isinstance(value, list))])
    if problem:
        raise MalformedBodyError(f"The request body {problem}")


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < _SAFE_DIGITS else float(digits)


def _refuse(_name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are no JSON."""
    raise ValueError
