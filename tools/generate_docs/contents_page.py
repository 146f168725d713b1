"""Generates docs/reference/screens-and-themes.md from two files of common/wire, of screens and of themes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from common.wire import public_responses
from common.wire.public_responses import ScreenType
from common.wire.screen_contents import definitions
from management_api.screens.settings import KnownSettings

_HEAD = """# Screens and themes

`make generate` writes this page from `screen_contents.json` and `theme_members.json` in `common/wire/`.

These are the members that [hosted pages](../hosted-pages.md) read. `content` is free: an app that draws screens
itself may use further members, and hosted pages ignore them. Of the names of a member, the first one that has a value
counts. A value of another shape is refused (400) where it is marked with "checked".

## Screens

Every type has the members of the first table.
"""
_SETTINGS = """
## Settings of screens

`settings` is free too, but a wrong value of these members is refused with status 400. One that is null is absent.

| Member | Value |
|---|---|
"""
_THEMES = """
## Themes

A theme is a member of `POST /api/themes`. A member that is absent has a default. Colours of texts that could
not be read on their background are made darker or lighter.
"""
_UNDER = {
    "colors": """
Further names are stored and sent to apps, and hosted pages do not use them. A value is a CSS hex colour
(`#rgb`, `#rrggbb`, `#rrggbbaa`).
""",
    "background": """
A `background` is a CSS hex colour too.
""",
    "logo": """
A `logo` is an https address too.
""",
}
_THEME_MEMBERS = Path(public_responses.__file__).with_name("theme_members.json")
_COLUMNS = "\n| Member | Further names | Value |\n|---|---|---|\n"
_NOTHING = "\nIt has no further members.\n"
#: The definitions that values of members are made of.
_PARTS = ("button", "item", "option", "product", "step", "consent_item", "row", "quote", "column", "field", "provider")


def contents_page() -> str:
    """Return the page."""
    found = definitions()
    common = found["screen"]["properties"]
    sections = [_COLUMNS + _rows(common, found)]
    for kind in ScreenType:
        own = {name: schema for name, schema in _members(kind, found) if schema != common.get(name)}
        sections.append(f"\n### `{kind}`\n{_COLUMNS + _rows(own, found) if own else _NOTHING}")
    for part in _PARTS:
        rows = _rows(found[part]["properties"], found)
        sections.append(f"\n### Members of {_article(part)}\n{_COLUMNS}{rows}")
    settings = "".join(f"| `{name}` | {field.description} |\n" for name, field in KnownSettings.model_fields.items())
    return _HEAD + "".join(sections) + _SETTINGS + settings + _THEMES + "".join(_theme_members())


def _theme_members() -> Iterator[str]:
    """Yield a table of the members that are words, and one for each member that has members itself."""
    found = json.loads(_THEME_MEMBERS.read_text())
    for member, rows in found.items():
        if isinstance(rows, str):
            continue
        pixels = ", from 0 to 32 pixels" if member == "borderRadius" else ""
        yield f"\n| Member of `{member}` | Use{pixels} |\n|---|---|\n"
        for row in rows:
            yield f"| {', '.join(f'`{name}`' for name in row['names'])} | {row['use']} |\n"
        yield _UNDER.get(member, "")
    yield "\n| Member | Use |\n|---|---|\n"
    yield from (f"| `{member}` | {use} |\n" for member, use in found.items() if isinstance(use, str))


def _article(part: str) -> str:
    return f"an {part}" if part[0] in "aeiou" else f"a {part}"


def _members(name: str, found: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the members of a definition and of those that it extends."""
    definition = found[name]
    if "$ref" in definition:
        yield from _members(definition["$ref"].rpartition("/")[2], found)
    checked = {"x-checked": True} if definition.get("x-checked") else {}
    for member, schema in definition.get("properties", {}).items():
        yield member, {**schema, **checked}


def _rows(members: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    rows = []
    for name, schema in members.items():
        aliases = ", ".join(f"`{alias}`" for alias in schema.get("x-aliases", ()))
        checked = ", checked" if schema.get("x-checked") else ""
        rows.append(f"| `{name}` | {aliases} | {_value(schema, found)}{checked} |\n")
    return "".join(rows)


def _value(schema: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Return the description of a value, with the values that are known."""
    if "items" in schema:
        return f"a list; each entry is {_value(schema['items'], found)}"
    definition = found[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    options = [option for option in definition.get("anyOf", ()) if "$ref" in option]
    source = found[options[0]["$ref"].rpartition("/")[2]] if options else definition
    values = [value for value in source.get("enum", source.get("examples", ())) if value]
    described = str(definition["description"])
    return f"{described}: {', '.join(f'`{value}`' for value in values)}" if values else described
