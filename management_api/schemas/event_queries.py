"""The queries of the analytics: which events, of which days (contract, section 3)."""

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from common.errors import Detail, InvalidRequestError
from management_api.operations.analytics import GroupBy
from management_api.operations.event_filters import EventFilter
from management_api.operations.funnels import FunnelRequest
from management_api.operations.periods import Period, Window
from management_api.schemas.page_query import PageQuery
from management_api.schemas.parsing import RequestModel
from management_api.schemas.rules import Rule
from management_api.schemas.texts import REQUIRED, EventTypeText, IdText, complaint
from management_api.schemas.values import one_of

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
        raise complaint("must be a date, as 2026-11-20")
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

    def window(self, today: date) -> Window:
        """Give the days, those of the last week when nothing is said. Raises InvalidRequestError."""
        return self.given_window(today) or Window.of(Period.WEEK, today)

    def given_window(self, today: date) -> Window | None:
        """Give the days that are asked for, if any are. Raises InvalidRequestError."""
        if self.first is None and self.to is None:
            return None if self.period is None else Window.of(self.period, today)
        if self.period is not None:
            raise InvalidRequestError([Detail.invalid("period", "must not be given together with from and to")])
        if self.first is None or self.to is None:
            raise InvalidRequestError([Detail.missing("from" if self.first is None else "to")])
        if self.first > self.to:
            raise InvalidRequestError([Detail.invalid("from", "must not be after to")])
        window = Window(self.first, self.to)
        if len(window.days) > MAX_DAYS:
            raise InvalidRequestError([Detail.invalid("to", f"must be less than {MAX_DAYS} days after from")])
        return window


class EventFilterQuery(PeriodQuery):
    """Base of what is asked of a project's events; a filter that is left out does not narrow them."""

    spellings: ClassVar[Mapping[str, str]] = {
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

    def filter(self, window: Window | None) -> EventFilter:
        """Give which events are wanted."""
        return EventFilter(
            project_id=self.project_id,
            window=window,
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

    spellings: ClassVar[Mapping[str, str]] = {
        "projectId": "project_id",
        "flowId": "flow_id",
        "experimentId": "experiment_id",
    }

    flow_id: Annotated[IdText, REQUIRED]
    experiment_id: IdText | None = None
    project_id: IdText | None = None

    def request(self, window: Window) -> FunnelRequest:
        """Give which funnel is wanted."""
        return FunnelRequest(self.flow_id, window, self.experiment_id, self.project_id)
