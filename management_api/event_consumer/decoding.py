"""From the bytes of stream entries to records and rows, entry by entry, so that a bad one stands alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson
import psycopg

from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecordError, decode_record
from management_api.activity.steps import Steps
from management_api.event_consumer.device_numbers import DeviceKey
from management_api.event_consumer.event_rows import EventEncoder, EventRow
from management_api.event_consumer.stream_entry import StreamEntry

#: So many are decoded in one step, which takes less than 0.1 ms for events of usual size.
_STEP_ENTRIES = 16


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """An entry that is no record of ours."""

    entry: StreamEntry
    reason: str


@dataclass(slots=True)
class DecodedBatch:
    """What a batch holds, in its order, and what could not be read."""

    events: list[EventRow] = field(default_factory=list)
    #: In the order of their places.
    event_devices: Sequence[DeviceKey] = ()
    exposures: list[ExposureRecord] = field(default_factory=list)
    unreadable: list[UnreadableEntry] = field(default_factory=list)
    #: Why no row could be made of one of the events, so that the batch cannot be stored as a whole.
    refusal: Exception | None = None


def decoding(entries: Sequence[StreamEntry]) -> Steps[DecodedBatch]:
    """Decode every entry of a batch. Never raises for what an entry holds."""
    batch, encoder = DecodedBatch(), EventEncoder()
    for number, entry in enumerate(entries, 1):
        try:
            record = decode_record(entry.body)
            if isinstance(record, EventRecord):
                batch.events.append(encoder.row(record))
            else:
                batch.exposures.append(record)
        # Bytes that are no record, members that JSON does not have, nesting beyond every limit.
        except (StreamRecordError, orjson.JSONEncodeError) as error:
            batch.unreadable.append(UnreadableEntry(entry, f"{type(error).__name__}: {error}"))
        # What no row can be made of. The batch is refused, and cut until the entry stands alone.
        except (psycopg.DataError, ValueError, OverflowError) as error:
            batch.refusal = error
        if number % _STEP_ENTRIES == 0:
            yield
    batch.event_devices = encoder.devices
    return batch
