"""A project's statistics over a period, read from the rollups (contract, section 3, Statistics, defined).

How the definitions are read here. In a window (the period, or one day of it) a device *used* the project when it has
any activity in the window, *started* when it started any flow in the window, and *completed* when it both started and
completed one same flow in the window; so every rate is between 0 and 1. A day's `completions` are the devices that
completed any flow on that day, wherever they had started it. The mean completion time is over the journeys whose
first completion lies in the period, leaving out those that have no start before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Subquery, and_, func, select
from sqlalchemy.orm import Session

from management_api.database.flows import Flow
from management_api.database.statistics import DailyActivity, Device, FlowJourney
from management_api.operations.callers import Caller
from management_api.operations.periods import Window
from management_api.operations.project_access import check_may_read


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of the whole period; `avg_completion_time` is in seconds, 0 when nobody completed."""

    total_users: int
    new_users: int
    completion_rate: float
    avg_completion_time: float


@dataclass(frozen=True, slots=True)
class DayStatistics:
    """The figures of one UTC day."""

    date: date
    users: int = 0
    completions: int = 0
    completion_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class FlowPerformance:
    """The figures of one flow over the period; a flow that is gone has no name any more."""

    flow_id: str
    flow_name: str | None
    users: int
    completion_rate: float


@dataclass(frozen=True, slots=True)
class ProjectStatistics:
    """All of it: days ascending without gaps, flows by users descending."""

    overview: Overview
    daily_stats: Sequence[DayStatistics]
    flow_performance: Sequence[FlowPerformance]


def project_statistics(session: Session, caller: Caller, project_id: str, window: Window) -> ProjectStatistics:
    """Give the statistics of a project. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    return ProjectStatistics(
        overview=_overview(session, project_id, window),
        daily_stats=_daily_stats(session, project_id, window),
        flow_performance=_flow_performance(session, project_id, window),
    )


def _rate(completed: int, started: int) -> float:
    return completed / started if started else 0.0


def _journeys_within(project_id: str, window: Window) -> Subquery:
    """Say of each (flow, device) of the window whether the device started and completed that flow within it."""
    return (
        select(
            DailyActivity.flow_id,
            DailyActivity.device_id,
            func.bool_or(DailyActivity.starts > 0).label("started"),
            and_(func.bool_or(DailyActivity.starts > 0), func.bool_or(DailyActivity.completions > 0)).label(
                "completed"
            ),
        )
        .where(DailyActivity.project_id == project_id, DailyActivity.day.between(window.first, window.last))
        .group_by(DailyActivity.flow_id, DailyActivity.device_id)
        .subquery()
    )


def _overview(session: Session, project_id: str, window: Window) -> Overview:
    journeys = _journeys_within(project_id, window)
    devices = (
        select(func.bool_or(journeys.c.started).label("started"), func.bool_or(journeys.c.completed).label("completed"))
        .group_by(journeys.c.device_id)
        .subquery()
    )
    users, started, completed = session.execute(
        select(
            func.count(), func.count().filter(devices.c.started), func.count().filter(devices.c.completed)
        ).select_from(devices)
    ).one()
    new_users = session.scalar(
        select(func.count()).where(
            Device.project_id == project_id, Device.first_seen_at >= window.start, Device.first_seen_at < window.end
        )
    )
    return Overview(users, new_users or 0, _rate(completed, started), _mean_seconds(session, project_id, window))


def _mean_seconds(session: Session, project_id: str, window: Window) -> float:
    duration = FlowJourney.first_completed_at - FlowJourney.first_started_at
    mean = session.scalar(
        select(func.avg(func.extract("epoch", duration))).where(
            FlowJourney.project_id == project_id,
            FlowJourney.first_completed_at >= window.start,
            FlowJourney.first_completed_at < window.end,
            FlowJourney.first_started_at <= FlowJourney.first_completed_at,
        )
    )
    return float(mean or 0)


def _daily_stats(session: Session, project_id: str, window: Window) -> list[DayStatistics]:
    devices = (
        select(
            DailyActivity.day,
            func.bool_or(DailyActivity.starts > 0).label("started"),
            func.bool_or(and_(DailyActivity.starts > 0, DailyActivity.completions > 0)).label("completed_as_started"),
            func.bool_or(DailyActivity.completions > 0).label("completed"),
        )
        .where(DailyActivity.project_id == project_id, DailyActivity.day.between(window.first, window.last))
        .group_by(DailyActivity.day, DailyActivity.device_id)
        .subquery()
    )
    rows = session.execute(
        select(
            devices.c.day,
            func.count(),
            func.count().filter(devices.c.completed),
            func.count().filter(devices.c.completed_as_started),
            func.count().filter(devices.c.started),
        ).group_by(devices.c.day)
    )
    figures = {
        day: DayStatistics(day, users, completions, _rate(completed, started))
        for day, users, completions, completed, started in rows
    }
    return [figures.get(day, DayStatistics(day)) for day in window.days]


def _flow_performance(session: Session, project_id: str, window: Window) -> list[FlowPerformance]:
    journeys = _journeys_within(project_id, window)
    users = func.count()
    rows = session.execute(
        select(
            journeys.c.flow_id,
            Flow.name,
            users,
            func.count().filter(journeys.c.completed),
            func.count().filter(journeys.c.started),
        )
        .outerjoin(Flow, and_(Flow.id == journeys.c.flow_id, Flow.project_id == project_id))
        .where(journeys.c.flow_id != "")
        .group_by(journeys.c.flow_id, Flow.name)
        .order_by(users.desc(), journeys.c.flow_id)
    )
    return [
        FlowPerformance(flow_id, name, count, _rate(completed, started))
        for flow_id, name, count, completed, started in rows
    ]
