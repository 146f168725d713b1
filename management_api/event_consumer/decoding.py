"""From the bytes of stream entries to records, entry by entry, so that a bad one stands alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from common.stream_records import EventRecord, ExposureRecord, StreamRecordError, decode_record
from management_api.event_consumer.event_rows import JSONB_VERSION, EventRow
from management_api.event_consumer.stream_entry import StreamEntry


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """An entry that is no record of ours."""

    entry: StreamEntry
    reason: str


@dataclass(frozen=True, slots=True)
class DecodedBatch:
    """What a batch holds, in its order, and what could not be read."""

    events: list[EventRow] = field(default_factory=list)
    exposures: list[ExposureRecord] = field(default_factory=list)
    unreadable: list[UnreadableEntry] = field(default_factory=list)

    def project_ids(self) -> list[str]:
        """Name the projects of the batch."""
        of_events = {row.record.project_id for row in self.events}
        return sorted(of_events | {exposure.project_id for exposure in self.exposures})


def decode_batch(entries: Sequence[StreamEntry]) -> DecodedBatch:
    """Decode every entry of a batch. Never raises for what an entry holds."""
    batch = DecodedBatch()
    for entry in entries:
        try:
            record = decode_record(entry.body)
            if isinstance(record, EventRecord):
                # Joined to something: orjson leaves much room behind what it gives, and thousands of that cost more.
                batch.events.append(EventRow(record, JSONB_VERSION + orjson.dumps(record.properties)))
            else:
                batch.exposures.append(record)
        # Bytes that are no record, members that JSON does not have, nesting beyond every limit.
        except (StreamRecordError, orjson.JSONEncodeError) as error:
            batch.unreadable.append(UnreadableEntry(entry, f"{type(error).__name__}: {error}"))
    return batch
