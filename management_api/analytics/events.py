"""The events of a project one by one, the newest first (contract, section 3, Analytics).

Their number is read from rollups, and so are the days of a page's events: only these days are read from the events, and
at most MAX_READ events, because no index finds the events of a filter. A page may thus end early; `next` goes on.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Row, Subquery, func, literal, select, tuple_
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from common.wire.public_bodies import EARLIEST_EVENT
from management_api.analytics.dates import DateRange, midnight
from management_api.analytics.filters import check_filters, rollup_conditions
from management_api.analytics.schemas import FIRST_CURSOR, EventFilterQuery, EventListQuery
from management_api.auth.access import Caller, check_may_read
from management_api.auth.lists import Page, PageRequest
from management_api.db.models.analytics import ActivityRollup, Event
from management_api.db.models.event_ids import EventStorage
from management_api.rollups.partitions import first_kept_day

#: An event is received at the earliest so long before its own time (contract, section 4).
AHEAD = timedelta(days=1)
#: The events that one request reads, those before the page and those that a filter leaves out too: up to a second.
MAX_READ = 500_000

EVENT_COLUMNS = (
    Event.event_id, Event.event_type, Event.device_id, Event.flow_id, Event.screen_id, Event.experiment_id,
    Event.variant, Event.session_id, Event.occurred_at.label("timestamp"), Event.received_at, Event.platform,
    Event.app_version, Event.locale, Event.properties,
)  # fmt: skip


class Position(NamedTuple):
    """The place of an event in the list, behind which the next page begins."""

    occurred_at: datetime
    event_id: str

    def to_cursor(self) -> str:
        """Return the place as clients send it back."""
        return base64.urlsafe_b64encode(orjson.dumps(list(self))).decode().rstrip("=")

    @classmethod
    def from_cursor(cls, cursor: str) -> "Position":
        """Read the place. Raises InvalidRequestError."""
        try:
            occurred_at, event_id = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
            return cls(datetime.fromisoformat(occurred_at).astimezone(UTC), str(event_id).replace("\0", ""))
        except (ValueError, TypeError, OverflowError) as error:
            raise InvalidRequestError([Detail.invalid("cursor", "is not one of a list of events")]) from error


@dataclass(frozen=True, slots=True)
class EventPage:
    """The events of a page, and where the next one begins if this one has no number, or ended early."""

    page: Page[*tuple[Any, ...]]
    next: str | None


@dataclass(frozen=True, slots=True)
class _Span:
    """A run of days, and the number of the query's events in it."""

    start: datetime
    end: datetime
    events: int


def list_events(session: Session, caller: Caller, query: EventListQuery, dates: DateRange | None) -> EventPage:
    """Return a page of the events of the dates, None: of all times.

    Raises like `analyse`, and InvalidRequestError for a page that lies behind too many events.
    """
    check_may_read(session, caller, query.project_id)
    check_filters(session, query)
    page = query.page_request()
    spans = sorted(_spans(session, query, dates), key=lambda span: span.start, reverse=page.descending)
    total = sum(span.events for span in spans)
    reading = _Reading(session, query, is_descending=page.descending)
    if query.cursor is not None:
        after = None if query.cursor == FIRST_CURSOR else Position.from_cursor(query.cursor)
        rows, stopped = reading.read(_spans_after(spans, after, page), page.limit, after=after)
        if len(rows) == page.limit:
            stopped = Position(rows[-1].timestamp, rows[-1].event_id)
        return EventPage(Page(items=rows, total=total, request=page), stopped and stopped.to_cursor())
    offset = (page.number - 1) * page.limit
    chosen = _spans_of_page(spans, offset, page.limit)
    if not chosen:
        return EventPage(Page(items=(), total=total, request=page), None)
    before = offset - sum(span.events for span in spans[: spans.index(chosen[0])])
    count = min(page.limit, sum(span.events for span in chosen) - before)
    behind = sum(span.events for span in chosen) - before - count
    # PostgreSQL reads the rows that it skips, so a page is read from the nearer end of its days.
    is_from_behind = behind < before
    if is_from_behind:
        reading = _Reading(session, query, is_descending=not page.descending)
    rows, stopped = reading.read(chosen, count, skipped=min(before, behind))
    if stopped is not None and page.number > 1 and (is_from_behind or not rows):
        message = f"lies behind more than {MAX_READ} events; choose fewer days, or begin with cursor={FIRST_CURSOR}"
        raise InvalidRequestError([Detail.invalid("page", message)])
    items = rows[::-1] if is_from_behind else rows
    return EventPage(Page(items=items, total=total, request=page), stopped and stopped.to_cursor())


