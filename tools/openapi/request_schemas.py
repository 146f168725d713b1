"""From the models of requests to what the document says of bodies and parameters."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from management_api.http.pagination import PageQuery
from management_api.http.requests import READ_ONLY_MEMBERS, RequestModel
from tools.openapi.json_types import Json

_OUR_NOTES = re.compile(r" \((?:contract|interface), section[^)]*\)")
_REF_TEMPLATE = "#/components/schemas/{model}"


def completed_body(model: type[RequestModel], schema: Json, method: str) -> Json:
    """Add to pydantic's schema of a body what our parsing does: other aliases, ignored members, partial updates."""
    properties = dict(schema["properties"])
    required = list(schema.get("required", []))
    rules: list[Json] = []
    for other, name in model.aliases.items():
        properties[other] = {**properties[name], "description": f"Another spelling of `{name}`; send one of the two."}
        if name in required:
            required.remove(name)
            rules.append({"oneOf": [{"required": [name]}, {"required": [other]}]})
        else:
            rules.append({"not": {"required": [name, other]}})
    properties |= ignored_members((READ_ONLY_MEMBERS | model.read_only) - properties.keys())
    if method == "PUT":
        # What is left out of a change stays as it is, so no default applies.
        properties = {
            name: {key: part for key, part in one.items() if key != "default"} for name, one in properties.items()
        }
    completed = {**schema, "properties": properties, "additionalProperties": False}
    completed.pop("required", None)
    return completed | ({"required": required} if required else {}) | ({"allOf": rules} if rules else {})


def ignored_members(names: Iterable[str]) -> Json:
    """Describe members that only the service writes."""
    return {
        name: {"readOnly": True, "description": "Ignored: what was read may be sent back as it is."}
        for name in sorted(names)
    }


def tidied(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """Leave out what pydantic and our docstrings say to programmers, not to clients."""
    if isinstance(part, list):
        return [tidied(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {key: one for key, one in part.items() if not (key == "title" and isinstance(one, str))}
    if isinstance(kept.get("description"), str):
        kept["description"] = _OUR_NOTES.sub("", kept["description"])
    return {key: tidied(one) for key, one in kept.items()}


def query_parameters(model: type[RequestModel]) -> list[Json]:
    """Give the query parameters of a model; every schema in them stands by itself."""
    schema = model.model_json_schema(mode="validation", ref_template=_REF_TEMPLATE)
    definitions: Mapping[str, Json] = schema.pop("$defs", {})
    if issubclass(model, PageQuery):
        schema["properties"]["sort"] = _sort_schema(model)
    spelt = {name: other for other, name in model.aliases.items()}
    return [tidied(one) for one in _parameters(schema, definitions, spelt)]


def _parameters(schema: Json, definitions: Mapping[str, Json], spelt: Mapping[str, str]) -> Iterable[Json]:
    required = schema.get("required", [])
    for name, given in schema["properties"].items():
        shown = _present(_inlined(given, definitions))
        description = shown.pop("description", "")
        if name in spelt:
            description = f"{description}. `{name}` is another spelling of this parameter; send one of the two.".lstrip(
                ". "
            )
        parameter = {"name": spelt.get(name, name), "in": "query", "required": name in required, "schema": shown}
        yield parameter | ({"description": description} if description else {})


def _sort_schema(model: type[PageQuery]) -> Json:
    fields = sorted(model.sortable)
    return {
        "type": "string",
        "enum": [*fields, *(f"-{name}" for name in fields)],
        "default": model.default_sort,
        "description": "The field to sort by; a leading - means descending. Ties are broken by id",
    }


def _inlined(schema: Json, definitions: Mapping[str, Json]) -> Json:
    """Replace references to definitions by what they say."""
    target = schema.get("$ref")
    if target is not None:
        rest = {key: part for key, part in schema.items() if key != "$ref"}
        return {**definitions[target.rpartition("/")[2]], **rest}
    return {key: _inlined_part(part, definitions) for key, part in schema.items()}


def _inlined_part(part: Any, definitions: Mapping[str, Json]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(part, dict):
        return _inlined(part, definitions)
    return [_inlined_part(one, definitions) for one in part] if isinstance(part, list) else part


def _present(schema: Json) -> Json:
    """Leave out null, which a query cannot carry: a parameter is there or not."""
    kept = {key: part for key, part in schema.items() if key != "title" and not (key == "default" and part is None)}
    choices = [choice for choice in kept.pop("anyOf", []) if choice.get("type") != "null"]
    return {**choices[0], **kept} if len(choices) == 1 else kept | ({"anyOf": choices} if choices else {})
