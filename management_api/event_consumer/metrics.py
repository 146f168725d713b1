"""The metrics of the event consumer, and of the streams and dead letters of the installation."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.redis.connect import primaries
from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.exporter import serve_process_metrics
from common.telemetry.reporting import PollingCollector
from common.telemetry.samples import SampleSet
from common.wire.redis_keys import event_streams
from management_api.database.driver import driver_cursor
from management_api.database.events import DeadLetter
from management_api.database.maintenance_chores import chore_states
from management_api.database.pool_metrics import PoolMetrics
from management_api.database.transactions import Database
from management_api.event_consumer.event_tally import EventTally
from management_api.event_consumer.figures import stream_figures
from management_api.event_consumer.settings import ConsumerSettings
from management_api.event_consumer.tally import Tally

_REDIS_OUTAGES = (RedisError, OSError)
_DATABASE_OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)

_LETTERS = select(func.count(), func.count(DeadLetter.replayed_at))


@contextmanager
def serve_consumer_metrics(
    settings: ConsumerSettings,
    tallies: Sequence[Tally],
    events: EventTally,
    database: Database,
    redis: Redis,
    *,
    is_well: Callable[[], bool],
) -> Iterator[None]:
    """Serve the metrics for the length of the block."""
    streams = PollingCollector(lambda samples: poll_redis(redis, samples), _REDIS_OUTAGES)
    letters = PollingCollector(lambda samples: poll_dead_letters(database, samples), _DATABASE_OUTAGES)
    maintenance = PollingCollector(lambda samples: poll_maintenance(database, samples), _DATABASE_OUTAGES)
    collectors = (
        lambda samples: collect_tallies(tallies, events, samples),
        streams.collect,
        letters.collect,
        maintenance.collect,
        lambda samples: samples.add(catalogue.IS_WELL, is_well()),
        PoolMetrics("consumer", database).collect,
    )
    with (
        streams,
        letters,
        maintenance,
        serve_process_metrics("consumer", settings, port=settings.consumer_metrics_port, collectors=collectors),
    ):
        yield


def collect_tallies(tallies: Sequence[Tally], events: EventTally, samples: SampleSet) -> None:
    """Add the counters of all stream workers; the thread of each one updates its own."""
    counts = events.counts
    samples.add(catalogue.ENTRIES, sum(tally.stored for tally in tallies), "stored")
    samples.add(catalogue.ENTRIES, sum(tally.dead_letters for tally in tallies), "dead_letter")
    samples.add(catalogue.ENTRIES, sum(tally.held_back for tally in tallies), "held_back")
    samples.add(catalogue.EVENTS, counts.new, "new")
    samples.add(catalogue.EVENTS, counts.repeated, "repeated")
    samples.add(catalogue.EVENTS, counts.dropped, "dropped")
    samples.add(catalogue.EVENTS, counts.unknown, "unknown_project")
    samples.add_histograms(catalogue.BATCH_SECONDS, [tally.durations for tally in tallies])
    samples.add(catalogue.TAKEN_OVER, sum(tally.taken_over for tally in tallies))
    samples.add(catalogue.OUTAGES, sum(tally.outages for tally in tallies))
    samples.add(catalogue.LAST_STEP, time.monotonic() - min(tally.last_step_at for tally in tallies))


def poll_redis(redis: Redis, samples: SampleSet) -> None:
    """Add the state of the event streams, and the memory of the fullest node. Raises RedisError."""
    for stream in event_streams():
        state = stream_figures(redis, stream)
        samples.add(catalogue.STREAM_WAITING, state.waiting, stream)
        samples.add(catalogue.STREAM_PENDING, state.pending, stream)
        samples.add(catalogue.STREAM_OLDEST, state.oldest_seconds, stream)
        samples.add(catalogue.STREAM_CONSUMERS, len(state.consumers), stream)
        samples.add(catalogue.STREAM_ADDED, state.added, stream)
    used, limit = max(map(_memory_of, primaries(redis)), key=_fullness)
    samples.add(catalogue.REDIS_USED, used)
    samples.add(catalogue.REDIS_LIMIT, limit)


def poll_dead_letters(database: Database, samples: SampleSet) -> None:
    """Add the numbers of dead letters. Raises UnavailableError."""
    with database.reading_objects() as session:
        letters, replayed = session.execute(_LETTERS).one()
    samples.add(catalogue.DEAD_LETTERS, letters - replayed, "waiting")
    samples.add(catalogue.DEAD_LETTERS, replayed, "replayed")


def poll_maintenance(database: Database, samples: SampleSet) -> None:
    """Add the time since the last success of each maintenance chore. Raises UnavailableError."""
    with database.reading_objects() as session:
        chores = chore_states(driver_cursor(session))
    for chore in chores:
        samples.add(catalogue.MAINTENANCE_AGE, chore.age_seconds, chore.name)


def _memory_of(node: Redis) -> tuple[int, int]:
    """Return the bytes that a node uses, and its limit, 0 without one."""
    memory: Any = node.info("memory")
    return int(memory["used_memory"]), int(memory.get("maxmemory", 0))


def _fullness(memory: tuple[int, int]) -> tuple[float, int]:
    used, limit = memory
    return (used / limit if limit else 0.0, used)
