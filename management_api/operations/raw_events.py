"""The events of a project one by one, the newest first (contract, section 3, Analytics)."""

from functools import lru_cache
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.database.events import Event
from management_api.operations.callers import Caller
from management_api.operations.event_filters import EventFilter, check_filter, clauses_of
from management_api.operations.paging import PageOf, PageRequest, read_page
from management_api.operations.project_access import project_to_read

#: Both words mean the event's own time: it has no other that a list could be sorted by through an index.
SORTABLE: dict[str, InstrumentedAttribute[Any]] = {"timestamp": Event.occurred_at, "created_at": Event.occurred_at}


def list_events(session: Session, caller: Caller, wanted: EventFilter, page: PageRequest) -> PageOf[*tuple[Any, ...]]:
    """Give a page of the events. Raises ProjectNotFoundError, ForbiddenError, FlowNotFoundError."""
    project_to_read(session, caller, wanted.project_id)
    check_filter(session, wanted)
    values = wanted.values()
    statement = _events_with(frozenset(values))
    return read_page(session, statement, page, values, sortable=SORTABLE, tie_breaker=Event.event_id)


@lru_cache(maxsize=64)
def _events_with(filters: frozenset[str]) -> Select[*tuple[Any, ...]]:
    """Make the statement for one set of filters once, as `read_page` keeps what it makes of it."""
    return select(
        Event.event_id, Event.event_type, Event.device_id, Event.flow_id, Event.screen_id, Event.experiment_id,
        Event.variant, Event.session_id, Event.occurred_at.label("timestamp"), Event.received_at, Event.platform,
        Event.app_version, Event.properties,
    ).where(*clauses_of(filters))  # fmt: skip
