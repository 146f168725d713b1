"""The rate at which a whole event consumer drains a backlog: it reads from Redis, stores and acknowledges."""

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redis import Redis

from common.process import ShutdownSignal
from common.wire.redis_keys import EVENT_FIELD, event_stream_of
from common.wire.stream_records import EventRecord, encode_record
from management_api.db.engine import Database
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import connect

#: The interval between two looks at the counters of the consumer.
POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Drained:
    """Events of a backlog, the seconds until none was left, and this process's processor time."""

    events: int
    seconds: float
    processor: float


def drain(settings: ConsumerSettings, database: Database, batches: Iterable[Sequence[EventRecord]]) -> Drained:
    """Send the events to their streams, and drain them by one consumer."""
    with connect(settings.redis_url.get_secret_value()) as client:
        events = sum(_send(client, batch) for batch in batches)
        consumer, stop = EventConsumer(settings, client, BatchStore(database)), ShutdownSignal()
        thread = threading.Thread(target=consumer.run_until, args=(stop,))
        start, used = time.perf_counter(), time.process_time()
        thread.start()
        while consumer.state().stored < events:
            if not thread.is_alive():
                raise RuntimeError("the event consumer has ended before its backlog")
            time.sleep(POLL_SECONDS)
        drained = Drained(events, time.perf_counter() - start, time.process_time() - used)
        stop.set()
        thread.join()
    return drained


def _send(client: Redis, batch: Sequence[EventRecord]) -> int:
    with client.pipeline(transaction=False) as pipeline:
        for record in batch:
            pipeline.xadd(event_stream_of(record.project_id, record.device_id), {EVENT_FIELD: encode_record(record)})
        pipeline.execute()
    return len(batch)
