"""A body of many items, parsed so that one item which cannot be stored does not sink the others.

orjson refuses a whole body for one lone surrogate or one number outside a double. The standard parser takes both,
slower; it is asked only after orjson has refused, and then each item is judged by itself (`json_rules.py`).
"""

import json
from typing import Any, NoReturn

import orjson

from common.errors import MalformedBodyError
from common.json_rules import value_problem

#: A number with fewer digits than this fits into 64 bits; orjson makes a float of a longer one, and so do we.
_SAFE_DIGITS = 19


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
        return json.loads(body.decode(), parse_int=_integer, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise MalformedBodyError("The request body must be valid JSON") from None


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
