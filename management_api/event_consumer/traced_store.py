"""A batch store that makes a span for each batch, linked with the traces of its events."""

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
    """Stores batches with spans."""

    def __init__(self, database: Database, spans: "Spans", *, id_filter_mb: int) -> None:
        super().__init__(database, id_filter_mb=id_filter_mb)
        self._spans = spans

    def store_prepared(self, batch: PreparedBatch) -> None:
        """Store the batch in a span; failed batches, and the parts of bisected ones, have spans too."""
        entries = batch.entries
        stream = entries[0].stream if entries else ""
        attributes: Attributes = {"messaging.batch.message_count": len(entries), "messaging.destination.name": stream}
        with self._spans.batch("store events", attributes, _origins(batch.activity.events)):
            super().store_prepared(batch)


def _origins(events: Sequence[EventRow]) -> list[TraceOrigin]:
    records = [event.record for event in events]
    # Writers of the stream are not trusted with the content of exported spans.
    return [
        TraceOrigin(record.traceparent, record.request_id)
        for record in records
        if record.traceparent and valid_traceparent([record.traceparent])
    ]
