"""The members of contents that hosted pages read, by all of their names (common/wire/screen_contents.json)."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

Json = Mapping[str, Any]


@cache
def definitions() -> Mapping[str, dict[str, Any]]:
    """Return the definitions of the schema by their names."""
    content = files("common.wire").joinpath("screen_contents.json").read_bytes()
    found: Mapping[str, dict[str, Any]] = orjson.loads(content)["$defs"]
    return found


def text_of(definition: str, member: str, source: object) -> str:
    """Return a member of an object by the first of its names that has a text or a number; empty without one.

    A plain text or number in place of an object is each of its members.
    """
    schema = definitions()[definition]["properties"][member]
    values = [source.get(name) for name in _names(member, schema)] if isinstance(source, dict) else [source]
    texts = (
        str(value).strip() for value in values if isinstance(value, int | float | str) and not isinstance(value, bool)
    )
    return next((text for text in texts if text), "")


def list_of(definition: str, member: str, source: Json) -> list[Any]:
    """Return a member that is a list, by the first of its names that has a value; empty for other values."""
    names = _names(member, definitions()[definition]["properties"][member])
    value = next((source[name] for name in names if source.get(name) is not None), None)
    return value if isinstance(value, list) else []


def _names(member: str, schema: Json) -> tuple[str, ...]:
    return (member, *schema.get("x-aliases", ()))
