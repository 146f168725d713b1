"""The statistics of a project over a period, read from its rollups (contract, section 3, Statistics).

In a range of days (the period, or one day of it) a device *used* the project when it has any event or exposure in it,
*started* when it started any flow in it, and *completed* when it both started and completed the same flow in it; so
every rate is between 0 and 1. A day's `completions` are the devices that completed any flow on that day, whenever they
had started it. The mean completion time is over each device's first completion of a flow, where it lies in the period
and has a start before it.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from pyroaring import BitMap
from sqlalchemy import select
from sqlalchemy.orm import Session

from management_api.analytics.dates import DateRange
from management_api.analytics.statistics_schemas import (
    DayView,
    FlowPerformanceView,
    OverviewView,
    StatisticsPart,
    StatisticsView,
)
from management_api.auth.access import Caller, check_may_read
from management_api.db.models.flows import Flow
from management_api.rollups.checkpoints import Checkpoint, find_checkpoint
from management_api.rollups.flow_completion import CompletionRate, FlowCompletion
from management_api.rollups.reading import DaysToRead, DeviceUnion, FirstMoments, FirstSeen, earliest, read_rollups
from management_api.rollups.rollup import COMPLETED, DAY_MS, STARTED, Breakdown, Rollup
from management_api.rollups.storage import day_of


def project_statistics(
    session: Session, caller: Caller, project_id: str, dates: DateRange, part: StatisticsPart | None = None
) -> StatisticsView:
    """Return the statistics of a project: days ascending without gaps, flows by users descending.

    Rollups are read several times, each time in another order, so that the devices of one day or one flow are in memory
    at once. Raises ProjectNotFoundError, ForbiddenError.
    """
    check_may_read(session, caller, project_id)
    checkpoint = find_checkpoint(session, project_id, dates.first)
    total_users, users = _read_users(session, project_id, dates, checkpoint)
    completions = _read_completions_by_day(session, project_id, dates)
    rate, flows = _read_flows(session, project_id, dates)
    seconds = _read_completion_times(session, project_id, dates, checkpoint)
    has_series = part is StatisticsPart.SERIES
    return StatisticsView(
        overview=OverviewView(
            total_users=total_users,
            new_users=sum(of_day.new for of_day in users.values()),
            completion_rate=rate,
            avg_completion_time=seconds.mean(),
        ),
        daily_stats=[
            DayView(
                date=day,
                users=users[day].all,
                completions=completions[day].devices,
                completion_rate=completions[day].rate,
                new_users=users[day].new if has_series else None,
                avg_completion_time=seconds.mean_of(day) if has_series else None,
            )
            for day in dates.days
        ],
        flow_performance=flows,
    )


class _Users(NamedTuple):
    """The number of devices of a day, and of those that were never seen before it."""

    all: int = 0
    new: int = 0


def _read_users(
    session: Session, project_id: str, dates: DateRange, checkpoint: Checkpoint | None
) -> tuple[int, defaultdict[date, _Users]]:
    """Return the number of devices of all days, and those of each day."""
    breakdowns = (Breakdown.ALL, Breakdown.EXPOSURE)
    seen = BitMap() if checkpoint is None else checkpoint.devices
    total, users = BitMap(), defaultdict[date, _Users](_Users)
    rollups = read_rollups(session, ("day",), project_id, breakdowns, _until_last(dates, checkpoint), {})
    for day, of_day in groupby(rollups, itemgetter(0)):
        found = DeviceUnion()
        for _, rollup in of_day:
            found.add(rollup.devices)
        devices = found.devices()
        if day >= dates.first:
            users[day] = _Users(len(devices), devices.difference_cardinality(seen))
            total |= devices
        seen |= devices
    return len(total), users


class _Completions(NamedTuple):
    """The number of devices that completed any flow on a day, and the completion rate."""

    devices: int = 0
    rate: float = 0.0


def _read_completions_by_day(session: Session, project_id: str, dates: DateRange) -> defaultdict[date, _Completions]:
    completions = defaultdict[date, _Completions](_Completions)
    rollups = read_rollups(
        session,
        ("day", "flow_id", "event_type"),
        project_id,
        (Breakdown.FLOW,),
        DaysToRead(dates.first, dates.last),
        {"event_type": (STARTED, COMPLETED)},
    )
    for day, of_day in groupby(rollups, itemgetter(0)):
        rate, completed = CompletionRate(), BitMap()
        for _, of_flow in groupby(of_day, itemgetter(1)):
            flow = FlowCompletion()
            for _, _, event_type, rollup in of_flow:
                flow.add(event_type, rollup.devices)
            rate.add(flow)
            completed |= flow.completed
        completions[day] = _Completions(len(completed), rate.value())
    return completions


def _read_flows(session: Session, project_id: str, dates: DateRange) -> tuple[float, list[FlowPerformanceView]]:
    """Return the completion rate of all flows, and the users and the rate of each flow with users.

    A flow that was deleted has no name. Events that name no flow count in the rate of all.
    """
    of_names = select(Flow.id, Flow.name).where(Flow.project_id == project_id)
    names = {row.id: row.name for row in session.execute(of_names)}
    total, flows = CompletionRate(), []
    breakdowns = (Breakdown.FLOW, Breakdown.EXPOSURE)
    days = DaysToRead(dates.first, dates.last)
    rollups = read_rollups(session, ("flow_id", "event_type"), project_id, breakdowns, days, {})
    for flow_id, of_flow in groupby(rollups, itemgetter(0)):
        users, completion, rate = DeviceUnion(), FlowCompletion(), CompletionRate()
        for _, event_type, rollup in of_flow:
            users.add(rollup.devices)
            if event_type in {STARTED, COMPLETED}:
                completion.add(event_type, rollup.devices)
        rate.add(completion)
        total.add(completion)
        if flow_id is not None:
            flows.append(
                FlowPerformanceView(
                    flow_id=flow_id,
                    flow_name=names.get(flow_id),
                    users=len(users.devices()),
                    completion_rate=rate.value(),
                )
            )
    return total.value(), sorted(flows, key=lambda flow: (-flow.users, flow.flow_id))


def _until_last(dates: DateRange, checkpoint: Checkpoint | None) -> DaysToRead:
    """Return all days to the last one, as far as the checkpoint does not cover them."""
    return DaysToRead(date.min, dates.last, None if checkpoint is None else checkpoint.covered)


class _CompletionTimes:
    """The number of completions of each day of a range, and their milliseconds from the start."""

    def __init__(self, dates: DateRange) -> None:
        self._first = dates.first
        self._counts, self._total_ms = np.zeros(len(dates.days), np.int64), np.zeros(len(dates.days), np.int64)

    def add(self, started: FirstSeen, completed: FirstSeen) -> None:
        """Add the devices with both; the completions are in the range."""
        starts, ends = started.in_both(completed)
        is_later = starts <= ends
        numbers = ends[is_later] // DAY_MS - day_of(self._first)
        np.add.at(self._counts, numbers, 1)
        np.add.at(self._total_ms, numbers, (ends - starts)[is_later])

    def mean(self) -> float:
        """Return the mean time of all days in seconds, 0 without a completion."""
        count = int(self._counts.sum())
        return int(self._total_ms.sum()) / count / 1000 if count else 0.0

    def mean_of(self, day: date) -> float | None:
        """Return the mean time of the completions of a day in seconds, None without any."""
        number = (day - self._first).days
        count = int(self._counts[number])
        return int(self._total_ms[number]) / count / 1000 if count else None


def _read_completion_times(
    session: Session, project_id: str, dates: DateRange, checkpoint: Checkpoint | None
) -> _CompletionTimes:
    """Return the times from start to completion, by flow and device, of the first completions in the dates.

    A first start or completion may lie before the dates, so all earlier days are read, back to the checkpoint.
    """
    since = day_of(dates.first)
    days = _until_last(dates, checkpoint)
    completed: dict[str, FirstMoments] = {}
    for flow_id, of_flow in _read_by_flow(session, project_id, days, {"event_type": [COMPLETED]}):
        completed[flow_id] = FirstMoments(of_flow, since=since)
    counted: dict[str, BitMap] = {}
    for flow_id, moments in completed.items():
        counted[flow_id] = moments.devices()
        if checkpoint is not None and counted[flow_id]:
            counted[flow_id] -= checkpoint.flow(flow_id).completed
    started: dict[str, FirstMoments] = {}
    filters = {"event_type": [STARTED], "flow_id": [flow_id for flow_id in counted if counted[flow_id]]}
    for flow_id, of_flow in _read_by_flow(session, project_id, days, filters):
        started[flow_id] = FirstMoments(of_flow, wanted=counted[flow_id])
    times = _CompletionTimes(dates)
    for flow_id in filters["flow_id"]:
        starts = started.pop(flow_id, FirstMoments()).first()
        if checkpoint is not None:
            starts = earliest([starts, checkpoint.flow(flow_id).starts(counted[flow_id])])
        times.add(starts, completed.pop(flow_id).first(counted[flow_id]))
    return times


def _read_by_flow(
    session: Session, project_id: str, days: DaysToRead, filters: dict[str, list[str]]
) -> Iterator[tuple[str, Iterator[tuple[int, Rollup]]]]:
    """Yield each flow with the day of each of its rollups, and the rollup with its times."""
    columns = ("flow_id", "day")
    rollups = read_rollups(session, columns, project_id, (Breakdown.FLOW,), days, filters, with_times=True)
    for flow_id, of_flow in groupby(rollups, itemgetter(0)):
        if flow_id is not None:
            yield flow_id, ((day_of(day), rollup) for _, day, rollup in of_flow)
