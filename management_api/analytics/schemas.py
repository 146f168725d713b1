"""Analytics in queries and responses (contract, section 3)."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import orjson
from pydantic import BeforeValidator, Field, WithJsonSchema

from common.errors import Detail, InvalidRequestError
from common.timestamps import format_timestamp
from common.wire.public_responses import ScreenType
from management_api.analytics.dates import DateRange, DatesQuery
from management_api.http.fields import REQUIRED, EventTypeText, IdText, one_of, text_between, text_of_pattern
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import CompletionRate, Count, Fraction, ResponseModel, Timestamp, is_none
from management_api.rollups.rollup import LOCALE_COLUMNS

#: The most days with a row each.
MAX_ROWS_BY_DAY = 400


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
    LOCALE = "locale"


#: The member of a row that has the value of its group; but for the days it is the column of the rollups, too.
COLUMN_OF_GROUP: Mapping[GroupBy, str] = {
    GroupBy.DAY: "date",
    GroupBy.EVENT_TYPE: "event_type",
    GroupBy.FLOW: "flow_id",
    GroupBy.SCREEN: "screen_id",
    GroupBy.VARIANT: "variant",
    GroupBy.PLATFORM: "platform",
    GroupBy.LOCALE: "locale",
}


class EventFilterQuery(DatesQuery):
    """Base of queries about a project's events; a filter that is left out does not narrow them."""

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

    def requested_dates(self, today: date) -> DateRange | None:
        """Return the days of the query; by day there is a row for each. Raises InvalidRequestError."""
        dates = super().requested_dates(today)
        if self.group_by is GroupBy.DAY and dates is not None and len(dates.days) > MAX_ROWS_BY_DAY:
            message = f"must be less than {MAX_ROWS_BY_DAY} days after from with group_by=day"
            raise InvalidRequestError([Detail.invalid("to", message)])
        if self.group_by is GroupBy.LOCALE:
            others = sorted(self.column_filters().keys() - LOCALE_COLUMNS)
            if others:
                raise InvalidRequestError(
                    [Detail.invalid(name, "cannot be combined with group_by=locale") for name in others]
                )
        return dates


#: The cursor of the first page.
FIRST_CURSOR = "start"
CursorText = Annotated[str, text_of_pattern("^[A-Za-z0-9_-]{1,1000}$", "must be `start` or the `next` of a page")]


class EventListQuery(PageQuery, EventFilterQuery):
    """GET /analytics/events."""

    #: All mean the event's own time: it has no other that a list could be sorted by through an index.
    sortable = frozenset({"timestamp", "created_at", "updated_at"})
    default_sort = "-timestamp"

    cursor: CursorText | None = Field(
        default=None,
        description=f"`{FIRST_CURSOR}`, or `next` of the page before. In place of `page`, whose number makes it slow.",
    )


class FunnelQuery(DatesQuery):
    """GET /analytics/funnel; the project follows from the flow."""

    aliases: ClassVar[Mapping[str, str]] = {
        "projectId": "project_id",
        "flowId": "flow_id",
        "experimentId": "experiment_id",
    }

    flow_id: Annotated[IdText, REQUIRED]
    experiment_id: IdText | None = None
    project_id: IdText | None = None


class PathsQuery(FunnelQuery):
    """GET /analytics/paths."""

    variant: Annotated[str, text_between(1, 100)] | None = Field(
        default=None, description="A variant of `experimentId`, which it needs."
    )


class ResponsesQuery(FunnelQuery):
    """GET /analytics/responses."""

    platform: Annotated[EventPlatform, one_of(EventPlatform)] | None = None


class CountView(ResponseModel):
    """A number of events, and of their distinct devices."""

    events: int
    users: Count = Field(description="Distinct device ids.")


#: The member that names the group is the one of COLUMN_OF_GROUP.
AnalyticsRow = Annotated[
    dict[str, date | str | int | None],
    WithJsonSchema(
        {
            "type": "object",
            "properties": {
                "date": {"type": "string", "format": "date"},
                **{column: {"type": ["string", "null"]} for column in COLUMN_OF_GROUP.values() if column != "date"},
                "events": {"type": "integer", "minimum": 0},
                "users": {"type": "integer", "minimum": 0, "description": "Distinct device ids."},
            },
            "required": ["events", "users"],
            "additionalProperties": False,
        }
    ),
]


class AnalyticsView(ResponseModel):
    """A breakdown; besides `events` and `users` each row has one member, the group, which null leaves unnamed."""

    project_id: str
    first: date = Field(serialization_alias="from")
    to: date
    group_by: GroupBy
    totals: CountView
    rows: Sequence[AnalyticsRow]


class FunnelScreenView(ResponseModel):
    """The funnel of one screen."""

    screen_id: str
    type: ScreenType
    name: str | None
    order: Count = Field(description="The place in its flow: 0..n-1 without gaps.")
    reached: Count = Field(description="Users with a screen_viewed or screen_completed of the screen.")
    completed: Count = Field(description="Users with a screen_completed of the screen.")
    drop_off: Count = Field(description="Users who reached and did not complete it.")
    drop_off_rate: Fraction = Field(description="The same per user who reached it.")
    entered_from_start_rate: float = Field(
        ge=0, description="Users who reached it per user who started the flow in the period; 0 without a start."
    )
    median_seconds: float | None = Field(description="From first view to first completion; null when there is none.")


