"""The schema of the contents of screens (screen_contents.json), which says which of their members are texts."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
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
    return dict(_texts("", content, _place_of(screen_type)))


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
        if schema.get("x-translated") is False
    )


class _Place:
    """A place in contents with its schema. What it has is found once, because each publication walks all contents."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._resolved = _resolved(schema)

    @cached_property
    def is_fixed(self) -> bool:
        """Whether nothing here is translated."""
        return self.schema.get("x-translated") is False

    @cached_property
    def is_text(self) -> bool:
        """Whether a string here is a text: by its definition, or as the plain form of an object."""
        name = _definition_name(self.schema)
        if name in _TEXTS:
            return True
        return "string" in self._resolved.get("type", ()) and (not name or bool(self._resolved["properties"]))

    @cached_property
    def members(self) -> Mapping[str, "_Place"]:
        """The members of an object by all of their names; a text takes a name before others."""
        named = {name: _Place(schema) for name, schema in self._resolved.get("properties", {}).items()}
        aliases = [(alias, place) for place in named.values() for alias in place.schema.get("x-aliases", ())]
        texts = {alias: place for alias, place in aliases if not place.is_fixed}
        return {**dict(aliases), **texts, **named}

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The places of the members of an object by all of their names. PostgreSQL does not keep their order."""
        properties = self._resolved.get("properties", {})
        places = enumerate((name, *schema.get("x-aliases", ())) for name, schema in properties.items())
        return {name: place for place, names in places for name in names}

    @cached_property
    def items(self) -> "_Place | None":
        """The items of a list, if the schema has them."""
        items = self._resolved.get("items")
        return None if items is None else _Place(items)

    @cached_property
    def has_values(self) -> bool:
        """Whether the strings of a list of these are values: what names such an object may be its label."""
        return any(place.is_fixed and "label" in place.schema.get("x-aliases", ()) for place in self.members.values())


@cache
def _place_of(screen_type: str) -> _Place:
    return _Place(definitions()[screen_type])


def _texts(pointer: str, value: Json, place: _Place | None) -> Iterator[tuple[str, str]]:
    """Yield the texts inside a value. Without a place the service does not know the member, and it is a text."""
    if isinstance(value, str):
        if place is None or place.is_text:
            yield pointer, value
    elif isinstance(value, dict):
        fixed = untranslated_names()
        members = {} if place is None else place.members
        order = {} if place is None else place.order
        for name in sorted(value, key=lambda name: order.get(name, len(order))):
            inner = members.get(name)
            if name not in fixed and not (inner is not None and inner.is_fixed):
                yield from _texts(f"{pointer}/{escaped(name)}", value[name], inner)
    elif isinstance(value, list):
        items = None if place is None else place.items
        for name, item in zip(item_names(value), value, strict=True):
            if name and not (isinstance(item, str) and items is not None and items.has_values):
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


def _definition_name(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _resolved(schema: Schema) -> Schema:
    """Return a schema with the members of the definition that it refers to."""
    name = _definition_name(schema)
    if not name:
        return schema
    base = _resolved(definitions()[name])
    return {**base, **schema, "properties": {**base.get("properties", {}), **schema.get("properties", {})}}
