"""How many events and users there were in a period, broken down by one thing (contract, section 3, Analytics).

A *user* is a distinct device id, so a user who appears in two rows is one in the totals. An event counts on the UTC day
of its own time. Every figure is counted from the events themselves, through the index on (project_id, occurred_at).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Date, Select, cast, func, select
from sqlalchemy.orm import Session

from management_api.database.events import Event
from management_api.operations.callers import Caller
from management_api.operations.event_filters import EventFilter, check_filter
from management_api.operations.periods import Window
from management_api.operations.project_access import project_to_read

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


_COLUMNS: Mapping[GroupBy, ColumnElement[Any]] = {
    GroupBy.DAY: cast(func.timezone("UTC", Event.occurred_at), Date),
    GroupBy.EVENT_TYPE: Event.event_type.expression,
    GroupBy.FLOW: Event.flow_id.expression,
    GroupBy.SCREEN: Event.screen_id.expression,
    GroupBy.VARIANT: Event.variant.expression,
    GroupBy.PLATFORM: Event.platform.expression,
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


def analyse(session: Session, caller: Caller, wanted: EventFilter, window: Window, group_by: GroupBy) -> Analytics:
    """Count the events. Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError."""
    project_to_read(session, caller, wanted.project_id)
    check_filter(session, wanted)
    totals = session.execute(_totals(wanted), wanted.values()).one()
    counted = session.execute(_rows(wanted, group_by), wanted.values())
    rows = [Row(key, Count(int(events), users)) for key, events, users in counted]
    if group_by is GroupBy.DAY:
        counts = {row.key: row.count for row in rows}
        rows = [Row(day, counts.get(day, Count())) for day in window.days]
    return Analytics(Count(*totals), rows)


def _totals(wanted: EventFilter) -> Select[int, int]:
    return select(func.count(), func.count(Event.device_id.distinct())).where(*wanted.clauses())


def _rows(wanted: EventFilter, group_by: GroupBy) -> Select[*tuple[Any, ...]]:
    key = _COLUMNS[group_by].label("key")
    # Devices are told apart by hashing here; count(DISTINCT ...) would sort all events of each group.
    devices = (
        select(key, Event.device_id, func.count().label("events"))
        .where(*wanted.clauses())
        .group_by(key, Event.device_id)
        .subquery()
    )
    events = func.sum(devices.c.events)
    rows: Select[*tuple[Any, ...]] = select(devices.c.key, events, func.count()).group_by(devices.c.key)
    if group_by is GroupBy.DAY:
        return rows
    return rows.order_by(events.desc(), devices.c.key.asc().nulls_last()).limit(MAX_ROWS)
