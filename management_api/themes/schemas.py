"""Themes as the interface takes and shows them (contract, section 3)."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from common.text import has_forbidden_characters
from management_api.http.fields import REQUIRED, IdText, JsonObject, Rule, ThemeDescription, ThemeName, complaint
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import TaggedModel, Timestamp
from management_api.themes.operations import NewTheme, ThemeChanges, ThemeLooks

MAX_COLORS = 100
MAX_COLOR_NAME_LENGTH = 64
_HEX_COLOR = re.compile(r"^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$")

#: The members that say how a theme looks, and their columns.
_LOOKS = {"colors": "colors", "typography": "typography", "borderRadius": "border_radius"}


def _names_are_bounded(value: object) -> object:
    if not isinstance(value, dict) or len(value) > MAX_COLORS:
        raise complaint(f"must be an object of at most {MAX_COLORS} colours")
    if any(not 0 < len(name) <= MAX_COLOR_NAME_LENGTH or has_forbidden_characters(name) for name in value):
        raise complaint(f"must have names of 1 to {MAX_COLOR_NAME_LENGTH} characters, without control characters")
    return value


def _hex_color(value: object) -> object:
    if not isinstance(value, str) or not _HEX_COLOR.fullmatch(value):
        raise complaint("must be a CSS hex colour: #rgb, #rrggbb or #rrggbbaa")
    return value


HexColor = Annotated[str, Rule(_hex_color, {"pattern": _HEX_COLOR.pattern})]
_COLOR_NAMES = {"minLength": 1, "maxLength": MAX_COLOR_NAME_LENGTH, "pattern": r"^[^\x00-\x08\x0b-\x1f]*$"}
Colors = Annotated[
    dict[str, HexColor], Rule(_names_are_bounded, {"propertyNames": _COLOR_NAMES, "maxProperties": MAX_COLORS})
]


class ThemeListQuery(PageQuery):
    """GET /themes."""

    spellings: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]


class ThemeMembers(RequestModel):
    """What a new theme and a change have in common."""

    description: ThemeDescription | None = None
    is_default: bool = False
    colors: Colors = Field(default_factory=dict)
    typography: JsonObject = Field(default_factory=dict)
    borderRadius: JsonObject = Field(default_factory=dict)  # noqa: N815 - the contract spells it so

    def looks(self) -> ThemeLooks:
        """Give the members about its looks that the body has."""
        given = self.model_fields_set
        return cast(
            "ThemeLooks", {column: getattr(self, member) for member, column in _LOOKS.items() if member in given}
        )


class ThemeCreateBody(ThemeMembers):
    """POST /themes."""

    spellings: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    name: Annotated[ThemeName, REQUIRED]
    based_on: IdText | None = None

    def new_theme(self) -> NewTheme:
        """Give what the theme is made of."""
        return NewTheme(
            name=self.name,
            description=self.description,
            is_default=self.is_default,
            looks=self.looks(),
            based_on=self.based_on,
        )


class ThemeUpdateBody(ThemeMembers):
    """PUT /themes/{theme_id}; what is left out stays as it is."""

    read_only = frozenset({"project_id", "projectId"})

    name: Annotated[ThemeName, REQUIRED] = ""

    def changes(self) -> ThemeChanges:
        """Give the members that the body has."""
        others = {name: getattr(self, name) for name in self.model_fields_set - _LOOKS.keys()}
        return cast("ThemeChanges", {**others, **self.looks()})


class ThemeView(TaggedModel):
    """A theme as it is shown."""

    id: str
    project_id: str
    name: str
    description: str | None
    is_default: bool
    colors: dict[str, Any]
    typography: dict[str, Any]
    border_radius: dict[str, Any] = Field(serialization_alias="borderRadius")
    created_at: Timestamp
    updated_at: Timestamp
