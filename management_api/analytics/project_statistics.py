"""The statistics of a project over a period, read from its rollups (contract, section 3, Statistics, defined).

In a range of days (the period, or one day of it) a device *used* the project when it has any event or exposure in it,
*started* when it started any flow in it, and *completed* when it both started and completed the same flow in it; so
every rate is between 0 and 1. A day's `completions` are the devices that completed any flow on that day, whenever they
had started it. The mean completion time is over the completions that lie in the period and have a start before them.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pyroaring import BitMap
from sqlalchemy import select
from sqlalchemy.orm import Session

from management_api.analytics.filters import DateRange
from management_api.auth.access import Caller, check_may_read
from management_api.db.models.flows import Flow
from management_api.rollups.flow_completion import FlowCompletion, completion_rate
from management_api.rollups.reading import DailyFirstSeen, cell_rows, union
from management_api.rollups.rollup import COMPLETED, DAY_MS, STARTED, Breakdown
from management_api.rollups.storage import day_of


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


#: The cells of flows but for those of journeys, which are read anyway; exposures have no type.
_NO_JOURNEYS = f"AND flow_id IS NOT NULL AND coalesce(event_type NOT IN ('{STARTED}', '{COMPLETED}'), true)"

#: By flow; None stands for events that name no flow.
_Journeys = defaultdict[str | None, FlowCompletion]


def project_statistics(session: Session, caller: Caller, project_id: str, dates: DateRange) -> ProjectStatistics:
    """Give the statistics of a project. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    users, new_users = _users(session, project_id, dates)
    total = len(BitMap.union(*users.values())) if users else 0
    whole, days, seconds = _journeys(session, project_id, dates)
    return ProjectStatistics(
        overview=Overview(total, new_users, completion_rate(whole.values()), seconds),
        daily_stats=[
            DayStatistics(day, len(users.get(day, ())), _completions(days[day]), completion_rate(days[day].values()))
            for day in dates.days
        ],
        flow_performance=_flow_performance(session, project_id, dates, whole),
    )


def _users(session: Session, project_id: str, dates: DateRange) -> tuple[dict[date, BitMap], int]:
    """Give the devices of each day, and how many of them were never there before."""
    rows = cell_rows(session, "day, devices", project_id, (Breakdown.ALL, Breakdown.EXPOSURE), (None, dates.last))
    before: list[bytes] = []
    days: defaultdict[date, list[bytes]] = defaultdict(list)
    for day, devices in rows:
        (days[day] if day >= dates.first else before).append(devices)
    users = {day: union(sets) for day, sets in days.items()}
    everyone = BitMap.union(*users.values()) if users else BitMap()
    return users, everyone.difference_cardinality(union(before))


def _journeys(
    session: Session, project_id: str, dates: DateRange
) -> tuple[_Journeys, defaultdict[date, _Journeys], float]:
    """Give the journeys of all days and of each day, and the mean time of those that ended in them.

    A first start or completion may lie before them, so all days are read.
    """
    whole, days = _Journeys(FlowCompletion), defaultdict[date, _Journeys](lambda: _Journeys(FlowCompletion))
    moments: defaultdict[tuple[str, str], DailyFirstSeen] = defaultdict(DailyFirstSeen)
    rows = cell_rows(
        session,
        "day, event_type, flow_id, devices, moments",
        project_id,
        (Breakdown.FLOW,),
        (None, dates.last),
        {"event_type": (STARTED, COMPLETED)},
    )
    for day, event_type, flow_id, stored, first in rows:
        devices = BitMap.deserialize(stored)
        if day >= dates.first:
            whole[flow_id].add(event_type, devices)
            days[day][flow_id].add(event_type, devices)
        if first is not None:
            moments[flow_id, event_type].add(day_of(day) * DAY_MS, devices, first)
    return whole, days, _mean_seconds(moments, dates)


def _completions(journeys: _Journeys) -> int:
    """Count the devices that completed anything."""
    completed = [flow.completed for flow in journeys.values()]
    return len(BitMap.union(*completed)) if completed else 0


def _mean_seconds(moments: defaultdict[tuple[str, str], DailyFirstSeen], dates: DateRange) -> float:
    count, total_ms = 0, 0
    start_ms, end_ms = day_of(dates.first) * DAY_MS, (day_of(dates.last) + 1) * DAY_MS
    for flow_id in {flow_id for flow_id, _ in moments}:
        started, completed = moments[flow_id, STARTED].first().until(moments[flow_id, COMPLETED].first())
        counted = (completed >= start_ms) & (completed < end_ms) & (started <= completed)
        count += int(counted.sum())
        total_ms += int((completed - started)[counted].sum())
    return total_ms / count / 1000 if count else 0.0


def _flow_performance(
    session: Session, project_id: str, dates: DateRange, journeys: _Journeys
) -> list[FlowPerformance]:
    breakdowns, days = (Breakdown.FLOW, Breakdown.EXPOSURE), (dates.first, dates.last)
    sets = {
        flow_id: [journey.started, journey.completed] for flow_id, journey in journeys.items() if flow_id is not None
    }
    for flow_id, devices in cell_rows(session, "flow_id, devices", project_id, breakdowns, days, tail=_NO_JOURNEYS):
        sets.setdefault(flow_id, []).append(BitMap.deserialize(devices))
    rows = session.execute(select(Flow.id, Flow.name).where(Flow.project_id == project_id))
    names = {row.id: row.name for row in rows}
    found = [
        FlowPerformance(flow_id, names.get(flow_id), len(BitMap.union(*devices)), completion_rate((journeys[flow_id],)))
        for flow_id, devices in sets.items()
    ]
    return sorted(found, key=lambda flow: (-flow.users, flow.flow_id))
