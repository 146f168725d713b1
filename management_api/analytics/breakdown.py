"""How many events and users there were in a period, broken down by one thing (contract, section 3, Analytics).

A *user* is a distinct device id, so a user who appears in two rows is one in the totals. An event counts on the UTC day
of its own time. Every figure is read from cells, of the coarsest breakdown that has what is filtered and grouped by.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pyroaring import BitMap
from sqlalchemy.orm import Session

from management_api.analytics.filters import DateRange, EventFilter, cells_of, check_filter
from management_api.auth.access import Caller, project_to_read
from management_api.rollups.reading import union

#: Devices make up the ids of screens and the names of events; a list of all of them would have no end.
MAX_ROWS = 1000


class GroupBy(StrEnum):
    """What the rows of an analysis are about."""

    DAY = "day"
    EVENT_TYPE = "event_type"
    FLOW = "flow"
    SCREEN = "screen"
    VARIANT = "variant"
    PLATFORM = "platform"


#: The column of the cells that says it; the day is told apart anyway.
_COLUMNS: Mapping[GroupBy, str] = {
    GroupBy.EVENT_TYPE: "event_type",
    GroupBy.FLOW: "flow_id",
    GroupBy.SCREEN: "screen_id",
    GroupBy.VARIANT: "variant",
    GroupBy.PLATFORM: "platform",
}


@dataclass(frozen=True, slots=True)
class Count:
    """How many events there were, and by how many distinct devices."""

    events: int = 0
    users: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """The count of one day, or of one value of what is grouped by; None is for events that do not have it."""

    key: date | str | None
    count: Count


@dataclass(frozen=True, slots=True)
class Analytics:
    """Days ascending without gaps; anything else by events descending, then by key, the MAX_ROWS largest."""

    totals: Count
    rows: Sequence[Row]


def analyse(session: Session, caller: Caller, wanted: EventFilter, dates: DateRange, group_by: GroupBy) -> Analytics:
    """Count the events. Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError, NotFoundError."""
    project_to_read(session, caller, wanted.project_id)
    check_filter(session, wanted)
    if group_by is GroupBy.DAY:
        return _by_day(session, wanted, dates)
    return _by_column(session, wanted, dates, _COLUMNS[group_by])


def _by_day(session: Session, wanted: EventFilter, dates: DateRange) -> Analytics:
    found: defaultdict[date, _Tally] = defaultdict(_Tally)
    for day, events, devices in cells_of(session, "day, events, devices", wanted, dates):
        found[day].add(events, devices)
    users = {day: tally.users() for day, tally in found.items()}
    totals = Count(sum(tally.events for tally in found.values()), len(BitMap.union(*users.values())) if users else 0)
    return Analytics(totals, [Row(day, Count(found[day].events, len(users.get(day, ())))) for day in dates.days])


def _by_column(session: Session, wanted: EventFilter, dates: DateRange, column: str) -> Analytics:
    # Which rows are the largest comes first: of all others nothing is kept.
    largest = cells_of(
        session,
        f"{column}, sum(events)::bigint",
        wanted,
        dates,
        column,
        tail=f"GROUP BY 1 ORDER BY 2 DESC, 1 NULLS LAST LIMIT {MAX_ROWS}",
    )
    rows: dict[str | None, _Tally] = {key: _Tally() for key, _ in largest}
    others = _Tally()
    for key, events, devices in cells_of(session, f"{column}, events, devices", wanted, dates, column):
        rows.get(key, others).add(events, devices)
    users = {key: tally.users() for key, tally in rows.items()}
    totals = Count(
        others.events + sum(tally.events for tally in rows.values()),
        len(BitMap.union(others.users(), *users.values())),
    )
    return Analytics(totals, [Row(key, Count(tally.events, len(users[key]))) for key, tally in rows.items()])


class _Tally:
    """The events of some cells, and the sets of their devices."""

    __slots__ = ("_known", "_sets", "events")

    def __init__(self) -> None:
        self.events = 0
        self._sets: list[bytes] = []
        self._known = BitMap()

    def add(self, events: int, devices: bytes) -> None:
        """Add a cell."""
        self.events += events
        self._sets.append(devices)
        # Many small sets take more memory than what they unite to.
        if len(self._sets) >= MAX_ROWS:
            self._known = self.users()
            self._sets = []

    def users(self) -> BitMap:
        """Give the devices of all cells."""
        return self._known | union(self._sets)
