"""What can be known of the event streams from Redis, and of one consumer from itself; the seam for metrics."""

from dataclasses import dataclass
from typing import Any

from redis import Redis

from common.wire.redis_keys import EVENT_GROUP


@dataclass(frozen=True, slots=True)
class PendingOfConsumer:
    """A consumer of one stream: what it has read and not acknowledged, and for how long it has been silent."""

    name: str
    pending: int
    silent_ms: int


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """One event stream. Everything in it is waiting, because what is committed to PostgreSQL is deleted."""

    stream: str
    #: Entries that are not committed to PostgreSQL: the lag.
    waiting: int
    #: Those among them that a consumer has read.
    pending: int
    #: Entries ever added; the difference of two readings is what came between them.
    added: int
    oldest_seconds: float
    consumers: tuple[PendingOfConsumer, ...]

    @property
    def done(self) -> int:
        """Entries ever committed, in any order; the difference of two readings is what was done between them."""
        return self.added - self.waiting


@dataclass(frozen=True, slots=True)
class ConsumerFigures:
    """What one consumer has done since it started (counters), and whether it is well (`EventConsumer.is_well`)."""

    name: str
    is_well: bool
    stored: int
    batches: int
    dead_letters: int
    held_back: int
    taken_over: int
    outages: int


def stream_figures(redis: Redis, stream: str) -> StreamFigures:
    """Read the figures of one stream; of one that is not there yet, zeros. Raises RedisError."""
    if not redis.exists(stream):
        return StreamFigures(stream, 0, 0, 0, 0.0, ())
    info: Any = redis.xinfo_stream(stream)
    groups: Any = redis.xinfo_groups(stream)
    has_group = any(group["name"] == EVENT_GROUP.encode() for group in groups)
    found: Any = redis.xinfo_consumers(stream, EVENT_GROUP) if has_group else ()
    consumers = tuple(PendingOfConsumer(each["name"].decode(), each["pending"], each["idle"]) for each in found)
    oldest: Any = info["first-entry"]
    return StreamFigures(
        stream=stream,
        waiting=info["length"],
        pending=sum(consumer.pending for consumer in consumers),
        added=info["entries-added"],
        oldest_seconds=_age_seconds(redis, oldest[0]) if oldest else 0.0,
        consumers=consumers,
    )


def _age_seconds(redis: Redis, entry_id: bytes) -> float:
    """Compare with Redis's own clock, which made the id."""
    seconds, microseconds = redis.time()
    made_ms = int(entry_id.partition(b"-")[0])
    return max(0.0, float(seconds) + float(microseconds) / 1e6 - made_ms / 1000)
