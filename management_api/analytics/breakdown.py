"""The events and users of a range of days, broken down by one column (contract, section 3, Analytics).

A *user* is a distinct device id, so a user who appears in two rows is one in the totals. An event counts on the UTC day
of its own time. All counts are read from rollups, of the coarsest breakdown that has the columns of the filters and of
the rows.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any

from pyroaring import BitMap
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from management_api.analytics.dates import DateRange
from management_api.analytics.filters import breakdown_of, check_filters, rollup_conditions
from management_api.analytics.schemas import (
    COLUMN_OF_GROUP,
    AnalyticsQuery,
    AnalyticsRow,
    AnalyticsView,
    CountView,
    EventFilterQuery,
    GroupBy,
)
from management_api.auth.access import Caller, check_may_read
from management_api.db.models.analytics import ActivityRollup
from management_api.rollups.reading import DaysToRead, read_rollups, union
from management_api.rollups.rollup import Rollup

#: Devices choose the ids of screens and the names of events, so their number has no bound.
MAX_ROWS = 1000


def analyse(session: Session, caller: Caller, query: AnalyticsQuery, dates: DateRange) -> AnalyticsView:
    """Count events and users: days ascending without gaps, others by events descending and key, the MAX_ROWS largest.

    Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError, NotFoundError.
    """
    check_may_read(session, caller, query.project_id)
    check_filters(session, query)
    count = _count_by_day if query.group_by is GroupBy.DAY else _count_by_column
    totals, rows = count(session, query, dates)
    return AnalyticsView(
        project_id=query.project_id, first=dates.first, to=dates.last, group_by=query.group_by, totals=totals, rows=rows
    )


def _count_by_day(session: Session, query: AnalyticsQuery, dates: DateRange) -> tuple[CountView, list[AnalyticsRow]]:
    sums: defaultdict[date, _RollupSum] = defaultdict(_RollupSum)
    for day, rollup in _rollups(session, query, dates, "day"):
        sums[day].add(rollup)
    users = {day: found.users() for day, found in sums.items()}
    totals = CountView(events=sum(found.events for found in sums.values()), users=len(BitMap().union(*users.values())))
    rows: list[AnalyticsRow] = [
        {"date": day, "events": sums[day].events if day in sums else 0, "users": len(users.get(day, ()))}
        for day in dates.days
    ]
    return totals, rows


def _count_by_column(session: Session, query: AnalyticsQuery, dates: DateRange) -> tuple[CountView, list[AnalyticsRow]]:
    name = COLUMN_OF_GROUP[query.group_by]
    column = getattr(ActivityRollup, name)
    # The largest rows come first, because the sets of devices are kept for these alone.
    events = func.sum(ActivityRollup.events)
    largest = (
        select(column)
        .where(*rollup_conditions(query, dates, name))
        .group_by(column)
        .order_by(events.desc(), column.asc().nulls_last())
        .limit(MAX_ROWS)
    )
    sums = {key: _RollupSum() for key in session.scalars(largest)}
    others = _RollupSum()
    for key, rollup in _rollups(session, query, dates, name):
        sums.get(key, others).add(rollup)
    users = {key: found.users() for key, found in sums.items()}
    totals = CountView(
        events=others.events + sum(found.events for found in sums.values()),
        users=len(BitMap.union(others.users(), *users.values())),
    )
    return totals, [{name: key, "events": found.events, "users": len(users[key])} for key, found in sums.items()]


def _rollups(session: Session, query: EventFilterQuery, dates: DateRange, column: str) -> Iterator[tuple[Any, ...]]:
    """Yield a column of each rollup of a query, and the rollup."""
    breakdown = breakdown_of(query) if column == "day" else breakdown_of(query, column)
    return read_rollups(
        session,
        (column,),
        query.project_id,
        (breakdown,),
        DaysToRead(dates.first, dates.last),
        {name: [value] for name, value in query.column_filters().items()},
    )


class _RollupSum:
    """The events of several rollups, and the sets of their devices."""

    __slots__ = ("_sets", "_union", "events")

    def __init__(self) -> None:
        self.events = 0
        self._sets: list[BitMap] = []
        self._union = BitMap()

    def add(self, rollup: Rollup) -> None:
        """Add a rollup."""
        self.events += rollup.events
        self._sets.append(rollup.devices)
        # Many small sets take more memory than their union.
        if len(self._sets) >= MAX_ROWS:
            self._union = self.users()
            self._sets = []

    def users(self) -> BitMap:
        """Return the devices of all rollups."""
        return self._union | union(self._sets)
