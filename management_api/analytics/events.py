"""The events of a project one by one, the newest first (contract, section 3, Analytics).

How many there are is read from the cells, and so is on which days those of a page lie: only these days are read.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from management_api.analytics.filters import EventFilter, cells_of, check_filter, clauses_of
from management_api.auth.access import Caller, project_to_read
from management_api.db.models.analytics import Event
from management_api.db.models.event_ids import EventStorage
from management_api.db.prepared import Prepared
from management_api.http.pagination import Page, PageRequest

#: An event is received at the earliest so long before its own time (contract, section 4).
_AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Span:
    """A run of days, and how many of the wanted events lie in it."""

    start: datetime
    end: datetime
    events: int


def list_events(session: Session, caller: Caller, wanted: EventFilter, page: PageRequest) -> Page[*tuple[Any, ...]]:
    """Return a page of the events. Raises like `analyse`."""
    project_to_read(session, caller, wanted.project_id)
    check_filter(session, wanted)
    spans = sorted(_spans(session, wanted), key=lambda span: span.start, reverse=page.descending)
    total = sum(span.events for span in spans)
    offset = (page.number - 1) * page.limit
    chosen = _with_page(spans, offset, page.limit)
    if not chosen:
        return Page(items=(), total=total, request=page)
    before = offset - sum(span.events for span in spans[: spans.index(chosen[0])])
    count = min(page.limit, sum(span.events for span in chosen) - before)
    behind = sum(span.events for span in chosen) - before - count
    # PostgreSQL reads what it skips, so that a page is read from that end of its days which it is nearer to.
    is_from_behind = behind < before
    values = {
        **wanted.values(),
        "start": min(span.start for span in chosen),
        "end": max(span.end for span in chosen),
        "received_from": min(span.start for span in chosen) - _AHEAD,
        "limit": count,
        "offset": min(before, behind),
    }
    statement = _page_with(frozenset(wanted.of_cells()), page.descending != is_from_behind)
    rows = statement.rows(session, values)
    return Page(items=rows[::-1] if is_from_behind else rows, total=total, request=page)


def _with_page(spans: list[_Span], offset: int, limit: int) -> list[_Span]:
    """Choose the spans in which the events of a page lie, given spans in the order of the list."""
    chosen, seen = [], 0
    for span in spans:
        if seen < offset + limit and seen + span.events > offset:
            chosen.append(span)
        seen += span.events
    return chosen


def _spans(session: Session, wanted: EventFilter) -> Iterable[_Span]:
    """Count the wanted events day by day; days of which events were dropped for their age, by what is left of them."""
    complete_from = session.scalar(select(EventStorage.complete_from))
    first_complete = None if complete_from is None else (complete_from + 2 * _AHEAD).date()
    for day, events in cells_of(session, "day, sum(events)::bigint", wanted, wanted.dates, tail="GROUP BY 1"):
        if first_complete is None or day >= first_complete:
            yield _Span(_midnight(day), _midnight(day) + timedelta(days=1), events)
    if first_complete is not None and (wanted.dates is None or wanted.dates.first < first_complete):
        start = wanted.dates.start if wanted.dates else datetime(1, 1, 1, tzinfo=UTC)
        end = min(_midnight(first_complete), wanted.dates.end) if wanted.dates else _midnight(first_complete)
        values = {**wanted.values(), "start": start, "end": end}
        [(left,)] = _count_with(frozenset(wanted.of_cells())).rows(session, values)
        if left:
            yield _Span(start, end, left)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _events_with(filters: frozenset[str]) -> Select[*tuple[Any, ...]]:
    return select(
        Event.event_id, Event.event_type, Event.device_id, Event.flow_id, Event.screen_id, Event.experiment_id,
        Event.variant, Event.session_id, Event.occurred_at.label("timestamp"), Event.received_at, Event.platform,
        Event.app_version, Event.properties,
    ).where(*clauses_of({"project_id", "start", "end", *filters}))  # fmt: skip


@lru_cache(maxsize=64)
def _page_with(filters: frozenset[str], descending: bool) -> Prepared[*tuple[Any, ...]]:  # noqa: FBT001 - the cache knows positions only
    """Make the statement for one set of filters once."""
    columns = (Event.occurred_at, Event.event_id)
    return Prepared(
        _events_with(filters)
        .where(Event.received_at >= bindparam("received_from"))
        .order_by(*(column.desc() if descending else column.asc() for column in columns))
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )


@lru_cache(maxsize=64)
def _count_with(filters: frozenset[str]) -> Prepared[int]:
    return Prepared(_events_with(filters).with_only_columns(func.count()))
