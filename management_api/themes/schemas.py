"""Bodies and responses of themes (contract, section 3)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from common.text import has_forbidden_characters
from management_api.auth.lists import MAX_LISTED_BYTES
from management_api.http.backgrounds import HexColor
from management_api.http.fields import (
    REQUIRED,
    IdText,
    JsonObject,
    Rule,
    ThemeDescription,
    ThemeName,
    field_error,
    json_up_to,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import ETagModel, Timestamp

MAX_COLORS = 100
MAX_COLOR_NAME_LENGTH = 64


def _names_are_bounded(value: object) -> object:
    if not isinstance(value, dict) or len(value) > MAX_COLORS:
        raise field_error(f"must be an object of at most {MAX_COLORS} colours")
    if any(not 0 < len(name) <= MAX_COLOR_NAME_LENGTH or has_forbidden_characters(name) for name in value):
        raise field_error(f"must have names of 1 to {MAX_COLOR_NAME_LENGTH} characters, without control characters")
    return value


_COLOR_NAMES = {"minLength": 1, "maxLength": MAX_COLOR_NAME_LENGTH, "pattern": r"^[^\x00-\x08\x0b-\x1f]*$"}
Colors = Annotated[
    dict[str, HexColor], Rule(_names_are_bounded, {"propertyNames": _COLOR_NAMES, "maxProperties": MAX_COLORS})
]


class ThemeListQuery(PageQuery):
    """GET /themes."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]


class ThemeFields(RequestModel):
    """The members that POST and PUT share."""

    description: ThemeDescription | None = None
    is_default: bool = False
    colors: Colors = Field(default_factory=dict, examples=[{"primary": "#112233"}])
    typography: Annotated[JsonObject, json_up_to(MAX_LISTED_BYTES)] = Field(default_factory=dict)
    borderRadius: Annotated[JsonObject, json_up_to(MAX_LISTED_BYTES)] = Field(default_factory=dict)  # noqa: N815 - the contract spells it so

    def columns(self) -> dict[str, Any]:
        """Return the columns that the body has; POST leaves the others to the defaults of the table."""
        members = self.model_fields_set - {"project_id", "based_on"}
        return {"border_radius" if name == "borderRadius" else name: getattr(self, name) for name in members}


class ThemeCreateBody(ThemeFields):
    """POST /themes."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED] = Field(examples=["proj_01h455vb4pex5vsknk084sn02q"])
    name: Annotated[ThemeName, REQUIRED] = Field(examples=["Dark"])
    based_on: IdText | None = Field(default=None, examples=["theme_01h455vb4pex5vsknk084sn02q"])


class ThemeUpdateBody(ThemeFields):
    """PUT /themes/{theme_id}; absent members stay as they are."""

    read_only = frozenset({"project_id", "projectId"})

    name: Annotated[ThemeName, REQUIRED] = ""


class ThemeView(ETagModel):
    """A theme."""

    id: str
    project_id: str
    name: str
    description: str | None
    is_default: bool
    colors: dict[str, str] = Field(description="CSS hex colours by names of yours.")
    typography: dict[str, Any]
    border_radius: dict[str, Any] = Field(serialization_alias="borderRadius")
    created_at: Timestamp
    updated_at: Timestamp
