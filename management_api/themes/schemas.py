"""Bodies and responses of themes (contract, section 3; media, section Looks)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field
from sqlalchemy import Row

from management_api.auth.lists import MAX_LISTED_BYTES
from management_api.db.models.flows import Theme
from management_api.flows.schemas import FlowPart
from management_api.http.fields import (
    REQUIRED,
    IdText,
    JsonObject,
    ThemeDescription,
    ThemeName,
    json_up_to,
    one_of,
    short_names,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import ETagModel, ResponseModel, Timestamp, is_none
from management_api.themes.document import document_of
from management_api.themes.looks import Colors, Looks, Palettes, Typography


class ThemeListQuery(PageQuery):
    """GET /themes."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    include: Annotated[FlowPart, one_of(FlowPart)] | None = Field(
        default=None, description="`draft`: each theme has `has_draft` and `version` too."
    )


class ThemeQuery(RequestModel):
    """GET /themes/{theme_id}."""

    include: Annotated[FlowPart, one_of(FlowPart)] | None = Field(
        default=None, description="`draft`: the theme has `has_draft` and `version` too."
    )


class ThemeContent(Looks):
    """The members of the document of a theme, besides its name."""

    description: ThemeDescription | None = None
    colors: Colors = Field(default_factory=Palettes, examples=[{"primary": "#112233", "dark": {"primary": "#aabbcc"}}])
    typography: Annotated[Typography, short_names, json_up_to(MAX_LISTED_BYTES)] = Field(default_factory=Typography)
    borderRadius: Annotated[JsonObject, json_up_to(MAX_LISTED_BYTES)] = Field(default_factory=dict)  # noqa: N815 - the contract spells it so

    def members(self) -> dict[str, Any]:
        """Return the members that the body has, as they are stored; null unsets a look."""
        return self.model_dump(mode="json", exclude_unset=True, exclude={"project_id", "based_on"})


class ThemeFields(ThemeContent):
    """The members that POST and PUT share."""

    is_default: bool = False


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


_LOOK: Any = Field(default=None, exclude_if=is_none)


class ThemeContentView(ResponseModel):
    """The members of the document of a theme. Looks that are not set are absent."""

    name: str
    description: str | None
    colors: dict[str, str | dict[str, str]] = Field(
        description="CSS hex colours by names of yours; `dark` has those of dark devices."
    )
    typography: dict[str, Any]
    borderRadius: dict[str, Any]  # noqa: N815 - the contract spells it so
    appearance: str | None = _LOOK
    background: str | dict[str, Any] | None = _LOOK
    logo: str | dict[str, Any] | None = _LOOK
    button: dict[str, Any] | None = _LOOK
    choice: str | None = _LOOK
    progress: str | None = _LOOK
    transition: str | None = _LOOK
    spacing: str | None = _LOOK


class ThemeView(ThemeContentView, ETagModel):
    """A theme, with `include=draft` also the state of its draft."""

    id: str
    project_id: str
    is_default: bool
    has_draft: bool | None = Field(
        default=None, exclude_if=is_none, description="Whether there is a draft beside it; with `include=draft`."
    )
    version: int | None = Field(
        default=None, exclude_if=is_none, description="The number of the live version; with `include=draft`."
    )
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def of(cls, theme: Theme | Row[*tuple[Any, ...]], include: FlowPart | None = None) -> "ThemeView":
        """Return the view of a theme, with the state of its draft if it is to be included."""
        others = {name: getattr(theme, name) for name in _COLUMNS_AS_THEY_ARE}
        if include is FlowPart.DRAFT and isinstance(theme, Row):
            others |= {"has_draft": theme.has_draft, "version": theme.live_version}
        return cls.model_validate({**others, **document_of(theme)})


_COLUMNS_AS_THEY_ARE = ("id", "project_id", "is_default", "created_at", "updated_at")
