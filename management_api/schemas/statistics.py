"""A project's statistics as the interface asks for and shows them (contract, section 3)."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from management_api.operations.periods import Period
from management_api.schemas.envelope import ResponseModel
from management_api.schemas.parsing import RequestModel
from management_api.schemas.values import one_of


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
