"""Events for tests of the analytics, stored without the event consumer; a test names only what it is about."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from common.identifiers import IdPrefix, new_id
from management_api.database.events import Event

#: What an event has unless a test says otherwise.
_DEFAULTS: dict[str, Any] = {
    "event_type": "flow_started",
    "device_id": "d1",
    "flow_id": None,
    "screen_id": None,
    "experiment_id": None,
    "variant": None,
    "session_id": None,
    "platform": None,
    "app_version": None,
    "properties": {},
}


def moment(day: int, hour: int = 12, second: float = 0) -> datetime:
    """Give a moment of March 2026."""
    return datetime.fromtimestamp(datetime(2026, 3, day, hour, tzinfo=UTC).timestamp() + second, UTC)


def an_event(occurred_at: datetime, **columns: object) -> dict[str, Any]:
    """Give an event that was received when it occurred."""
    chosen = {"event_id": new_id(IdPrefix.EVENT), "occurred_at": occurred_at, "received_at": occurred_at, **columns}
    return {**_DEFAULTS, **chosen}


def add_events(session: Session, project_id: str, events: Iterable[dict[str, Any]]) -> None:
    """Add events to a project."""
    rows = [{**event, "project_id": project_id} for event in events]
    if rows:
        session.execute(insert(Event), rows)
