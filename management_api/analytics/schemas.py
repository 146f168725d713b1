"""Analytics in queries and responses (contract, section 3)."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from management_api.analytics.dates import DatesQuery, Period
from management_api.http.fields import REQUIRED, EventTypeText, IdText, one_of
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import CompletionRate, Count, Fraction, ResponseModel, Timestamp


class EventPlatform(StrEnum):
    """The platforms that an event may have."""

    IOS = "ios"
    ANDROID = "android"


class GroupBy(StrEnum):
    """The dimension by which rows are grouped."""

    DAY = "day"
    EVENT_TYPE = "event_type"
    FLOW = "flow"
    SCREEN = "screen"
    VARIANT = "variant"
    PLATFORM = "platform"


#: The member of a row that has the value of its group; but for the days it is the column of the rollups, too.
COLUMN_OF_GROUP: Mapping[GroupBy, str] = {
    GroupBy.DAY: "date",
    GroupBy.EVENT_TYPE: "event_type",
    GroupBy.FLOW: "flow_id",
    GroupBy.SCREEN: "screen_id",
    GroupBy.VARIANT: "variant",
    GroupBy.PLATFORM: "platform",
}


class EventFilterQuery(DatesQuery):
    """Base of what is asked of a project's events; a filter that is left out does not narrow them."""

    aliases: ClassVar[Mapping[str, str]] = {
        "projectId": "project_id",
        "flowId": "flow_id",
        "experimentId": "experiment_id",
        "eventType": "event_type",
    }

    project_id: Annotated[IdText, REQUIRED]
    flow_id: IdText | None = None
    experiment_id: IdText | None = None
    event_type: EventTypeText | None = None
    platform: Annotated[EventPlatform, one_of(EventPlatform)] | None = None

    def column_filters(self) -> dict[str, str]:
        """Return the filters by the column of events and rollups that they are about."""
        columns = {
            "flow_id": self.flow_id,
            "experiment_id": self.experiment_id,
            "event_type": self.event_type,
            "platform": self.platform,
        }
        return {column: value for column, value in columns.items() if value is not None}


class AnalyticsQuery(EventFilterQuery):
    """GET /analytics."""

    group_by: Annotated[GroupBy, one_of(GroupBy)] = GroupBy.DAY


class EventListQuery(PageQuery, EventFilterQuery):
    """GET /analytics/events."""

    #: All mean the event's own time: it has no other that a list could be sorted by through an index.
    sortable = frozenset({"timestamp", "created_at", "updated_at"})
    default_sort = "-timestamp"


class FunnelQuery(DatesQuery):
    """GET /analytics/funnel; the flow says which project it is, so that one need not be named."""

    aliases: ClassVar[Mapping[str, str]] = {
        "projectId": "project_id",
        "flowId": "flow_id",
        "experimentId": "experiment_id",
    }

    flow_id: Annotated[IdText, REQUIRED]
    experiment_id: IdText | None = None
    project_id: IdText | None = None


class CountView(ResponseModel):
    """Events, and the distinct devices that they are of."""

    events: int
    users: Count = Field(description="Distinct device ids.")


AnalyticsRow = dict[str, date | str | int | None]


class AnalyticsView(ResponseModel):
    """A breakdown; besides `events` and `users` each row has the one member that says what it is about."""

    project_id: str
    first: date = Field(serialization_alias="from")
    to: date
    group_by: GroupBy
    totals: CountView
    rows: Sequence[AnalyticsRow]


class FunnelScreenView(ResponseModel):
    """The figures of one screen."""

    screen_id: str
    type: str
    name: str | None
    order: Count = Field(description="The place in its flow: 0..n-1 without gaps.")
    reached: Count = Field(description="Users with a screen_viewed or screen_completed of the screen.")
    completed: Count = Field(description="Users with a screen_completed of the screen.")
    drop_off: Count = Field(description="Users who reached and did not complete it.")
    drop_off_rate: Fraction = Field(description="The same per user who reached it.")
    median_seconds: float | None = Field(description="From first view to first completion; null when there is none.")


class VariantFunnelView(ResponseModel):
    """The figures of one variant; null are the events of the experiment that name none."""

    variant: str | None
    started: int
    completed: int
    completion_rate: CompletionRate
    screens: Sequence[FunnelScreenView]


class FunnelView(ResponseModel):
    """The figures of a flow and its screens; `variants` is null unless an experiment was asked for."""

    flow_id: str
    first: date = Field(serialization_alias="from")
    to: date
    started: Count = Field(description="Users with a flow_started of the flow; a user is a distinct device id.")
    completed: Count = Field(description="Users with a flow_completed of the flow.")
    completion_rate: CompletionRate
    screens: Sequence[FunnelScreenView]
    variants: Sequence[VariantFunnelView] | None


class EventView(ResponseModel):
    """An event as it was sent; `timestamp` is its own time, `received_at` when the service got it."""

    event_id: str
    event_type: str
    device_id: str
    flow_id: str | None
    screen_id: str | None
    experiment_id: str | None
    variant: str | None
    session_id: str | None
    timestamp: Timestamp
    received_at: Timestamp
    platform: str | None
    app_version: str | None
    properties: dict[str, Any]


class StatisticsQuery(RequestModel):
    """GET /projects/{project_id}/stats."""

    period: Annotated[Period, one_of(Period)] = Period.WEEK


class OverviewView(ResponseModel):
    """The figures of the whole period."""

    total_users: Count = Field(description="Users with any event or exposure in the period.")
    new_users: Count = Field(description="Users who were first seen inside the period.")
    completion_rate: CompletionRate
    avg_completion_time: float = Field(
        ge=0,
        description="Seconds from a device's first start of a flow to its first completion after that, on average.",
    )


class DayView(ResponseModel):
    """The figures of one day."""

    date: Annotated[
        date, Field(description="A UTC day. The days ascend, zeros included; events count on their own day.")
    ]
    users: Count = Field(description="Distinct device ids.")
    completions: Count = Field(description="Users who completed a flow on that day.")
    completion_rate: CompletionRate


class FlowPerformanceView(ResponseModel):
    """The figures of one flow."""

    flow_id: str
    flow_name: str | None
    users: Count = Field(description="Users of the flow in the period, by which the list descends.")
    completion_rate: CompletionRate


class StatisticsView(ResponseModel):
    """All of them."""

    overview: OverviewView
    daily_stats: Sequence[DayView]
    flow_performance: Sequence[FlowPerformanceView]
