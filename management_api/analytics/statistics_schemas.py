"""Statistics of a project in queries and responses (contract, section 3, Statistics)."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from management_api.analytics.dates import Period
from management_api.http.fields import one_of
from management_api.http.requests import RequestModel
from management_api.http.responses import CompletionRate, Count, ResponseModel, is_none


class StatisticsPart(StrEnum):
    """The parts of statistics that are left out unless they are requested."""

    SERIES = "series"


class StatisticsQuery(RequestModel):
    """GET /projects/{project_id}/stats."""

    period: Annotated[Period, one_of(Period)] = Period.WEEK
    include: Annotated[StatisticsPart, one_of(StatisticsPart)] | None = Field(
        default=None, description="`series`: each day has `new_users` and `avg_completion_time` too."
    )


class OverviewView(ResponseModel):
    """The statistics of the whole period."""

    total_users: Count = Field(description="Users with any event or exposure in the period.")
    new_users: Count = Field(description="Users who were first seen inside the period.")
    completion_rate: CompletionRate
    avg_completion_time: float = Field(
        ge=0,
        description="Seconds from a device's first start of a flow to its first completion after that, on average.",
    )


class DayView(ResponseModel):
    """The statistics of one day."""

    date: Annotated[
        date, Field(description="A UTC day. The days ascend, zeros included; events count on their own day.")
    ]
    users: Count = Field(description="Distinct device ids.")
    completions: Count = Field(description="Users who completed a flow on that day.")
    completion_rate: CompletionRate
    new_users: Count | None = Field(
        default=None, exclude_if=is_none, description="Users who were first seen on that day; with `include=series`."
    )
    avg_completion_time: float | None = Field(
        default=None,
        ge=0,
        exclude_if=is_none,
        description="As in the overview, of the completions of that day; with `include=series`, on days with any.",
    )


class FlowPerformanceView(ResponseModel):
    """The statistics of one flow."""

    flow_id: str
    flow_name: str | None
    users: Count = Field(description="Users of the flow in the period, by which the list descends.")
    completion_rate: CompletionRate


class StatisticsView(ResponseModel):
    """The statistics of a project in a period."""

    overview: OverviewView
    daily_stats: Sequence[DayView]
    flow_performance: Sequence[FlowPerformanceView]
