"""The events and users of a range of days, broken down by one column (contract, section 3, Analytics).

A *user* is a distinct device id, so a user who appears in two rows is one in the totals. An event counts on the UTC day
of its own time. All counts are read from rollups, of the coarsest breakdown that has the columns of the filters and of
the rows.
"""

from collections import defaultdict
from collections.abc import Set as AbstractSet
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from management_api.analytics.dates import DateRange
from management_api.analytics.filters import breakdown_of, check_filters, rollup_conditions, rollups_by
from management_api.analytics.schemas import (
    COLUMN_OF_GROUP,
    AnalyticsQuery,
    AnalyticsView,
    CountView,
    EventFilterQuery,
    GroupBy,
)
from management_api.auth.access import Caller, check_may_read
from management_api.rollups.reading import DaysToRead, DeviceUnion, read_rollups

#: Devices choose the ids of screens and the names of events, so their number has no bound.
MAX_ROWS = 1000


def analyse(session: Session, caller: Caller, query: AnalyticsQuery, dates: DateRange) -> AnalyticsView:
    """Count events and users: days ascending without gaps, others by events descending and key, the MAX_ROWS largest.

    Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError, NotFoundError.
    """
    check_may_read(session, caller, query.project_id)
    check_filters(session, query)
    column = COLUMN_OF_GROUP[query.group_by]
    is_by_day = query.group_by is GroupBy.DAY
    keys = dates.days if is_by_day else _largest(session, query, dates, column)
    totals, counts = _count(session, query, dates, "day" if is_by_day else column, set(keys))
    if query.group_by is GroupBy.LOCALE:
        # Its rollups lack the events that a consumer of release 0.2.0 counts beside this release.
        totals, _ = _count(session, query, dates, "day", set())
    rows = [{column: key, "events": counts[key].events, "users": counts[key].users} for key in keys]
    return AnalyticsView(
        project_id=query.project_id, first=dates.first, to=dates.last, group_by=query.group_by, totals=totals, rows=rows
    )


def _largest(session: Session, query: AnalyticsQuery, dates: DateRange, name: str) -> list[str | None]:
    column = getattr(rollups_by(name), name)
    events = func.sum(rollups_by(name).events)
    largest = (
        select(column)
        .where(*rollup_conditions(query, dates, name))
        .group_by(column)
        .order_by(events.desc(), column.asc().nulls_last())
        .limit(MAX_ROWS)
    )
    return list(session.scalars(largest))


def _count(
    session: Session, query: EventFilterQuery, dates: DateRange, column: str, kept: AbstractSet[Any]
) -> tuple[CountView, defaultdict[Any, CountView]]:
    """Return the events and users of all rollups, and of each value of the column that is kept."""
    breakdown = breakdown_of(query) if column == "day" else breakdown_of(query, column)
    filters = {name: [value] for name, value in query.column_filters().items()}
    days = DaysToRead(dates.first, dates.last)
    counts = defaultdict[Any, CountView](lambda: CountView(events=0, users=0))
    all_events, all_users = 0, DeviceUnion()
    for key, rollups in groupby(
        read_rollups(session, (column,), query.project_id, (breakdown,), days, filters), itemgetter(0)
    ):
        events, users = 0, DeviceUnion()
        for _, rollup in rollups:
            events += rollup.events
            users.add(rollup.devices)
        if key in kept:
            counts[key] = CountView(events=events, users=len(users.devices()))
        all_events += events
        all_users.add(users.devices())
    return CountView(events=all_events, users=len(all_users.devices())), counts
