"""The schema of the contents of screens (screen_contents.json), which says which of their members are texts."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

Json = Any
Schema = Mapping[str, Any]

#: The definitions of strings that can be translated: texts, and addresses of pictures.
_TEXTS = frozenset({"text", "image", "option_image"})
#: The members that name an item of a list in pointers.
_NAMES = ("value", "product_id", "name")


@cache
def definitions() -> Mapping[str, dict[str, Any]]:
    """Return the definitions of the schema by their names."""
    content = files("common.wire").joinpath("screen_contents.json").read_bytes()
    found: Mapping[str, dict[str, Any]] = orjson.loads(content)["$defs"]
    return found


def texts_of(screen_type: str, content: Mapping[str, Json]) -> dict[str, str]:
    """Return the texts of a content that can be translated, by their JSON pointers, in the order of the schema.

    Members that the schema does not have are the last. Items of lists are named by :func:`item_names` in the pointers.
    """
    return dict(_texts("", content, definitions()[screen_type]))


def item_names(items: Sequence[Json]) -> list[str]:
    """Return the names of the items of a list: by `value`, `product_id` or `name`, else by their places.

    Of two items with one name, the second has its place. An item whose place is the name of another one has none: "".
    """
    given = [_given_name(item) for item in items]
    names = [name if name and name not in given[:place] else "" for place, name in enumerate(given)]
    taken = {name for name in names if name}
    return [name or (str(place) if str(place) not in taken else "") for place, name in enumerate(names)]


def with_texts(value: Json, texts: Mapping[str, str], pointer: str = "") -> Json:
    """Return a content with other texts at these pointers; a pointer to no string changes nothing."""
    if isinstance(value, str):
        return texts.get(pointer, value)
    if isinstance(value, dict):
        return {name: with_texts(member, texts, f"{pointer}/{escaped(name)}") for name, member in value.items()}
    if isinstance(value, list):
        names = item_names(value)
        return [
            with_texts(item, texts, f"{pointer}/{escaped(name)}") if name else item
            for name, item in zip(names, value, strict=True)
        ]
    return value


def escaped(name: str) -> str:
    """Return a name as a part of a JSON pointer (RFC 6901, section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def unescaped(pointer: str) -> list[str]:
    """Return the names in a JSON pointer."""
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]


@cache
def untranslated_names() -> frozenset[str]:
    """Return the names of members that are never translated."""
    return frozenset(
        name
        for definition in definitions().values()
        for name, schema in definition.get("properties", {}).items()
        if _is_fixed(schema)
    )


def _texts(pointer: str, value: Json, schema: Schema | None) -> Iterator[tuple[str, str]]:
    """Yield the texts inside a value. Without a schema the service does not know the member, and it is a text."""
    if isinstance(value, str):
        if schema is None or _is_text(schema):
            yield pointer, value
    elif isinstance(value, dict):
        members = None if schema is None else _members_of(schema)
        order = {} if schema is None else _order_of(schema)
        for name, member in sorted(value.items(), key=lambda named: order.get(named[0], len(order))):
            inner = None if members is None else members.get(name)
            if name not in untranslated_names() and not (inner is not None and _is_fixed(inner)):
                yield from _texts(f"{pointer}/{escaped(name)}", member, inner)
    elif isinstance(value, list):
        items = None if schema is None else _resolved(schema).get("items")
        for name, item in zip(item_names(value), value, strict=True):
            if name and not (isinstance(item, str) and items is not None and _has_values(items)):
                yield from _texts(f"{pointer}/{escaped(name)}", item, items)


def _given_name(item: Json) -> str:
    """Return the first of the names of an item that is a text or a number."""
    values = [item.get(name) for name in _NAMES] if isinstance(item, dict) else ()
    for value in values:
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(int(value)) if value == int(value) else str(value)
    return ""


def _is_fixed(schema: Schema) -> bool:
    return schema.get("x-translated") is False


def _definition_name(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _resolved(schema: Schema) -> Schema:
    """Return a schema with the members of the definition that it refers to."""
    name = _definition_name(schema)
    if not name:
        return schema
    base = _resolved(definitions()[name])
    return {**base, **schema, "properties": {**base.get("properties", {}), **schema.get("properties", {})}}


def _members_of(schema: Schema) -> Mapping[str, Schema]:
    """Return the schemas of the members of an object by all of their names; a text takes a name before others."""
    properties = _resolved(schema).get("properties", {})
    members = {alias: inner for inner in properties.values() for alias in inner.get("x-aliases", ())}
    texts = {
        alias: inner for inner in properties.values() if not _is_fixed(inner) for alias in inner.get("x-aliases", ())
    }
    return {**members, **texts, **properties}


def _order_of(schema: Schema) -> dict[str, int]:
    """Return the places of the members of an object by all of their names. PostgreSQL does not keep their order."""
    properties = _resolved(schema).get("properties", {})
    places = enumerate((name, *inner.get("x-aliases", ())) for name, inner in properties.items())
    return {name: place for place, names in places for name in names}


def _is_text(schema: Schema) -> bool:
    """Return whether a string at this place is a text: by its definition, or as the plain form of an object."""
    if _definition_name(schema) in _TEXTS:
        return True
    resolved = _resolved(schema)
    return "string" in resolved.get("type", ()) and (not _definition_name(schema) or bool(resolved["properties"]))


def _has_values(items: Schema) -> bool:
    """Return whether the strings of a list are values: what names an object in it may be the object's label."""
    properties = _resolved(items).get("properties", {}).values()
    return any(_is_fixed(schema) and "label" in schema.get("x-aliases", ()) for schema in properties)
