"""Flows as the interface takes and shows them (contract, section 3)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from common.timestamps import format_timestamp
from management_api.db.models.flows import FlowStatus
from management_api.flows.operations import FlowChanges, NewFlow
from management_api.flows.queries import FlowFilter, WholeFlow
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
from management_api.http.responses import ETagModel, PlainView, ResponseModel, Timestamp
from management_api.screens.schemas import ScreenInFlowBody, ScreenSummary, ScreenWithContent
from management_api.settings import MAX_SCREENS_PER_FLOW

Status = Annotated[FlowStatus, one_of(FlowStatus)]
#: What PostgreSQL's integer holds.
Priority = Annotated[int, whole_number_between(-(2**31), 2**31 - 1)]


class FlowListQuery(PageQuery):
    """GET /flows."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    status: Status | None = None
    search: SearchText | None = None

    def filter(self) -> FlowFilter:
        """Give which flows are wanted."""
        return FlowFilter(status=self.status, search=self.search)


class FlowMembers(RequestModel):
    """What a new flow and a change have in common."""

    description: FlowDescription | None = None
    status: Status = FlowStatus.DRAFT
    theme_id: IdText | None = None
    priority: Priority = 0
    targeting: TargetingBody = TargetingBody()
    is_default: bool = False


class FlowCreateBody(FlowMembers):
    """POST /flows."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id", "themeId": "theme_id"}

    project_id: Annotated[IdText, REQUIRED]
    name: Annotated[FlowName, REQUIRED]
    screens: Annotated[list[ScreenInFlowBody], list_up_to(MAX_SCREENS_PER_FLOW)] = Field(default_factory=list)

    def new_flow(self) -> NewFlow:
        """Give what the flow is made of."""
        return NewFlow(
            name=self.name,
            description=self.description,
            status=self.status,
            theme_id=self.theme_id,
            priority=self.priority,
            rollout_buckets=self.targeting.rollout_buckets,
            conditions=tuple(self.targeting.conditions),
            is_default=self.is_default,
            screens=tuple(screen.new_screen() for screen in self.screens),
        )


class FlowUpdateBody(FlowMembers):
    """PUT /flows/{flow_id}; what is left out stays as it is."""

    aliases: ClassVar[Mapping[str, str]] = {"themeId": "theme_id"}
    read_only = frozenset({"screens", "project_id", "projectId"})

    name: Annotated[FlowName, REQUIRED] = ""

    def changes(self) -> FlowChanges:
        """Give the members that the body has; `targeting` is merged member by member."""
        given: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set - {"targeting"}}
        if "percentage" in self.targeting.model_fields_set:
            given["rollout_buckets"] = self.targeting.rollout_buckets
        if "conditions" in self.targeting.model_fields_set:
            given["conditions"] = tuple(self.targeting.conditions)
        return cast("FlowChanges", given)


class FlowDuplicateBody(RequestModel):
    """POST /flows/{flow_id}/duplicate takes no member; the body may be left out."""


def _members(flow: WholeFlow, screens: Sequence[PlainView]) -> PlainView:
    return {
        "id": flow.id,
        "project_id": flow.project_id,
        "name": flow.name,
        "description": flow.description,
        "status": flow.status,
        "is_default": flow.is_default,
        "theme_id": flow.theme_id,
        "priority": flow.priority,
        "targeting": TargetingView.of(flow.rollout_buckets, flow.conditions),
        "screens": screens,
        "stats": {"total_views": flow.stats.total_views, "completion_rate": flow.stats.completion_rate},
        "created_at": format_timestamp(flow.created_at),
        "updated_at": format_timestamp(flow.updated_at),
    }


class FlowStatsView(ResponseModel):
    """The figures of a flow."""

    total_views: int
    completion_rate: float


class FlowView(ETagModel):
    """A flow as it is shown."""

    id: str
    project_id: str
    name: str
    description: str | None
    status: str
    is_default: bool
    theme_id: str | None
    priority: int
    targeting: TargetingView
    screens: Sequence[ScreenSummary]
    stats: FlowStatsView
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def of(cls, flow: WholeFlow) -> PlainView:
        """Show a flow."""
        return _members(flow, [ScreenSummary.of(screen) for screen in flow.screens])


class FlowViewWithContent(FlowView):
    """A flow as GET by its id shows it: its screens with content and settings."""

    screens: Sequence[ScreenWithContent]

    @classmethod
    def of(cls, flow: WholeFlow) -> PlainView:
        """Show a flow."""
        return _members(flow, [ScreenWithContent.of(screen) for screen in flow.screens])
