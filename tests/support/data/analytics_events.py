"""Events for tests of the analytics, stored as by the event consumer; a test passes only the columns of interest."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord, encode_record
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.decode import decode_batch
from management_api.event_consumer.store import lock_projects, store_records
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.aggregator import MAX_KEYS
from management_api.rollups.counting import count_projects

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: The columns of an event unless a test passes others.
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
    "locale": None,
    "properties": {},
}


def moment(day: int, hour: int = 12, second: float = 0) -> datetime:
    """Return a moment of March 2026."""
    return datetime.fromtimestamp(datetime(2026, 3, day, hour, tzinfo=UTC).timestamp() + second, UTC)


def an_event(occurred_at: datetime, **columns: object) -> dict[str, Any]:
    """Return an event that was received when it occurred, with an id of its own unless one is passed."""
    times = {"occurred_at": occurred_at, "received_at": occurred_at}
    event_id = columns.get("event_id") or new_id(IdPrefix.EVENT)
    return {**_DEFAULTS, **times, **columns, "event_id": event_id}


def add_events(session: Session, project_id: str, events: Iterable[dict[str, Any]]) -> None:
    """Add events to a project, and count them."""
    records = []
    for event in events:
        moments = {f"{name}_ms": _milliseconds(event[name]) for name in ("occurred_at", "received_at")}
        values: dict[str, Any] = {**event, **moments}
        del values["occurred_at"], values["received_at"]
        records.append(EventRecord(project_id, **values))
    add_records(session, records)


def add_exposure(session: Session, project_id: str, device_id: str, flow_id: str, exposed_at: datetime) -> None:
    """Add an exposure, and count it."""
    record = ExposureRecord(project_id, device_id, flow_id, _milliseconds(exposed_at))
    add_records(session, [record])


def add_exposures(
    session: Session,
    project_id: str,
    devices: Iterable[str],
    flow_id: str,
    exposed_at: datetime,
    experiment_id: str,
    variant: str,
) -> None:
    """Add the exposures of devices to a variant."""
    at = _milliseconds(exposed_at)
    records = [
        ExposureRecord(project_id, device, flow_id, at, experiment_id=experiment_id, variant=variant)
        for device in devices
    ]
    add_records(session, records)


def add_records(session: Session, records: Sequence[StreamRecord]) -> None:
    """Add events and exposures, and count them."""
    batch = decode_batch(
        [StreamEntry("stream", f"{_received_at_ms(record)}-0", encode_record(record)) for record in records]
    )
    cursor = driver_cursor(session)
    now_ms, projects = lock_projects(cursor, batch)
    store_records(cursor, batch, projects.held, now_ms)
    count_projects(cursor, projects.held, MAX_KEYS)


def activity(day: datetime, device_id: str, flow_id: str | None, starts: int, completions: int) -> list[dict[str, Any]]:
    """Return the events of a device with a flow on a day; without any, the event that counts the device as active."""
    types = ["flow_started"] * starts + ["flow_completed"] * completions or ["was_there"]
    return [an_event(day, event_type=each, device_id=device_id, flow_id=flow_id) for each in types]


def _milliseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def _received_at_ms(record: StreamRecord) -> int:
    return record.received_at_ms if isinstance(record, EventRecord) else record.exposed_at_ms