class _Reading:
    """Reads the events of a query in one direction, and no more than MAX_READ events."""

    def __init__(self, session: Session, query: EventFilterQuery, *, is_descending: bool) -> None:
        self._session = session
        self._project_id = query.project_id
        self._filters = query.column_filters()
        self._is_descending = is_descending

    def read(
        self, spans: Sequence[_Span], count: int, *, skipped: int = 0, after: Position | None = None
    ) -> tuple[Sequence[Row[Any]], Position | None]:
        """Return so many events of the spans, and the place at which reading had to stop before."""
        if not spans:
            return (), None
        scanned = self._scanned(min(span.start for span in spans), max(span.end for span in spans), after)
        rows = self._matching(scanned, count, skipped)
        return rows, self._last(scanned) if len(rows) < count else None

    def _scanned(self, start: datetime, end: datetime, after: Position | None) -> Subquery:
        """Return the events that may be read, whether they match or not."""
        statement = select(*EVENT_COLUMNS).where(
            Event.project_id == self._project_id,
            Event.occurred_at >= start,
            Event.occurred_at < end,
            Event.received_at >= start - AHEAD,
        )
        if after is not None:
            place = tuple_(Event.occurred_at, Event.event_id)
            given = tuple_(literal(after.occurred_at), literal(after.event_id))
            statement = statement.where(place < given if self._is_descending else place > given)
        return statement.order_by(*self._order(Event.occurred_at, Event.event_id)).limit(MAX_READ).subquery()

    def _matching(self, scanned: Subquery, count: int, skipped: int) -> Sequence[Row[Any]]:
        statement = select(*scanned.c).where(*(scanned.c[name] == value for name, value in self._filters.items()))
        ordered = statement.order_by(*self._order(scanned.c.timestamp, scanned.c.event_id))
        return self._session.execute(ordered.limit(count).offset(skipped)).all()

    def _last(self, scanned: Subquery) -> Position | None:
        """Return the place of the last event that may be read; None if there are no more."""
        statement = select(scanned.c.timestamp, scanned.c.event_id)
        ordered = statement.order_by(*self._order(scanned.c.timestamp, scanned.c.event_id))
        found = self._session.execute(ordered.limit(1).offset(MAX_READ - 1)).one_or_none()
        return None if found is None else Position(*found)

    def _order(self, *columns: Any) -> Iterable[ColumnElement[Any]]:  # noqa: ANN401 - columns of a table or of a query
        return (column.desc() if self._is_descending else column.asc() for column in columns)


def _spans_of_page(spans: list[_Span], offset: int, limit: int) -> list[_Span]:
    """Return the spans with the events of a page, given all spans in the order of the list."""
    chosen, seen = [], 0
    for span in spans:
        if seen < offset + limit and seen + span.events > offset:
            chosen.append(span)
        seen += span.events
    return chosen


def _spans_after(spans: list[_Span], after: Position | None, page: PageRequest) -> list[_Span]:
    """Return the spans from a place on."""
    if after is None:
        return spans
    if page.descending:
        return [span for span in spans if span.start <= after.occurred_at]
    return [span for span in spans if span.end > after.occurred_at]


def _spans(session: Session, query: EventFilterQuery, dates: DateRange | None) -> Iterator[_Span]:
    """Count the events day by day; for days of which events were dropped for their age, count the remaining ones.

    No more than MAX_READ of the remaining ones are counted.
    """
    complete_from = session.scalar(select(EventStorage.complete_from))
    first_complete = None if complete_from is None else first_kept_day(complete_from)
    counts = (
        select(ActivityRollup.day, func.sum(ActivityRollup.events))
        .where(*rollup_conditions(query, dates))
        .group_by(ActivityRollup.day)
    )
    for day, events in session.execute(counts):
        if day is not None and (first_complete is None or day >= first_complete):
            yield _Span(midnight(day), midnight(day) + timedelta(days=1), int(events))
    if first_complete is not None and (dates is None or dates.first < first_complete):
        start = dates.start if dates else EARLIEST_EVENT
        end = min(midnight(first_complete), dates.end) if dates else midnight(first_complete)
        conditions = (Event.project_id == query.project_id, Event.occurred_at >= start, Event.occurred_at < end)
        names = query.column_filters()
        scanned = select(*(getattr(Event, name) for name in names), literal(1)).where(*conditions)
        remaining = scanned.limit(MAX_READ).subquery()
        matches = (remaining.c[name] == value for name, value in names.items())
        matching = session.scalar(select(func.count()).where(*matches).select_from(remaining))
        if matching:
            yield _Span(start, end, matching)
