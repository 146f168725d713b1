"""A store whose batches are spans, each seen in the traces of the requests that its events came with."""

from collections.abc import Sequence

from common.stream_records import EventRecord, StreamRecordError, decode_record
from common.trace_context import Origin, sane_traceparent
from management_api.database.transactions import Database
from management_api.event_consumer.batch_store import BatchStore
from management_api.event_consumer.stream_entry import StreamEntry
from tracing.spans import Attributes, Spans


class TracedStore(BatchStore):
    """Stores as ever."""

    def __init__(self, database: Database, spans: Spans) -> None:
        super().__init__(database)
        self._spans = spans

    def store(self, entries: Sequence[StreamEntry]) -> None:
        """Store the entries; a batch that fails is a span too, and so is each part that is tried by itself."""
        stream = entries[0].stream if entries else ""
        attributes: Attributes = {"messaging.batch.message_count": len(entries), "messaging.destination.name": stream}
        with self._spans.batch("store events", attributes, _origins(entries)):
            super().store(entries)


def _origins(entries: Sequence[StreamEntry]) -> list[Origin]:
    found: list[Origin] = []
    for entry in entries:
        try:
            record = decode_record(entry.body)
        except StreamRecordError:
            # The store keeps it as a dead letter.
            continue
        # Whoever writes to the stream is trusted with much, but not with what our exporter sends.
        if isinstance(record, EventRecord) and record.traceparent and sane_traceparent([record.traceparent]):
            found.append(Origin(record.traceparent, record.request_id))
    return found
