"""Stream records and entries for tests; a test passes only the fields that it is about."""

import itertools
import time
from collections.abc import Iterable
from typing import Any

import redis

from common.wire.redis_keys import EVENT_FIELD, event_stream, event_stream_of
from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord, encode_record
from management_api.event_consumer.stream import StreamEntry

#: 2026-06-01T12:00:00Z
NOON_MS = 1_780_315_200_000
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS

_numbers = itertools.count(1)


def an_event(project_id: str, **fields: object) -> EventRecord:
    """Return an event with an id of its own: a device started a flow at noon, and the event is received now."""
    values: dict[str, Any] = {
        "event_id": f"evt_{next(_numbers)}",
        "event_type": "flow_started",
        "device_id": "device",
        "occurred_at_ms": NOON_MS,
        "received_at_ms": int(time.time() * 1000),
        "flow_id": "flow_1",
        **fields,
    }
    return EventRecord(project_id, **values)


def an_exposure(project_id: str, **fields: object) -> ExposureRecord:
    """Return an exposure of a device to a flow at noon."""
    values: dict[str, Any] = {"device_id": "device", "flow_id": "flow_1", "exposed_at_ms": NOON_MS, **fields}
    return ExposureRecord(project_id, **values)


def entries_of(records: Iterable[StreamRecord]) -> list[StreamEntry]:
    return [an_entry(encode_record(record)) for record in records]


def an_entry(body: bytes) -> StreamEntry:
    """Return an entry of its own id with that body."""
    return StreamEntry(event_stream(0), f"{next(_numbers)}-0", body)


def send(client: redis.Redis, records: Iterable[StreamRecord], *, stream: str | None = None) -> None:
    """Put the records into their streams, as the edge does, or into the given one."""
    with client.pipeline(transaction=False) as pipeline:
        for record in records:
            key = stream or event_stream_of(record.project_id, record.device_id)
            pipeline.xadd(key, {EVENT_FIELD: encode_record(record)})
        pipeline.execute()