class VariantFunnelView(ResponseModel):
    """The funnel of one variant; null is the variant of events that name none."""

    variant: str | None
    started: int
    completed: int
    completion_rate: CompletionRate
    screens: Sequence[FunnelScreenView]


class FunnelView(ResponseModel):
    """The funnel of a flow and its screens; `variants` is null without `experimentId`."""

    flow_id: str
    first: date = Field(serialization_alias="from")
    to: date
    started: Count = Field(description="Users with a flow_started of the flow; a user is a distinct device id.")
    completed: Count = Field(description="Users with a flow_completed of the flow.")
    completion_rate: CompletionRate
    screens: Sequence[FunnelScreenView]
    variants: Sequence[VariantFunnelView] | None


class PathScreenView(ResponseModel):
    """A screen of the paths of a flow."""

    screen_id: str
    name: str | None
    type: ScreenType
    order: Count = Field(description="The place in its flow: 0..n-1 without gaps.")
    reached: Count = Field(description="Users with a screen_viewed or screen_completed of the screen.")


class PathLinkView(ResponseModel):
    """The users who went from one screen to another by one rule."""

    from_screen_id: str | None = Field(description="null is the start of the flow.")
    to_screen_id: str = Field(
        description="A screen, `end` (completed the flow) or `left` (no later screen and no completion)."
    )
    rule: str | None = Field(description="The id of the rule; null is the order of the screens.")
    users: Count = Field(description="Distinct device ids, each by its first visit of the screen in the period.")
    completed: Count = Field(description="Those of the users who completed the flow.")


class PathsView(ResponseModel):
    """The paths of the users through a flow: its screens in order, and its links by users descending."""

    flow_id: str
    first: date = Field(serialization_alias="from")
    to: date
    started: Count = Field(description="Users with a flow_started of the flow; a user is a distinct device id.")
    completed: Count = Field(description="Those of them with a flow_completed of the flow.")
    screens: Sequence[PathScreenView]
    links: Sequence[PathLinkView] = Field(description="The 5000 with the most users.")


class ValueCountView(ResponseModel):
    """A value, and the number of answers with it."""

    value: str = Field(description="The value of an option. The parts of a picker's answer are joined by spaces.")
    count: Count


class NumbersView(ResponseModel):
    """The distribution of numbers; percentiles are interpolated."""

    mean: float
    median: float
    p10: float
    p90: float


class QuestionView(ResponseModel):
    """The answers to one question; it has one of `distribution`, `numbers` and `samples`."""

    screen_id: str
    question: str | None
    question_type: ScreenType
    answers: Count = Field(description="The newest answer of each device and session, without empty ones.")
    distribution: Sequence[ValueCountView] | None = Field(
        default=None,
        exclude_if=is_none,
        description="Of choices and pickers, by count: at most 1000. An answer with several values counts for each.",
    )
    numbers: NumbersView | None = Field(
        default=None,
        exclude_if=is_none,
        description="Of texts, and of pickers of a number, a height or a weight, if all answers are numbers.",
    )
    samples: Sequence[str] | None = Field(
        default=None, exclude_if=is_none, description="The newest 100 texts, each up to 1000 characters."
    )


class ResponsesView(ResponseModel):
    """The answers to the questions of a flow, in the order of its screens."""

    flow_id: str
    first: date = Field(serialization_alias="from")
    to: date
    questions: Sequence[QuestionView]


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
    platform: Annotated[str | None, WithJsonSchema({"enum": [*(platform.value for platform in EventPlatform), None]})]
    app_version: str | None
    locale: str | None = Field(default=None, exclude_if=is_none, description="Left out where it was not given.")
    properties: dict[str, Any]

    def texts(self) -> dict[str, str]:
        """Return the members that a table has as texts."""
        return {
            "timestamp": format_timestamp(self.timestamp),
            "received_at": format_timestamp(self.received_at),
            "properties": orjson.dumps(self.properties).decode(),
        }


class DeviceExportQuery(RequestModel):
    """GET /projects/{project_id}/devices/{device_id}/export."""

    cursor: CursorText | None = Field(default=None, description="`next` of the page before.")


class ExposureView(ResponseModel):
    """The first time that a device was given a flow, by a variant of an experiment or by none."""

    flow_id: str
    experiment_id: Annotated[str | None, BeforeValidator(lambda stored: stored or None)]
    variant: Annotated[str | None, BeforeValidator(lambda stored: stored or None)]
    exposed_at: Timestamp
    platform: str | None


class DeadLetterView(ResponseModel):
    """An event or an exposure of a device that could not be stored."""

    created_at: Timestamp
    reason: str
    record: dict[str, Any] = Field(description="The event or the exposure as the edge has accepted it.")


class DeviceDataView(ResponseModel):
    """A page of the data that a project has of a device."""

    project_id: str
    device_id: str
    qa_flow_id: str | None = Field(
        default=None, description="The flow of the QA override; null without one and on later pages."
    )
    exposures: list[ExposureView] = Field(default=[], description="All exposures; empty on later pages.")
    named_in: list[str] = Field(
        default=[],
        description="The ids of flows and experiments with a condition that names the device, at most 20; empty on"
        " later pages.",
    )
    events: list[EventView] = Field(default=[], description="Answers are in `properties` of `question_answered`.")
    dead_letters: list[DeadLetterView] = Field(default=[])
    next: str | None = Field(default=None, description="The `cursor` of the next page; null on the last page.")
