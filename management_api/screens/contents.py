"""The members of contents that hosted pages read, by all of their names (common/wire/screen_contents.json)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from common.errors import MAX_DETAILS, Detail, InvalidRequestError
from common.wire.screen_contents import definitions

Json = Mapping[str, Any]

_KINDS = {
    type(None): "null",
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
}


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


def box_names(content: Json) -> list[str]:
    """Return the names of the boxes of a consent, each the key of an answer; empty for a box without a label."""
    items = list_of("consent", "items", content)
    return [text_of("consent_item", "label", item) and text_of("consent_item", "name", item) for item in items]


def _names(member: str, schema: Json) -> tuple[str, ...]:
    return (member, *schema.get("x-aliases", ()))


def check_contents(screens: Iterable[tuple[str, Json]]) -> None:
    """Check the contents that a request writes against the members with `x-checked`.

    `screens` are screens of a document, behind the names of the fields of their contents. Raises InvalidRequestError.
    """
    details = [detail for path, screen in screens for detail in _problems(path, screen)]
    if details:
        raise InvalidRequestError(details[:MAX_DETAILS])


def _problems(path: str, screen: Json) -> Iterator[Detail]:
    yield from _checked(definitions()[screen["type"]], screen["content"], path)


def _checked(schema: Json, value: Any, path: str) -> Iterator[Detail]:  # noqa: ANN401 - JSON
    """Yield the problems of the members with `x-checked` inside a value, whose other members may have any shape."""
    schema = _resolved(schema)
    if isinstance(value, list) and "items" in schema:
        for place, item in enumerate(value):
            yield from _checked(schema["items"], item, f"{path}.{place}")
    elif isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                is_checked = schema.get("x-checked") or inner.get("x-checked")
                yield from (_wrong if is_checked else _checked)(inner, value[name], f"{path}.{name}")


def _wrong(schema: Json, value: Any, path: str) -> Iterator[Detail]:  # noqa: ANN401 - JSON
    """Yield the problems of a value: its type, its size, and the values inside."""
    schema = _resolved(schema)
    if not _is_fitting(schema, value):
        yield Detail.invalid(path, f"must be {schema['description']}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _wrong(schema["items"], item, f"{path}.{place}")
    elif isinstance(value, dict):
        for name, item in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if inner is not None:
                yield from _wrong(inner, item, f"{path}.{name}")


def _resolved(schema: Json) -> Json:
    return {**definitions()[schema["$ref"].rpartition("/")[2]], **schema} if "$ref" in schema else schema


def _is_fitting(schema: Json, value: Any) -> bool:  # noqa: ANN401 - JSON
    kinds = schema.get("type", ())
    if kinds and _KINDS[type(value)] not in ([kinds] if isinstance(kinds, str) else kinds):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    size = len(value) if isinstance(value, list) else value
    if _KINDS[type(size)] != "number":
        return True
    bounds = ("minItems", "maxItems") if isinstance(value, list) else ("minimum", "maximum")
    return bool(schema.get(bounds[0], size) <= size <= schema.get(bounds[1], size))
