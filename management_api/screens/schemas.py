"""Screens and screen templates in requests and responses (contract, section 3)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field, model_validator
from sqlalchemy import Row

from management_api.db.models.flows import ScreenType
from management_api.http.fields import (
    REQUIRED,
    IdText,
    JsonObject,
    ScreenName,
    list_up_to,
    one_of,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import READ_ONLY_MEMBERS, RequestModel
from management_api.http.responses import ETagModel, PlainView, ResponseModel, Timestamp
from management_api.screens.operations import NewScreen, ScreenChanges
from management_api.screens.templates import TemplateCategory
from management_api.settings import MAX_SCREENS_PER_FLOW

#: The place in the flow; one past the end means the end.
Order = Annotated[int, whole_number_between(0, 2**31 - 1)]
Kind = Annotated[ScreenType, one_of(ScreenType)]


class ScreenListQuery(PageQuery):
    """GET /screens."""

    aliases: ClassVar[Mapping[str, str]] = {"flowId": "flow_id"}
    sortable = frozenset({"created_at", "updated_at", "name", "order"})
    default_sort = "order"

    flow_id: Annotated[IdText, REQUIRED]
    type: Kind | None = None


class ScreenMembers(RequestModel):
    """What a new screen and a change have in common."""

    name: ScreenName | None = None
    content: JsonObject = Field(default_factory=dict)
    settings: JsonObject = Field(default_factory=dict)


class ScreenInFlowBody(ScreenMembers):
    """A screen inside POST /flows. It stands where it is in the list, so an `order` of its own is ignored."""

    ignored = READ_ONLY_MEMBERS | {"flow_id", "flowId", "project_id", "projectId", "order"}

    type: Annotated[Kind, REQUIRED]

    @model_validator(mode="before")
    @classmethod
    def _without_read_only(cls, screen: object) -> object:
        if not isinstance(screen, dict):
            return screen
        return {name: value for name, value in screen.items() if name not in cls.ignored}

    def new_screen(self) -> NewScreen:
        """Give what the screen is made of."""
        return NewScreen(type=self.type, name=self.name, content=self.content, settings=self.settings)


class ScreenCreateBody(ScreenMembers):
    """POST /screens."""

    aliases: ClassVar[Mapping[str, str]] = {"flowId": "flow_id"}
    read_only = frozenset({"project_id", "projectId"})

    flow_id: Annotated[IdText, REQUIRED]
    type: Annotated[Kind, REQUIRED]
    order: Order | None = None

    def new_screen(self) -> NewScreen:
        """Give what the screen is made of."""
        return NewScreen(type=self.type, name=self.name, content=self.content, settings=self.settings)


class ScreenUpdateBody(ScreenMembers):
    """PUT /screens/{screen_id}; what is left out stays as it is."""

    read_only = frozenset({"flow_id", "flowId", "project_id", "projectId"})

    type: Annotated[Kind, REQUIRED] = ScreenType.CUSTOM
    order: Annotated[Order, REQUIRED] = 0

    def changes(self) -> ScreenChanges:
        """Give the members that the body has."""
        return cast("ScreenChanges", {name: getattr(self, name) for name in self.model_fields_set})


class ScreenOrderBody(RequestModel):
    """PUT /flows/{flow_id}/screens/order."""

    screen_ids: Annotated[list[IdText], list_up_to(MAX_SCREENS_PER_FLOW), REQUIRED]


class ScreenSummary(ResponseModel):
    """A screen inside a flow."""

    id: str
    type: str
    name: str | None
    order: int

    @classmethod
    def of(cls, screen: Row[Any]) -> PlainView:
        """Show a row of a flow's screens."""
        return {"id": screen.id, "type": screen.type, "name": screen.name, "order": screen.order}


class ScreenWithContent(ScreenSummary):
    """A screen inside a flow that is read by its id."""

    content: dict[str, Any]
    settings: dict[str, Any]

    @classmethod
    def of(cls, screen: Row[Any]) -> PlainView:
        """Show a row of a flow's screens that has content and settings."""
        return {**super().of(screen), "content": screen.content, "settings": screen.settings}


class ScreenView(ETagModel):
    """A screen by itself."""

    id: str
    flow_id: str
    project_id: str
    type: str
    name: str | None
    order: int
    content: dict[str, Any]
    settings: dict[str, Any]
    created_at: Timestamp
    updated_at: Timestamp


class ScreenTemplateListQuery(PageQuery):
    """GET /screen-templates."""

    type: Kind | None = None
    category: Annotated[TemplateCategory, one_of(TemplateCategory)] | None = None


class ScreenTemplateView(ResponseModel):
    """A template as it is shown."""

    id: str
    type: str
    name: str
    category: str
    default_content: dict[str, Any]
