"""How users came through the screens of one flow in a period (contract, section 3, Analytics).

A user is a distinct device id, and every figure is of the period alone. *Started* and *completed* are the users with
`flow_started` of the flow, and those of them with `flow_completed` of it too, so that the rate never exceeds 1. A
screen is *reached* by the users with `screen_viewed` or `screen_completed` of it and *completed* by those with the
latter, whatever flow these events name, since a screen is in one flow only; `median_seconds` is the median, over the
users with both, of the first completion minus the first view, of whatever sign. With an experiment only its events
count, and each variant has a funnel of its own.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, and_, extract, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from common.errors import FlowNotFoundError
from management_api.database.events import Event
from management_api.database.screens import Screen
from management_api.operations.callers import Caller
from management_api.operations.event_filters import EventFilter
from management_api.operations.periods import Window
from management_api.operations.project_parts import FLOW, part_to_read

#: What a funnel is split by: nothing, or the variants of an experiment.
Split = tuple[InstrumentedAttribute[Any], ...]
#: Id, type, name and order of a screen.
ScreenRow = Row[str, str, str | None, int]


@dataclass(frozen=True, slots=True)
class FunnelRequest:
    """Which funnel is wanted; `project_id` (None: whichever it is) must be the flow's."""

    flow_id: str
    window: Window
    experiment_id: str | None = None
    project_id: str | None = None


@dataclass(frozen=True, slots=True)
class Visits:
    """The users of one screen; `median_seconds` is None when nobody both saw and completed it."""

    reached: int = 0
    completed: int = 0
    median_seconds: float | None = None

    @property
    def drop_off(self) -> int:
        """How many reached it and did not complete it."""
        return self.reached - self.completed

    @property
    def drop_off_rate(self) -> float:
        """Their share of those who reached it (0..1)."""
        return self.drop_off / self.reached if self.reached else 0.0


@dataclass(frozen=True, slots=True)
class FunnelScreen:
    """A screen of the flow, as it is now, and its users."""

    screen_id: str
    type: str
    name: str | None
    order: int
    visits: Visits


@dataclass(frozen=True, slots=True)
class Funnel:
    """The users of a flow, and those of its screens; `variant` is what the funnel is of, if it is of one."""

    started: int
    completed: int
    screens: Sequence[FunnelScreen]
    variant: str | None = None

    @property
    def completion_rate(self) -> float:
        """The share of those who started (0..1)."""
        return self.completed / self.started if self.started else 0.0


@dataclass(frozen=True, slots=True)
class FunnelAnalysis:
    """The funnel of all, and one for each variant (None when no experiment was asked for) in the order of the keys."""

    whole: Funnel
    variants: Sequence[Funnel] | None


def analyse_funnel(session: Session, caller: Caller, wanted: FunnelRequest) -> FunnelAnalysis:
    """Count the users of a flow. Raises FlowNotFoundError, ForbiddenError."""
    flow = part_to_read(session, caller, FLOW, wanted.flow_id)
    if wanted.project_id not in {None, flow.project_id}:
        raise FlowNotFoundError
    screens = session.execute(_screens(flow.id)).all()
    events = EventFilter(flow.project_id, wanted.window, experiment_id=wanted.experiment_id)
    (whole,) = _funnels(session, events, flow.id, screens, ())
    if wanted.experiment_id is None:
        return FunnelAnalysis(whole, None)
    return FunnelAnalysis(whole, _funnels(session, events, flow.id, screens, (Event.variant,)))


def _funnels(
    session: Session, events: EventFilter, flow_id: str, screens: Sequence[ScreenRow], split: Split
) -> list[Funnel]:
    """Give a funnel for each part that the events are split into; unsplit, they are one part, if an empty one."""
    journeys: dict[str | None, tuple[int, int]] = {}
    for *part, started, completed in session.execute(_journeys(events, flow_id, split), events.values()):
        journeys[part[0] if part else None] = (started, completed)
    visits: dict[str | None, dict[str, Visits]] = defaultdict(dict)
    for *part, screen_id, reached, completed, median in session.execute(
        _visits(events, screens, split), events.values()
    ):
        visits[part[0] if part else None][screen_id] = Visits(reached, completed, median)
    return [
        Funnel(
            *journeys.get(part, (0, 0)),
            screens=[FunnelScreen(*screen, visits[part].get(screen.id, Visits())) for screen in screens],
            variant=part,
        )
        for part in sorted(journeys.keys() | visits.keys(), key=lambda part: (part is None, part or ""))
    ]


def _screens(flow_id: str) -> Select[str, str, str | None, int]:
    return (
        select(Screen.id, Screen.type, Screen.name, Screen.order)
        .where(Screen.flow_id == flow_id)
        .order_by(Screen.order)
    )


def _journeys(events: EventFilter, flow_id: str, split: Split) -> Select[*tuple[Any, ...]]:
    """Count those who started, and those who started and completed."""
    kinds = ("flow_started", "flow_completed")
    started, completed = (func.bool_or(Event.event_type == kind).label(kind) for kind in kinds)
    devices = (
        select(*split, started, completed)
        .where(*events.clauses(), Event.flow_id == flow_id, Event.event_type.in_(kinds))
        .group_by(*split, Event.device_id)
        .subquery()
    )
    parts = [devices.c[column.key] for column in split]
    both = and_(devices.c.flow_started, devices.c.flow_completed)
    counts = func.count().filter(devices.c.flow_started), func.count().filter(both)
    return select(*parts, *counts).group_by(*parts)


def _visits(events: EventFilter, screens: Sequence[ScreenRow], split: Split) -> Select[*tuple[Any, ...]]:
    """Count those who reached and completed each screen, and take the median of their times."""
    kinds = ("screen_viewed", "screen_completed")
    viewed, completed = (func.min(Event.occurred_at).filter(Event.event_type == kind).label(kind) for kind in kinds)
    devices = (
        select(*split, Event.screen_id, viewed, completed)
        .where(*events.clauses(), Event.screen_id.in_([screen.id for screen in screens]), Event.event_type.in_(kinds))
        .group_by(*split, Event.screen_id, Event.device_id)
        .subquery()
    )
    parts = [*(devices.c[column.key] for column in split), devices.c.screen_id]
    seconds = extract("epoch", devices.c.screen_completed - devices.c.screen_viewed)
    median = func.percentile_cont(0.5).within_group(seconds)
    return select(*parts, func.count(), func.count(devices.c.screen_completed), median).group_by(*parts)
