"""Analytics in queries and responses (contract, section 3)."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from common.errors import Detail, InvalidRequestError
from management_api.analytics.breakdown import Analytics, GroupBy
from management_api.analytics.filters import DateRange, EventFilter, Period
from management_api.analytics.funnel import Funnel, FunnelAnalysis, FunnelRequest, FunnelScreen
from management_api.http.fields import REQUIRED, EventTypeText, IdText, Rule, field_error, one_of
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import ResponseModel, Timestamp

#: A hundred years: whatever is counted can be asked for at once, since events are of the year 2000 at the earliest.
MAX_DAYS = 36_525
_YEARS = range(2000, 3000)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _day(value: object) -> date:
    try:
        day = date.fromisoformat(value) if isinstance(value, str) and _DAY.fullmatch(value) else None
    except ValueError:
        day = None
    if day is None or day.year not in _YEARS:
        raise field_error("must be a date, as 2026-11-20")
    return day


_DAY_SCHEMA = {
    "type": "string",
    "format": "date",
    "description": (
        "A UTC day from the year 2000 on. `from` and `to` come together, both included, less than "
        f"{MAX_DAYS} days apart, and without `period`"
    ),
    "examples": ["2026-11-20"],
}
Day = Annotated[date, Rule(_day, _DAY_SCHEMA)]


class EventPlatform(StrEnum):
    """The platforms that an event may have."""

    IOS = "ios"
    ANDROID = "android"


class PeriodQuery(RequestModel):
    """Base of what is asked of a run of UTC days: a period that ends today, or the first and the last day."""

    period: Annotated[Period, one_of(Period)] | None = None
    first: Annotated[Day | None, Field(alias="from")] = None
    to: Day | None = None

    def dates(self, today: date) -> DateRange:
        """Give the days, those of the last week when nothing is said. Raises InvalidRequestError."""
        return self.requested_dates(today) or DateRange.from_period(Period.WEEK, today)

    def requested_dates(self, today: date) -> DateRange | None:
        """Give the days that are asked for, if any are. Raises InvalidRequestError."""
        if self.first is None and self.to is None:
            return None if self.period is None else DateRange.from_period(self.period, today)
        if self.period is not None:
            raise InvalidRequestError([Detail.invalid("period", "must not be given together with from and to")])
        if self.first is None or self.to is None:
            raise InvalidRequestError([Detail.missing("from" if self.first is None else "to")])
        if self.first > self.to:
            raise InvalidRequestError([Detail.invalid("from", "must not be after to")])
        dates = DateRange(self.first, self.to)
        if len(dates.days) > MAX_DAYS:
            raise InvalidRequestError([Detail.invalid("to", f"must be less than {MAX_DAYS} days after from")])
        return dates


class EventFilterQuery(PeriodQuery):
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

    def filter(self, dates: DateRange | None) -> EventFilter:
        """Give which events are wanted."""
        return EventFilter(
            project_id=self.project_id,
            dates=dates,
            flow_id=self.flow_id,
            experiment_id=self.experiment_id,
            event_type=self.event_type,
            platform=self.platform,
        )


class AnalyticsQuery(EventFilterQuery):
    """GET /analytics."""

    group_by: Annotated[GroupBy, one_of(GroupBy)] = GroupBy.DAY


class EventListQuery(PageQuery, EventFilterQuery):
    """GET /analytics/events."""

    #: All mean the event's own time: it has no other that a list could be sorted by through an index.
    sortable = frozenset({"timestamp", "created_at", "updated_at"})
    default_sort = "-timestamp"


class FunnelQuery(PeriodQuery):
    """GET /analytics/funnel; the flow says which project it is, so that one need not be named."""

    aliases: ClassVar[Mapping[str, str]] = {
        "projectId": "project_id",
        "flowId": "flow_id",
        "experimentId": "experiment_id",
    }

    flow_id: Annotated[IdText, REQUIRED]
    experiment_id: IdText | None = None
    project_id: IdText | None = None

    def request(self, dates: DateRange) -> FunnelRequest:
        """Give which funnel is wanted."""
        return FunnelRequest(self.flow_id, dates, self.experiment_id, self.project_id)


#: What a row calls the thing that is grouped by.
KEY_OF: Mapping[GroupBy, str] = {
    GroupBy.DAY: "date",
    GroupBy.EVENT_TYPE: "event_type",
    GroupBy.FLOW: "flow_id",
    GroupBy.SCREEN: "screen_id",
    GroupBy.VARIANT: "variant",
    GroupBy.PLATFORM: "platform",
}


class CountView(ResponseModel):
    """Events, and the distinct devices that they are of."""

    events: int
    users: int


class AnalyticsView(ResponseModel):
    """A breakdown; besides `events` and `users` each row has the one member that says what it is about."""

    project_id: str
    first: date = Field(serialization_alias="from")
    to: date
    group_by: GroupBy
    totals: CountView
    rows: Sequence[dict[str, date | str | int | None]]

    @classmethod
    def of(cls, project_id: str, dates: DateRange, group_by: GroupBy, analytics: Analytics) -> "AnalyticsView":
        """Show a breakdown."""
        key = KEY_OF[group_by]
        return cls(
            project_id=project_id,
            first=dates.first,
            to=dates.last,
            group_by=group_by,
            totals=CountView.model_validate(analytics.totals),
            rows=[{key: row.key, "events": row.count.events, "users": row.count.users} for row in analytics.rows],
        )


class FunnelScreenView(ResponseModel):
    """The figures of one screen."""

    screen_id: str
    type: str
    name: str | None
    order: int
    reached: int
    completed: int
    drop_off: int
    drop_off_rate: float
    median_seconds: float | None

    @classmethod
    def of(cls, screen: FunnelScreen) -> "FunnelScreenView":
        """Show a screen."""
        visits = screen.visits
        return cls(
            screen_id=screen.screen_id,
            type=screen.type,
            name=screen.name,
            order=screen.order,
            reached=visits.reached,
            completed=visits.completed,
            drop_off=visits.drop_off,
            drop_off_rate=visits.drop_off_rate,
            median_seconds=visits.median_seconds,
        )


class VariantFunnelView(ResponseModel):
    """The figures of one variant; null are the events of the experiment that name none."""

    variant: str | None
    started: int
    completed: int
    completion_rate: float
    screens: Sequence[FunnelScreenView]

    @classmethod
    def of(cls, funnel: Funnel) -> "VariantFunnelView":
        """Show the funnel of a variant."""
        return cls(variant=funnel.variant, **_figures(funnel))


class FunnelView(ResponseModel):
    """The figures of a flow and its screens; `variants` is null unless an experiment was asked for."""

    flow_id: str
    first: date = Field(serialization_alias="from")
    to: date
    started: int
    completed: int
    completion_rate: float
    screens: Sequence[FunnelScreenView]
    variants: Sequence[VariantFunnelView] | None

    @classmethod
    def of(cls, flow_id: str, dates: DateRange, analysis: FunnelAnalysis) -> "FunnelView":
        """Show a funnel."""
        return cls(
            flow_id=flow_id,
            first=dates.first,
            to=dates.last,
            **_figures(analysis.whole),
            variants=None if analysis.variants is None else [VariantFunnelView.of(one) for one in analysis.variants],
        )


def _figures(funnel: Funnel) -> dict[str, Any]:
    return {
        "started": funnel.started,
        "completed": funnel.completed,
        "completion_rate": funnel.completion_rate,
        "screens": [FunnelScreenView.of(screen) for screen in funnel.screens],
    }


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

    total_users: int
    new_users: int
    completion_rate: float
    avg_completion_time: float


class DayView(ResponseModel):
    """The figures of one day."""

    date: date
    users: int
    completions: int
    completion_rate: float


class FlowPerformanceView(ResponseModel):
    """The figures of one flow."""

    flow_id: str
    flow_name: str | None
    users: int
    completion_rate: float


class StatisticsView(ResponseModel):
    """All of them."""

    overview: OverviewView
    daily_stats: Sequence[DayView]
    flow_performance: Sequence[FlowPerformanceView]
