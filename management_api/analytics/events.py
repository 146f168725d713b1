"""The events of a project one by one, the newest first (contract, section 3, Analytics).

Their number is read from rollups, and so are the days of a page's events: only these days are read from the events.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from management_api.analytics.dates import DateRange, midnight
from management_api.analytics.filters import check_filters, rollup_conditions
from management_api.analytics.schemas import EventFilterQuery, EventListQuery
from management_api.auth.access import Caller, check_may_read
from management_api.auth.lists import Page, PageRequest
from management_api.db.models.analytics import ActivityRollup, Event
from management_api.db.models.event_ids import EventStorage

#: An event is received at the earliest so long before its own time (contract, section 4).
_AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Span:
    """A run of days, and the number of the query's events in it."""

    start: datetime
    end: datetime
    events: int


def list_events(
    session: Session, caller: Caller, query: EventListQuery, dates: DateRange | None, page: PageRequest | None = None
) -> Page[*tuple[Any, ...]]:
    """Return a page of the events of the dates, None: of all times; by default the query's. Raises like `analyse`."""
    check_may_read(session, caller, query.project_id)
    check_filters(session, query)
    page = page or query.page_request()
    spans = sorted(_spans(session, query, dates), key=lambda span: span.start, reverse=page.descending)
    total = sum(span.events for span in spans)
    offset = (page.number - 1) * page.limit
    chosen = _spans_of_page(spans, offset, page.limit)
    if not chosen:
        return Page(items=(), total=total, request=page)
    before = offset - sum(span.events for span in spans[: spans.index(chosen[0])])
    count = min(page.limit, sum(span.events for span in chosen) - before)
    behind = sum(span.events for span in chosen) - before - count
    # PostgreSQL reads the rows that it skips, so a page is read from the nearer end of its days.
    is_from_behind = behind < before
    start, end = min(span.start for span in chosen), max(span.end for span in chosen)
    columns = (Event.occurred_at, Event.event_id)
    is_descending = page.descending != is_from_behind
    rows = session.execute(
        select(
            Event.event_id, Event.event_type, Event.device_id, Event.flow_id, Event.screen_id, Event.experiment_id,
            Event.variant, Event.session_id, Event.occurred_at.label("timestamp"), Event.received_at, Event.platform,
            Event.app_version, Event.properties,
        )
        .where(*_event_conditions(query, start, end), Event.received_at >= start - _AHEAD)
        .order_by(*(column.desc() if is_descending else column.asc() for column in columns))
        .limit(count)
        .offset(min(before, behind))
    ).all()  # fmt: skip
    return Page(items=rows[::-1] if is_from_behind else rows, total=total, request=page)


def _spans_of_page(spans: list[_Span], offset: int, limit: int) -> list[_Span]:
    """Return the spans with the events of a page, given all spans in the order of the list."""
    chosen, seen = [], 0
    for span in spans:
        if seen < offset + limit and seen + span.events > offset:
            chosen.append(span)
        seen += span.events
    return chosen


def _spans(session: Session, query: EventFilterQuery, dates: DateRange | None) -> Iterator[_Span]:
    """Count the events day by day; for days of which events were dropped for their age, count the remaining ones."""
    complete_from = session.scalar(select(EventStorage.complete_from))
    first_complete = None if complete_from is None else (complete_from + 2 * _AHEAD).date()
    counts = (
        select(ActivityRollup.day, func.sum(ActivityRollup.events))
        .where(*rollup_conditions(query, dates))
        .group_by(ActivityRollup.day)
    )
    for day, events in session.execute(counts):
        if day is not None and (first_complete is None or day >= first_complete):
            yield _Span(midnight(day), midnight(day) + timedelta(days=1), int(events))
    if first_complete is not None and (dates is None or dates.first < first_complete):
        start = dates.start if dates else datetime(1, 1, 1, tzinfo=UTC)
        end = min(midnight(first_complete), dates.end) if dates else midnight(first_complete)
        remaining = session.scalar(select(func.count()).where(*_event_conditions(query, start, end)))
        if remaining:
            yield _Span(start, end, remaining)


def _event_conditions(query: EventFilterQuery, start: datetime, end: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        Event.project_id == query.project_id,
        Event.occurred_at >= start,
        Event.occurred_at < end,
        *(getattr(Event, column) == value for column, value in query.column_filters().items()),
    )
