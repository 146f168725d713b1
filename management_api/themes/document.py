"""The document of a theme: its members with the names of the interface, and the columns that they are stored in."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row

from management_api.db.models.flows import DARK, Theme, theme_members

Json = dict[str, Any]

#: The members that every theme has, and their columns.
_COLUMNS: Mapping[str, str] = {
    "name": "name",
    "description": "description",
    "colors": "colors",
    "typography": "typography",
    "borderRadius": "border_radius",
}
_PROPERTIES = frozenset({"name", "description", "is_default"})
#: The document of a new theme, without its name.
NEW_DOCUMENT: Mapping[str, Any] = {"description": None, "colors": {}, "typography": {}, "borderRadius": {}}


def document_of(theme: Theme | Row[*tuple[Any, ...]]) -> Json:
    """Return the document of a stored theme; looks that are not set are absent."""
    members = {name: getattr(theme, column) for name, column in _COLUMNS.items()}
    return {**members, **theme_members(theme.colors, theme.looks)}


def style_of(document: Mapping[str, Any]) -> Json:
    """Return what devices see of a document."""
    return {name: value for name, value in document.items() if name not in _PROPERTIES}


def changed(document: Mapping[str, Any], members: Mapping[str, Any]) -> Json:
    """Return a document with other members; null unsets a look."""
    merged = {**document, **members}
    return {name: value for name, value in merged.items() if value is not None or name in _COLUMNS}


def columns_of(document: Mapping[str, Any]) -> Json:
    """Return the columns that a document is stored in."""
    columns = {column: document[name] for name, column in _COLUMNS.items() if name in document}
    looks = {name: value for name, value in document.items() if name not in {*_COLUMNS, *_PROPERTIES}}
    colors = columns.get("colors")
    if isinstance(colors, dict) and isinstance(colors.get(DARK), dict):
        columns["colors"] = {name: color for name, color in colors.items() if name != DARK}
        looks[DARK] = colors[DARK]
    return {**columns, "looks": looks}
