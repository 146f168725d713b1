"""The JSON Schema of a targeting condition, equal to the rules of `common/rules/conditions.py`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from common.rules.conditions import CUSTOM_PREFIX, DEVICE_ATTRIBUTES, MAX_NAME_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES

Schema = Mapping[str, Any]

_NUMBER, _LABEL = r"(?:0|[1-9][0-9]*)", r"(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMANTIC_VERSION = (
    rf"^{_NUMBER}(?:\.{_NUMBER}(?:\.{_NUMBER})?)?"
    rf"(?:-{_LABEL}(?:\.{_LABEL})*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$"
)
_TEXT: Schema = {"type": "string", "maxLength": MAX_TEXT_LENGTH}
_SCALAR: Schema = {"anyOf": [_TEXT, {"type": ["number", "boolean"]}]}
_DEVICE: Schema = {"enum": sorted(DEVICE_ATTRIBUTES)}
_CUSTOM: Schema = {
    "type": "string",
    "pattern": rf"^{CUSTOM_PREFIX.replace('.', '[.]')}[\s\S]{{1,{MAX_NAME_LENGTH}}}$",
}
_ANY: Schema = {"anyOf": [_DEVICE, _CUSTOM]}


def _list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_VALUES}


def _form(attribute: Schema, operators: Sequence[str], value: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"attribute": attribute, "operator": {"enum": list(operators)}, "value": value},
        "required": ["attribute", "operator", "value"],
        "additionalProperties": False,
    }


_PRESENCE = _form(_ANY, ("exists", "not_exists"), {"type": "null"})

#: Which values an operator takes, and of which attributes: those of the device are strings, an app's own are not.
CONDITION_SCHEMA: Final[Schema] = {
    "title": "Condition",
    "description": (
        "One condition on a device; all of a list must hold. A missing attribute fails every operator but `not_exists`,"
        " `neq` and `not_in`. A `locale` also matches by prefix: `pt` stands for `pt-BR`."
    ),
    "anyOf": [
        _form(_DEVICE, ("eq", "neq"), _TEXT),
        _form(_DEVICE, ("in", "not_in"), _list_of(_TEXT)),
        _form(_CUSTOM, ("eq", "neq"), _SCALAR),
        _form(_CUSTOM, ("in", "not_in"), _list_of(_SCALAR)),
        _form(_ANY, ("contains", "starts_with", "ends_with"), {**_TEXT, "minLength": 1}),
        _form(_ANY, ("gt", "gte", "lt", "lte"), {"type": "number"}),
        _form(
            _ANY,
            ("semver_eq", "semver_gt", "semver_gte", "semver_lt", "semver_lte"),
            {**_TEXT, "pattern": _SEMANTIC_VERSION},
        ),
        {**_PRESENCE, "required": ["attribute", "operator"]},
    ],
    "examples": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
}
