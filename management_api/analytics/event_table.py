"""The events of a project as a table in CSV, read page by page, so that a worker holds a part of them only."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from management_api.analytics.dates import DateRange
from management_api.analytics.events import list_events
from management_api.analytics.schemas import FIRST_CURSOR, EventListQuery, EventView
from management_api.auth.access import Caller
from management_api.http.pagination import MAX_LIMIT
from management_api.http.responses import MAX_RESPONSE_BYTES, csv_line

MAX_TABLE_EVENTS = 10_000


def events_table(session: Session, caller: Caller, query: EventListQuery, dates: DateRange | None) -> bytes:
    """Return the first events: MAX_TABLE_EVENTS, those in MAX_RESPONSE_BYTES, or those that one request may read.

    Raises like `list_events`.
    """
    columns = tuple(name for name in EventView.model_fields if name != "locale")
    table = bytearray(csv_line(columns, dict(zip(columns, columns, strict=True))))
    cursor: str | None = FIRST_CURSOR
    for _ in range(MAX_TABLE_EVENTS // MAX_LIMIT):
        page = query.model_copy(update={"cursor": cursor, "limit": MAX_LIMIT})
        listed = list_events(session, caller, page, dates)
        for item in listed.page.items:
            line = csv_line(columns, _cells(EventView.model_validate(item)))
            if len(table) + len(line) > MAX_RESPONSE_BYTES:
                return bytes(table)
            table += line
        cursor = listed.next
        if cursor is None or len(listed.page.items) < MAX_LIMIT:
            break
    return bytes(table)


def _cells(event: EventView) -> Mapping[str, Any]:
    return event.model_dump() | event.texts()
