"""The statistics of a project over a period, read from its rollups (contract, section 3, Statistics, defined).

In a range of days (the period, or one day of it) a device *used* the project when it has any event or exposure in it,
*started* when it started any flow in it, and *completed* when it both started and completed the same flow in it; so
every rate is between 0 and 1. A day's `completions` are the devices that completed any flow on that day, whenever they
had started it. The mean completion time is over each device's first completion of a flow, where it lies in the period
and has a start before it.
"""

from collections import defaultdict
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap
from sqlalchemy import select
from sqlalchemy.orm import Session

from management_api.analytics.dates import DateRange
from management_api.analytics.schemas import (
    DayView,
    FlowPerformanceView,
    OverviewView,
    StatisticsPart,
    StatisticsView,
)
from management_api.auth.access import Caller, check_may_read
from management_api.db.models.flows import Flow
from management_api.rollups.checkpoints import Checkpoint, find_checkpoint
from management_api.rollups.flow_completion import FlowCompletion, completion_rate
from management_api.rollups.reading import DaysToRead, LeastTimes, earliest, read_rollups, union
from management_api.rollups.rollup import COMPLETED, DAY_MS, STARTED, Breakdown, set_of
from management_api.rollups.storage import day_of

#: By flow; None stands for events that name no flow.
_Completions = defaultdict[str | None, FlowCompletion]


def project_statistics(
    session: Session, caller: Caller, project_id: str, dates: DateRange, part: StatisticsPart | None = None
) -> StatisticsView:
    """Return the statistics of a project: days ascending without gaps, flows by users descending.

    Raises ProjectNotFoundError, ForbiddenError.
    """
    check_may_read(session, caller, project_id)
    checkpoint = find_checkpoint(session, project_id, dates.first)
    users, new_users = _read_users(session, project_id, dates, checkpoint)
    flows, days, seconds = _read_completions(session, project_id, dates, checkpoint)
    has_series = part is StatisticsPart.SERIES
    return StatisticsView(
        overview=OverviewView(
            total_users=len(BitMap().union(*users.values())),
            new_users=sum(new_users.values()),
            completion_rate=completion_rate(flows.values()),
            avg_completion_time=seconds.mean(),
        ),
        daily_stats=[
            DayView(
                date=day,
                users=len(users.get(day, ())),
                completions=len(BitMap().union(*(flow.completed for flow in days[day].values()))),
                completion_rate=completion_rate(days[day].values()),
                new_users=new_users.get(day, 0) if has_series else None,
                avg_completion_time=seconds.mean_of(day) if has_series else None,
            )
            for day in dates.days
        ],
        flow_performance=_flow_performance(session, project_id, dates, flows),
    )


def _read_users(
    session: Session, project_id: str, dates: DateRange, checkpoint: Checkpoint | None
) -> tuple[dict[date, BitMap], dict[date, int]]:
    """Return the devices of each day, and the number of them that were never seen before that day."""
    breakdowns = (Breakdown.ALL, Breakdown.EXPOSURE)
    seen = BitMap() if checkpoint is None else checkpoint.devices
    days: defaultdict[date, list[BitMap]] = defaultdict(list)
    for day, rollup in read_rollups(session, ("day",), project_id, breakdowns, _until_last(dates, checkpoint), {}):
        if day >= dates.first:
            days[day].append(rollup.devices)
        else:
            seen |= rollup.devices
    users = {day: union(sets) for day, sets in days.items()}
    new_users = {}
    for day in sorted(users):
        new_users[day] = users[day].difference_cardinality(seen)
        seen |= users[day]
    return users, new_users


