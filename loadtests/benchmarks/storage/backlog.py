"""How fast a whole event consumer drains a backlog: read from Redis, stored, acknowledged. Operators size by it."""

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redis import Redis

from common.process import ShutdownSignal
from common.wire.redis_keys import EVENT_FIELD, event_stream_of, event_streams
from common.wire.stream_records import EventRecord, encode_record
from management_api.db.engine import Database
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import connect

#: Between two looks at what is left.
LOOK_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Drained:
    """Events of a backlog, the seconds until none was left, and this process's processor time."""

    events: int
    seconds: float
    processor: float


def drain(settings: ConsumerSettings, database: Database, batches: Iterable[Sequence[EventRecord]]) -> Drained:
    """Put the events into their streams, and let one consumer drain them."""
    with connect(settings.redis_url.get_secret_value()) as client:
        events = sum(_send(client, batch) for batch in batches)
        consumer, stop = EventConsumer(settings, client, BatchStore(database)), ShutdownSignal()
        thread = threading.Thread(target=consumer.run_until, args=(stop,))
        start, used = time.perf_counter(), time.process_time()
        thread.start()
        while any(client.xlen(stream) for stream in event_streams()):
            time.sleep(LOOK_SECONDS)
        drained = Drained(events, time.perf_counter() - start, time.process_time() - used)
        stop.set()
        thread.join()
    return drained


def _send(client: Redis, batch: Sequence[EventRecord]) -> int:
    with client.pipeline(transaction=False) as pipeline:
        for record in batch:
            pipeline.xadd(event_stream_of(record.project_id), {EVENT_FIELD: encode_record(record)})
        pipeline.execute()
    return len(batch)
