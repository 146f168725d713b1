"""The metrics of the event consumer, and of the streams and dead letters of the installation."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import func, select

from common.redis.connect import ask_each_primary
from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import Histogram, SampleSet
from common.wire.redis_keys import event_streams
from common.wire.used_quotas import DailyQuota
from management_api.background.chores import CONSUMER_CHORES
from management_api.background.health import poll_chores
from management_api.db.engine import Database
from management_api.db.models.analytics import DeadLetter
from management_api.db.pool_metrics import PoolMetrics
from management_api.db.psycopg_connection import driver_cursor
from management_api.db.transient_errors import OUTAGES
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.stream import stream_state
from management_api.rollups.usage import Usage, find_used_quotas

_REDIS_OUTAGES = (RedisError, OSError)

_LETTERS = select(func.count(), func.count(DeadLetter.replayed_at))


@dataclass(slots=True)
class WorkerMetrics:
    """The counters of one stream worker since its start; only its own thread updates them."""

    #: Entries committed to PostgreSQL, repeated ones included.
    stored: int = 0
    batches: int = 0
    dead_letters: int = 0
    #: Entries left for later because their project's rows are locked.
    deferred: int = 0
    #: Entries claimed from ended consumers, or tried again.
    claimed: int = 0
    outages: int = 0
    #: How often Redis had lost the stream, by the consumer that found it first.
    lost_streams: int = 0
    #: Whether the last attempt reached PostgreSQL and Redis.
    is_healthy: bool = True
    #: Monotonic seconds of the end of the last step, also of a failed one.
    last_step_at: float = 0.0
    #: The time to store each batch.
    durations: Histogram = field(default_factory=Histogram)


@dataclass(frozen=True, slots=True)
class ConsumerState:
    """The counters of one consumer since its start, and whether it is healthy (`EventConsumer.is_healthy`)."""

    name: str
    is_healthy: bool
    #: The former name of `is_healthy`, until release 0.4.
    is_well: bool
    stored: int
    batches: int
    dead_letters: int
    deferred: int
    claimed: int
    outages: int


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Events by outcome: stored, stored before, deleted or erased, of a project that was never in the database."""

    new: int = 0
    repeated: int = 0
    dropped: int = 0
    unknown: int = 0


class EventCounter:
    """Adds up the counts of all stream workers, whose threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counts = EventCounts()

    def add(self, more: EventCounts) -> None:
        """Count a batch, once it is committed."""
        with self._lock:
            now = self.counts
            self.counts = EventCounts(
                now.new + more.new,
                now.repeated + more.repeated,
                now.dropped + more.dropped,
                now.unknown + more.unknown,
            )


@contextmanager
def serve_consumer_metrics(
    settings: ConsumerSettings,
    workers: Sequence[WorkerMetrics],
    events: EventCounter,
    database: Database,
    redis: Redis,
    quotas: Usage,
    *,
    is_healthy: Callable[[], bool],
) -> Iterator[None]:
    """Serve the metrics for the length of the block."""
    streams = PollingCollector(lambda samples: poll_redis(redis, samples), _REDIS_OUTAGES)
    letters = PollingCollector(lambda samples: poll_dead_letters(database, samples), OUTAGES)
    names = [chore.name for chore in CONSUMER_CHORES]
    chores = PollingCollector(lambda samples: poll_chores("consumer", database, names, samples), OUTAGES)
    used_quotas = PollingCollector(lambda samples: poll_quotas(database, quotas, samples), OUTAGES)
    collectors = (
        lambda samples: collect_counters(workers, events, samples),
        streams.collect,
        letters.collect,
        chores.collect,
        used_quotas.collect,
        lambda samples: samples.add(catalogue.HEALTHY, is_healthy()),
        PoolMetrics("consumer", database).collect,
    )
    with (
        streams,
        letters,
        chores,
        used_quotas,
        serve_process_metrics("consumer", settings, port=settings.consumer_metrics_port, collectors=collectors),
    ):
        yield


def collect_counters(workers: Sequence[WorkerMetrics], events: EventCounter, samples: SampleSet) -> None:
    """Add the counters of all stream workers; the thread of each one updates its own."""
    counts = events.counts
    samples.add(catalogue.ENTRIES, sum(worker.stored for worker in workers), "stored")
    samples.add(catalogue.ENTRIES, sum(worker.dead_letters for worker in workers), "dead_letter")
    samples.add(catalogue.ENTRIES, sum(worker.deferred for worker in workers), "deferred")
    samples.add(catalogue.EVENTS, counts.new, "new")
    samples.add(catalogue.EVENTS, counts.repeated, "repeated")
    samples.add(catalogue.EVENTS, counts.dropped, "dropped")
    samples.add(catalogue.EVENTS, counts.unknown, "unknown_project")
    samples.add_histograms(catalogue.BATCH_SECONDS, [worker.durations for worker in workers])
    samples.add(catalogue.CLAIMED, sum(worker.claimed for worker in workers))
    samples.add(catalogue.OUTAGES, sum(worker.outages for worker in workers))
    samples.add(catalogue.LOST_STREAMS, sum(worker.lost_streams for worker in workers))
    samples.add(catalogue.LAST_STEP, time.monotonic() - min(worker.last_step_at for worker in workers))


def poll_redis(redis: Redis, samples: SampleSet) -> None:
    """Add the state of the event streams, and the memory of the fullest node. Raises RedisError without a server.

    In a Cluster, a server that does not respond leaves out its streams.
    """
    for stream in event_streams():
        try:
            state = stream_state(redis, stream)
        except RedisError:
            redis.ping()
            continue
        samples.add(catalogue.STREAM_WAITING, state.waiting, stream)
        samples.add(catalogue.STREAM_PENDING, state.pending, stream)
        samples.add(catalogue.STREAM_OLDEST, state.oldest_seconds, stream)
        samples.add(catalogue.STREAM_CONSUMERS, len(state.consumers), stream)
        samples.add(catalogue.STREAM_ADDED, state.added, stream)
    fullest = max(_memories(redis), key=_fullness, default=None)
    if fullest is not None:
        samples.add(catalogue.REDIS_USED, fullest[0])
        samples.add(catalogue.REDIS_LIMIT, fullest[1])


def poll_dead_letters(database: Database, samples: SampleSet) -> None:
    """Add the numbers of dead letters. Raises UnavailableError."""
    with database.reading() as session:
        letters, replayed = session.execute(_LETTERS).one()
    samples.add(catalogue.DEAD_LETTERS, letters - replayed, "waiting")
    samples.add(catalogue.DEAD_LETTERS, replayed, "replayed")


def poll_quotas(database: Database, quotas: Usage, samples: SampleSet) -> None:
    """Add the number of projects that have used up each quota of the day. Raises UnavailableError."""
    with database.reading() as session:
        used = find_used_quotas(driver_cursor(session), quotas)
    for quota in DailyQuota:
        samples.add(catalogue.OVER_QUOTA, sum(quota in names for names in used.projects.values()), quota)


def _memories(redis: Redis) -> Iterator[tuple[int, int]]:
    """Yield the bytes that each server uses, and its limit, 0 without one."""
    for memory in ask_each_primary(redis, "INFO", "memory").values():
        if isinstance(memory, Exception):
            redis.ping()
        else:
            yield int(memory["used_memory"]), int(memory.get("maxmemory", 0))


def _fullness(memory: tuple[int, int]) -> tuple[float, int]:
    used, limit = memory
    return (used / limit if limit else 0.0, used)
