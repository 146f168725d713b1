"""What waits in the streams and among the dead letters, of the whole installation, asked of Redis and PostgreSQL."""

from typing import Any

import psycopg
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.redis.connect import primaries
from common.telemetry.catalogue import consumer as catalogue
from common.telemetry.samples import SampleSet
from common.wire.redis_keys import event_streams
from management_api.database.events import DeadLetter
from management_api.database.transactions import Database
from management_api.event_consumer.figures import stream_figures

#: What Redis being away looks like to whoever asks it, and PostgreSQL.
REDIS_OUTAGES = (RedisError, OSError)
DATABASE_OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error)

_LETTERS = select(func.count(), func.count(DeadLetter.replayed_at))


class RedisFigures:
    """Asks in the caller's thread."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def ask(self, samples: SampleSet) -> None:
        """Ask Redis. Raises RedisError."""
        for stream in event_streams():
            figures = stream_figures(self._redis, stream)
            samples.add(catalogue.STREAM_WAITING, figures.waiting, stream)
            samples.add(catalogue.STREAM_PENDING, figures.pending, stream)
            samples.add(catalogue.STREAM_OLDEST, figures.oldest_seconds, stream)
            samples.add(catalogue.STREAM_CONSUMERS, len(figures.consumers), stream)
            samples.add(catalogue.STREAM_ADDED, figures.added, stream)
        used, limit = max(map(_memory_of, primaries(self._redis)), key=_fullness)
        samples.add(catalogue.REDIS_USED, used)
        samples.add(catalogue.REDIS_LIMIT, limit)


class DeadLetterFigures:
    """Asks in the caller's thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, samples: SampleSet) -> None:
        """Ask PostgreSQL. Raises UnavailableError."""
        with self._database.reading_objects() as session:
            letters, replayed = session.execute(_LETTERS).one()
        samples.add(catalogue.DEAD_LETTERS, letters - replayed, "waiting")
        samples.add(catalogue.DEAD_LETTERS, replayed, "replayed")


def _memory_of(node: Redis) -> tuple[int, int]:
    """Give the bytes that a node uses, and those that it may use, 0 without a limit."""
    memory: Any = node.info("memory")
    return int(memory["used_memory"]), int(memory.get("maxmemory", 0))


def _fullness(memory: tuple[int, int]) -> tuple[float, int]:
    used, limit = memory
    return (used / limit if limit else 0.0, used)
