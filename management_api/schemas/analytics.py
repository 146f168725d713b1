"""Analytics as the interface shows them (contract, section 3, Shapes of data)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import Field

from management_api.operations.analytics import Analytics, GroupBy
from management_api.operations.funnels import Funnel, FunnelAnalysis, FunnelScreen
from management_api.operations.periods import Window
from management_api.schemas.envelope import ResponseModel, Timestamp

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
    def of(cls, project_id: str, window: Window, group_by: GroupBy, analytics: Analytics) -> "AnalyticsView":
        """Show a breakdown."""
        key = KEY_OF[group_by]
        return cls(
            project_id=project_id,
            first=window.first,
            to=window.last,
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
    def of(cls, flow_id: str, window: Window, analysis: FunnelAnalysis) -> "FunnelView":
        """Show a funnel."""
        return cls(
            flow_id=flow_id,
            first=window.first,
            to=window.last,
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
