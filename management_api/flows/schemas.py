"""Bodies and responses of flows (contract, section 3)."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field
from sqlalchemy import Row

from common.ids import IdPrefix, new_id
from management_api.db.models.documents import upcast
from management_api.db.models.flows import FlowStatus
from management_api.flows.logic_schemas import Variable, Variables
from management_api.flows.targeting import TargetingBody, TargetingView
from management_api.http.fields import (
    REQUIRED,
    FlowDescription,
    FlowName,
    IdText,
    SearchText,
    list_up_to,
    one_of,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import (
    CompletionRate,
    Count,
    ETagModel,
    ResponseModel,
    Timestamp,
    is_empty,
    is_none,
    rows_as_dicts,
)
from management_api.screens.schemas import ScreenInFlowBody, ScreenSummary, ScreenWithContent
from management_api.settings import MAX_SCREENS_PER_FLOW

Status = Annotated[FlowStatus, one_of(FlowStatus)]
#: The range of PostgreSQL's integer.
Priority = Annotated[int, whole_number_between(-(2**31), 2**31 - 1)]


#: Of one request; far above the quota of flows.
MAX_ORDERED_FLOWS = 10_000


class FlowPart(StrEnum):
    """The members of flows that are left out unless they are requested."""

    DRAFT = "draft"


class FlowListQuery(PageQuery):
    """GET /flows. The `evaluation_order` is that of priorities, the highest first; archived flows are the last."""

    sortable = PageQuery.sortable | {"evaluation_order"}
    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    status: Status | None = None
    search: SearchText | None = None
    include: Annotated[FlowPart, one_of(FlowPart)] | None = Field(
        default=None, description="`draft`: each flow has `has_draft` and `version` too."
    )


class FlowQuery(RequestModel):
    """GET /flows/{flow_id}."""

    include: Annotated[FlowPart, one_of(FlowPart)] | None = Field(
        default=None, description="`draft`: the flow has `has_draft` and `version` too."
    )


class DocumentFields(RequestModel):
    """The members of a document besides its screens, in every body that has them."""

    name: Annotated[FlowName, REQUIRED] = Field(examples=["Welcome"])
    description: FlowDescription | None = None
    theme_id: IdText | None = None
    targeting: TargetingBody = Field(
        default=TargetingBody(),
        examples=[
            {
                "percentage": 50,
                "conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
            }
        ],
    )

    variables: Variables = Field(
        default_factory=list, description="Values that clients compute, each from answers and the variables before it."
    )

    def applied_to(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return a document with the members that the body has."""
        names = DocumentFields.model_fields.keys() & self.model_fields_set - {"targeting"}
        members = self.model_dump(include=names)
        return {**document, **members, "targeting": {**document["targeting"], **self.targeting.members()}}


class FlowFields(DocumentFields):
    """The members of a flow that are in no document, too."""

    status: Status = Field(default=FlowStatus.DRAFT, examples=["active"])
    priority: Priority = 0
    is_default: bool = False


class FlowCreateBody(FlowFields):
    """POST /flows."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id", "themeId": "theme_id"}

    project_id: Annotated[IdText, REQUIRED] = Field(examples=["proj_01h455vb4pex5vsknk084sn02q"])
    screens: Annotated[list[ScreenInFlowBody], list_up_to(MAX_SCREENS_PER_FLOW)] = Field(
        default_factory=list,
        examples=[[{"type": "welcome", "name": "Hello", "content": {"title": "Welcome aboard"}, "settings": {}}]],
    )

    def document(self) -> dict[str, Any]:
        """Return the document of the new flow.

        Its screens have new ids; rules that name a screen by its id in the body get its new one.
        """
        screens = [{"id": new_id(IdPrefix.SCREEN), **screen.new_members()} for screen in self.screens]
        names = Counter(screen.id for screen in self.screens if isinstance(screen.id, str))
        ids = {
            body.id: screen["id"] for body, screen in zip(self.screens, screens, strict=True) if names.get(body.id) == 1
        }
        for screen in screens:
            if screen.get("next"):
                screen["next"] = [{**rule, "go_to": ids.get(rule["go_to"], rule["go_to"])} for rule in screen["next"]]
        return {**self.applied_to(upcast({})), "screens": screens}


class FlowUpdateBody(FlowFields):
    """PUT /flows/{flow_id}; absent members stay as they are."""

    aliases: ClassVar[Mapping[str, str]] = {"themeId": "theme_id"}
    read_only = frozenset({"screens", "project_id", "projectId"})

    name: Annotated[FlowName, REQUIRED] = ""


class FlowOrderBody(RequestModel):
    """PUT /projects/{project_id}/flows/order."""

    flow_ids: Annotated[list[IdText], list_up_to(MAX_ORDERED_FLOWS), REQUIRED] = Field(
        examples=[["flow_01h455vb4pex5vsknk084sn02q"]]
    )


class FlowOrderView(ETagModel):
    """The order of evaluation of a project's flows."""

    flow_ids: list[str] = Field(description="The flows that are not archived, the first one first.")


class FlowPriorityView(ETagModel):
    """The priority that a flow has got."""

    id: str
    priority: int


class FlowStatsView(ResponseModel):
    """The statistics of a flow."""

    total_views: Count = Field(description="Its flow_started events; a device may start it again.")
    completion_rate: CompletionRate


class FlowContentView(ResponseModel):
    """The members of a document besides targeting and screens, in every response that has them."""

    name: str
    description: str | None
    theme_id: str | None = Field(
        description="The theme of its screens; null for the default theme of the project, or the app's own looks."
    )
    variables: list[Variable] = Field(
        default_factory=list,
        exclude_if=is_empty,
        description="Values that clients compute. Left out where there are none.",
    )


class FlowView(FlowContentView, ETagModel):
    """A flow."""

    id: str
    project_id: str
    status: FlowStatus = Field(
        description="Devices get active flows only, but for variants of experiments and QA devices."
    )
    is_default: bool = Field(description="Whether it is the project's default flow.")
    priority: int = Field(description="Flows with a higher priority are evaluated first.")
    targeting: TargetingView
    screens: tuple[ScreenSummary, ...]
    stats: FlowStatsView
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def from_document(cls, flow: Row[Any], document: Mapping[str, Any], stats: FlowStatsView) -> Self:
        """Return the response from the columns of a flow with `is_default`, its live document and its statistics."""
        [columns] = rows_as_dicts([flow])
        parts = {
            "targeting": TargetingView.from_document(document["targeting"]),
            "screens": [{**screen, "order": order} for order, screen in enumerate(document["screens"])],
            "stats": stats,
        }
        return cls.model_validate({**document, **columns, **parts})


class ListedFlowView(FlowView):
    """A flow, with `include=draft` also the state of its draft."""

    has_draft: bool | None = Field(
        default=None, exclude_if=is_none, description="Whether there is a draft beside it; with `include=draft`."
    )
    version: int | None = Field(
        default=None,
        exclude_if=is_none,
        description="The number of the live version; with `include=draft`, unless it has none yet.",
    )


class FlowViewWithContent(ListedFlowView):
    """A flow whose screens have content and settings."""

    screens: tuple[ScreenWithContent, ...]
