"""From the bytes of stream entries to rows for PostgreSQL, entry by entry, so that a bad one stands alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from common.stream_records import EventRecord, ExposureRecord, StreamRecordError, decode_record
from management_api.event_consumer.stream_entry import StreamEntry

#: A row in the order of the columns of `incoming_events` or `incoming_exposures`.
Row = tuple[str | int | None, ...]


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """An entry that is no record of ours."""

    entry: StreamEntry
    reason: str


@dataclass(frozen=True, slots=True)
class DecodedBatch:
    """Rows by the project that they belong to, and what could not be read."""

    events: dict[str, list[Row]] = field(default_factory=dict)
    exposures: dict[str, list[Row]] = field(default_factory=dict)
    unreadable: list[UnreadableEntry] = field(default_factory=list)

    def project_ids(self) -> list[str]:
        """Name the projects of the batch."""
        return sorted(self.events.keys() | self.exposures.keys())


def decode_batch(entries: Sequence[StreamEntry]) -> DecodedBatch:
    """Decode every entry of a batch. Never raises for what an entry holds."""
    batch = DecodedBatch()
    for entry in entries:
        try:
            record = decode_record(entry.body)
            if isinstance(record, EventRecord):
                batch.events.setdefault(record.project_id, []).append(_event_row(record))
            else:
                batch.exposures.setdefault(record.project_id, []).append(_exposure_row(record))
        # Bytes that are no record, members that JSON does not have, nesting beyond every limit.
        except (StreamRecordError, orjson.JSONEncodeError) as error:
            batch.unreadable.append(UnreadableEntry(entry, f"{type(error).__name__}: {error}"))
    return batch


def _event_row(record: EventRecord) -> Row:
    return (
        record.project_id,
        record.event_id,
        record.event_type,
        record.device_id,
        record.flow_id,
        record.screen_id,
        record.experiment_id,
        record.variant,
        record.session_id,
        record.occurred_at_ms,
        record.received_at_ms,
        record.platform,
        record.app_version,
        orjson.dumps(record.properties).decode(),
        record.secret_key_id,
    )


def _exposure_row(record: ExposureRecord) -> Row:
    return (
        record.project_id,
        record.device_id,
        record.flow_id,
        record.experiment_id,
        record.variant,
        record.exposed_at_ms,
        record.platform,
        record.secret_key_id,
    )
