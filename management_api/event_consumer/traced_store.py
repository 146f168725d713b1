"""A store whose batches are spans, each seen in the traces of the requests that its events came with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from common.telemetry.tracing import Attributes, TraceOrigin, valid_traceparent
from management_api.database.transactions import Database
from management_api.event_consumer.batch_store import BatchStore
from management_api.event_consumer.event_rows import EventRow
from management_api.event_consumer.preparation import PreparedBatch

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans


class TracedStore(BatchStore):
    """Stores as ever."""

    def __init__(self, database: Database, spans: "Spans", *, id_filter_mb: int) -> None:
        super().__init__(database, id_filter_mb=id_filter_mb)
        self._spans = spans

    def store_prepared(self, batch: PreparedBatch) -> None:
        """Store the batch; one that fails is a span too, and so is each part that is tried by itself."""
        entries = batch.entries
        stream = entries[0].stream if entries else ""
        attributes: Attributes = {"messaging.batch.message_count": len(entries), "messaging.destination.name": stream}
        with self._spans.batch("store events", attributes, _origins(batch.activity.events)):
            super().store_prepared(batch)


def _origins(events: Sequence[EventRow]) -> list[TraceOrigin]:
    records = [event.record for event in events]
    # Whoever writes to the stream is trusted with much, but not with what our exporter sends.
    return [
        TraceOrigin(record.traceparent, record.request_id)
        for record in records
        if record.traceparent and valid_traceparent([record.traceparent])
    ]
