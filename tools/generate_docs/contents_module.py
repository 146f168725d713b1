"""The TypeScript module of screens' contents for web/flow, from common/wire/screen_contents.json."""

import json
from collections.abc import Mapping
from typing import Any

from common.wire.public_responses import ScreenType
from common.wire.screen_contents import definitions
from management_api.screens.settings import ScreenLayout

_HEAD = """\
// Generated from common/wire/screen_contents.json by `make generate`; do not edit.

/** The names of members. The first one that has a value counts. */
export const NAMES = {"""


def contents_module() -> str:
    """Return the names of members, the known values, and a type for each definition."""
    lines = [_HEAD]
    for name, definition in definitions().items():
        members = definition.get("properties", {}).items()
        names = {member: [member, *schema["x-aliases"]] for member, schema in members if "x-aliases" in schema}
        if names:
            lines += [f"  {name}: {{", *(f"    {member}: {json.dumps(names[member])}," for member in names), "  },"]
    lines += ["} as const;"]
    for name, definition in definitions().items():
        kind = _type(definition)
        values = [value for value in definition.get("enum", definition.get("examples", ())) if value]
        if values:
            constant = f"{name.upper()}S"
            lines += ["", f"export const {constant} = {json.dumps(values)} as const;"]
            kind = kind.replace(" | ".join(map(json.dumps, values)), f"(typeof {constant})[number]")
        lines += [f"export type {_type_name(name)} = {kind};"]
        lines += [
            f"export const {name.upper()}_PATTERN = /{schema['pattern'].replace('/', chr(92) + '/')}/;"
            for schema in (definition, *definition.get("anyOf", ()))
            if "pattern" in schema
        ]
    lines += ["", f"export const LAYOUTS = {json.dumps(list(ScreenLayout))} as const;"]
    types = "".join(f"  {kind}: {_type_name(kind)};\n" for kind in ScreenType)
    return "\n".join(
        [*lines, "", "/** The contents by type of screen. */", f"export interface Contents {{\n{types}}}", ""]
    )


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a schema. A definition with members of another one is an intersection."""
    parts = [_type_name(schema["$ref"].rpartition("/")[2])] if "$ref" in schema else []
    if "enum" in schema:
        parts.append(" | ".join(json.dumps(value) for value in schema["enum"]))
    elif "anyOf" in schema:
        parts.append(" | ".join(_type(option) for option in schema["anyOf"]))
    elif "type" in schema or "properties" in schema:
        kinds = schema.get("type", "object")
        parts.append(" | ".join(_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)))
    return " & ".join(parts)


def _kind(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "array":
        return f"{_type(schema['items'])}[]"
    if kind != "object":
        return kind
    if "additionalProperties" in schema:
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    own = schema["properties"]
    aliases = {alias: member for member in own.values() for alias in member.get("x-aliases", ())}
    members = (f"{name}?: {_type(member)}; " for name, member in {**aliases, **own}.items())
    return f"{{ {''.join(members)}}}"


def _type_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
