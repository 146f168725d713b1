"""Bodies and responses of screens and screen templates (contract, section 3)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

import orjson
from pydantic import Field, model_validator

from common.wire.public_responses import ScreenType
from management_api.auth.lists import MAX_LISTED_BYTES
from management_api.db.models.documents import SCREEN_DEFAULTS, SCREEN_MEMBERS
from management_api.flows.logic_schemas import (
    LogicConditions,
    LogicConditionView,
    ScreenRules,
    ScreenRuleView,
    rules_to_json,
)
from management_api.flows.targeting import conditions_to_json
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
from management_api.http.responses import ETagModel, ResponseModel, Timestamp, is_empty, is_none
from management_api.screens.localizations import Localizations, LocalizationsView
from management_api.screens.settings import ScreenSettings
from management_api.screens.templates import TemplateCategory
from management_api.settings import MAX_SCREENS_PER_FLOW

#: The index in the flow; any index past the end means the end.
Order = Annotated[int, whole_number_between(0, 2**31 - 1)]
ScreenTypeField = Annotated[ScreenType, one_of(ScreenType)]


class ScreenListQuery(PageQuery):
    """GET /screens."""

    aliases: ClassVar[Mapping[str, str]] = {"flowId": "flow_id"}
    sortable = frozenset({"created_at", "updated_at", "name", "order"})
    default_sort = "order"

    flow_id: Annotated[IdText, REQUIRED]
    type: ScreenTypeField | None = None


class ScreenFields(RequestModel):
    """The members that POST and PUT share."""

    name: ScreenName | None = Field(default=None, examples=["Hello"])
    content: JsonObject = Field(default_factory=dict, examples=[{"title": "Welcome aboard"}])
    settings: ScreenSettings = Field(default_factory=dict, examples=[{"layout": "hero"}])
    show_if: LogicConditions = Field(
        default_factory=list, description="All must hold, or the screen is passed over. Empty: it is always shown."
    )
    next: ScreenRules = Field(
        default_factory=list,
        description="The first rule whose conditions all hold names the next screen; else it is the one behind.",
    )
    localizations: Localizations = Field(
        default_factory=dict,
        description="Translations of texts of the content, by language and by the JSON pointer of the text. Items of"
        " lists are named by their `value`, `product_id` or `name`, else by their places.",
        examples=[{"de": {"/title": {"text": "Willkommen an Bord", "source": "Welcome aboard"}}}],
    )

    def members(self) -> dict[str, Any]:
        """Return the members of a screen in a document that the body has."""
        names = self.model_fields_set.intersection(SCREEN_MEMBERS)
        members = self.model_dump(mode="json", include=names - {"show_if", "next"})
        if "show_if" in names:
            members["show_if"] = conditions_to_json(self.show_if)
        if "next" in names:
            members["next"] = rules_to_json(self.next)
        return members

    def new_members(self) -> dict[str, Any]:
        """Return the members of a new screen in a document, without its id."""
        return {**SCREEN_DEFAULTS, **self.members()}


class ScreenInFlowBody(ScreenFields):
    """A screen inside POST /flows. Its place is that in the list, so an `order` of its own is ignored."""

    ignored = (READ_ONLY_MEMBERS - {"id"}) | {"flow_id", "flowId", "project_id", "projectId", "order"}

    id: Any = Field(
        default=None, description="A name for `go_to` of the rules of this request; the screen gets an id of its own."
    )
    type: Annotated[ScreenTypeField, REQUIRED]

    @model_validator(mode="before")
    @classmethod
    def _without_read_only(cls, screen: object) -> object:
        if not isinstance(screen, dict):
            return screen
        return {name: value for name, value in screen.items() if name not in cls.ignored}


class ScreenCreateBody(ScreenFields):
    """POST /screens."""

    aliases: ClassVar[Mapping[str, str]] = {"flowId": "flow_id"}
    read_only = frozenset({"project_id", "projectId"})

    flow_id: Annotated[IdText, REQUIRED] = Field(examples=["flow_01h455vb4pex5vsknk084sn02q"])
    type: Annotated[ScreenTypeField, REQUIRED] = Field(examples=["welcome"])
    order: Order | None = Field(default=None, examples=[0])


class ScreenUpdateBody(ScreenFields):
    """PUT /screens/{screen_id}; absent members stay as they are."""

    read_only = frozenset({"flow_id", "flowId", "project_id", "projectId"})

    type: Annotated[ScreenTypeField, REQUIRED] = ScreenType.CUSTOM
    order: Annotated[Order, REQUIRED] = 0


class ScreenOrderBody(RequestModel):
    """PUT /flows/{flow_id}/screens/order."""

    screen_ids: Annotated[list[IdText], list_up_to(MAX_SCREENS_PER_FLOW), REQUIRED] = Field(
        examples=[["screen_01h455vb4pex5vsknk084sn02q"]]
    )


ScreenPlace = Annotated[int, Field(ge=0, description="The place in its flow: 0..n-1 without gaps.")]


class ScreenSummary(ResponseModel):
    """A screen inside a flow."""

    id: str
    type: ScreenType
    name: str | None
    order: ScreenPlace


class ScreenContent(ResponseModel):
    """The members of a screen that a summary leaves out."""

    content: dict[str, Any]
    settings: dict[str, Any]
    show_if: list[LogicConditionView] = Field(
        default_factory=list, exclude_if=is_empty, description="Left out where the screen is always shown."
    )
    next: list[ScreenRuleView] = Field(
        default_factory=list, exclude_if=is_empty, description="Left out where the next screen is the one behind."
    )
    localizations: LocalizationsView = Field(
        default_factory=dict,
        exclude_if=is_empty,
        description="Translations, by language and by the JSON pointer of the text. Left out where there are none.",
    )


class ScreenWithContent(ScreenContent, ScreenSummary):
    """A screen inside a flow, with content and settings."""


class ScreenView(ScreenWithContent, ETagModel):
    """A screen."""

    flow_id: str
    project_id: str
    created_at: Timestamp
    updated_at: Timestamp


class ListedScreenView(ScreenView):
    """A screen in a list, which leaves out large content and settings."""

    content_omitted: bool | None = Field(
        default=None,
        exclude_if=is_none,
        description="True where large content or settings are left out: read the screen by its id.",
    )

    @classmethod
    def from_screen(cls, screen: Mapping[str, Any]) -> Self:
        """Return the response without the members of `ScreenContent` whose JSON is larger than MAX_LISTED_BYTES."""
        sizes = {name: len(orjson.dumps(screen[name])) for name in ScreenContent.model_fields if name in screen}
        large = {name: type(screen[name])() for name, size in sizes.items() if size > MAX_LISTED_BYTES}
        return cls.model_validate({**screen, **large, "content_omitted": True if large else None})


class ScreenTemplateListQuery(PageQuery):
    """GET /screen-templates."""

    type: ScreenTypeField | None = None
    category: Annotated[TemplateCategory, one_of(TemplateCategory)] | None = None


class ScreenTemplateView(ResponseModel):
    """A built-in screen template."""

    id: str
    type: ScreenType
    name: str
    category: TemplateCategory
    default_content: dict[str, Any]