def _read_completions(
    session: Session, project_id: str, dates: DateRange, checkpoint: Checkpoint | None
) -> tuple[_Completions, defaultdict[date, _Completions], "_CompletionTimes"]:
    """Return the completions of all days and of each day, and the times of those that ended in the dates.

    A first start or completion may lie before the dates, so all earlier days are read, back to the checkpoint.
    """
    flows = _Completions(FlowCompletion)
    days: defaultdict[date, _Completions] = defaultdict(lambda: _Completions(FlowCompletion))
    times: defaultdict[tuple[str, str], LeastTimes] = defaultdict(LeastTimes)
    for day, event_type, flow_id, rollup in read_rollups(
        session,
        ("day", "event_type", "flow_id"),
        project_id,
        (Breakdown.FLOW,),
        _until_last(dates, checkpoint),
        {"event_type": (STARTED, COMPLETED)},
        with_times=True,
    ):
        if day >= dates.first:
            flows[flow_id].add(event_type, rollup.devices)
            days[day][flow_id].add(event_type, rollup.devices)
        if rollup.times is not None:
            times[flow_id, event_type].add(day_of(day) * DAY_MS, rollup)
    return flows, days, _completion_times(times, dates, checkpoint)


def _until_last(dates: DateRange, checkpoint: Checkpoint | None) -> DaysToRead:
    """Return all days to the last one, as far as the checkpoint does not cover them."""
    return DaysToRead(date.min, dates.last, None if checkpoint is None else checkpoint.covered)


class _CompletionTimes(NamedTuple):
    """The number of completions of each day of a range, and their milliseconds from the start."""

    first: date
    counts: NDArray[np.int64]
    total_ms: NDArray[np.int64]

    def mean(self) -> float:
        """Return the mean time of all days in seconds, 0 without a completion."""
        count = int(self.counts.sum())
        return int(self.total_ms.sum()) / count / 1000 if count else 0.0

    def mean_of(self, day: date) -> float | None:
        """Return the mean time of the completions of a day in seconds, None without any."""
        number = (day - self.first).days
        count = int(self.counts[number])
        return int(self.total_ms[number]) / count / 1000 if count else None


def _completion_times(
    times: defaultdict[tuple[str, str], LeastTimes], dates: DateRange, checkpoint: Checkpoint | None
) -> _CompletionTimes:
    """Return the times from start to completion, by flow and device, of the completions in the dates."""
    days, start_ms = len(dates.days), day_of(dates.first) * DAY_MS
    counts, total_ms = np.zeros(days, np.int64), np.zeros(days, np.int64)
    for flow_id in {flow_id for flow_id, event_type in times if event_type == COMPLETED}:
        first_completed, first_started = times[flow_id, COMPLETED].first(), times[flow_id, STARTED].first()
        moments = first_completed.moments
        counted = set_of(first_completed.numbers[(moments >= start_ms) & (moments < start_ms + days * DAY_MS)])
        if checkpoint is not None and counted:
            flow = checkpoint.flow(flow_id)
            counted -= flow.completed
            first_started = earliest([first_started.only(counted), flow.starts(counted)])
        started, completed = first_started.in_both(first_completed.only(counted))
        is_later = started <= completed
        numbers = (completed[is_later] - start_ms) // DAY_MS
        np.add.at(counts, numbers, 1)
        np.add.at(total_ms, numbers, (completed - started)[is_later])
    return _CompletionTimes(dates.first, counts, total_ms)


def _flow_performance(
    session: Session, project_id: str, dates: DateRange, completions: _Completions
) -> list[FlowPerformanceView]:
    """Return the users and the completion rate of each flow with users; a flow that was deleted has no name."""
    users: defaultdict[str, list[BitMap]] = defaultdict(list)
    breakdowns = (Breakdown.FLOW, Breakdown.EXPOSURE)
    days = DaysToRead(dates.first, dates.last)
    for flow_id, rollup in read_rollups(session, ("flow_id",), project_id, breakdowns, days, {}):
        if flow_id is not None:
            users[flow_id].append(rollup.devices)
    rows = session.execute(select(Flow.id, Flow.name).where(Flow.project_id == project_id))
    names = {row.id: row.name for row in rows}
    flows = [
        FlowPerformanceView(
            flow_id=flow_id,
            flow_name=names.get(flow_id),
            users=len(union(sets)),
            completion_rate=completion_rate([completions[flow_id]]),
        )
        for flow_id, sets in users.items()
    ]
    return sorted(flows, key=lambda flow: (-flow.users, flow.flow_id))
