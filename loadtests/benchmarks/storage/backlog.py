"""The rate at which event consumers drain a backlog of one project: they read from Redis, store and acknowledge."""

import multiprocessing
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier, Event

from redis import Redis

from common.process import ShutdownSignal, tune_gc
from common.wire.redis_keys import EVENT_FIELD, event_stream_of, event_streams
from common.wire.stream_records import EventRecord, encode_record
from management_api.background.chores import CONSUMER_CHORES, ChoreContext
from management_api.background.runner import ChoreRunner
from management_api.db.engine import Database
from management_api.event_consumer.main import EventConsumer
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import connect
from management_api.rollups.usage import quotas_of

#: The interval between two looks at the streams.
POLL_SECONDS = 0.02
_PROCESSES = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Drained:
    """Events of a backlog, the seconds until none was left, and the processor seconds of each consumer."""

    events: int
    seconds: float
    processors: Sequence[float]


def drain(settings: ConsumerSettings, batches: Iterable[Sequence[EventRecord]], consumers: int) -> Drained:
    """Send the events to their streams, and drain them by this number of consumers, each a process."""
    start, stop = _PROCESSES.Barrier(consumers + 1), _PROCESSES.Event()
    pipes = [_PROCESSES.Pipe(duplex=False) for _ in range(consumers)]
    processes = [
        _PROCESSES.Process(target=_consume, args=(settings, start, stop, sender), daemon=True) for _, sender in pipes
    ]
    with connect(settings.redis_url.get_secret_value()) as client:
        events = sum(_send(client, batch) for batch in batches)
        for process in processes:
            process.start()
        start.wait()
        started_at = time.perf_counter()
        while any(client.xlen(stream) for stream in event_streams()):
            if not all(process.is_alive() for process in processes):
                raise RuntimeError("an event consumer has ended before its backlog")
            time.sleep(POLL_SECONDS)
        seconds = time.perf_counter() - started_at
    stop.set()
    processors = [receiver.recv() for receiver, _ in pipes]
    for process in processes:
        process.join()
    return Drained(events, seconds, processors)


def _consume(settings: ConsumerSettings, start: Barrier, stop: Event, sender: Connection) -> None:
    """Consume until the stop is set, and send the processor seconds of that time."""
    tune_gc()
    database = Database(settings)
    with connect(settings.redis_url.get_secret_value()) as client:
        quotas = quotas_of(settings)
        context = ChoreContext(database, client, settings.event_retention_days, settings.rollup_max_keys, quotas)
        chores = [chore for chore in CONSUMER_CHORES if chore.name == "counting"]
        runner = ChoreRunner(database, chores, context, context.stop)
        consumer = EventConsumer(settings, client, BatchStore(database), runner)
        signal = ShutdownSignal()
        thread = threading.Thread(target=consumer.run_until, args=(signal,))
        start.wait()
        used = time.process_time()
        thread.start()
        stop.wait()
        sender.send(time.process_time() - used)
        signal.set()
        thread.join()
    database.close()


def _send(client: Redis, batch: Sequence[EventRecord]) -> int:
    with client.pipeline(transaction=False) as pipeline:
        for record in batch:
            stream = event_stream_of(record.project_id, record.device_id)
            pipeline.xadd(stream, {EVENT_FIELD: encode_record(record)})
        pipeline.execute()
    return len(batch)
