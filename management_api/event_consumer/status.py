"""The state of events between the edge and PostgreSQL, with rates."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from redis import Redis

from common.wire.redis_keys import event_streams
from management_api.db.engine import Database
from management_api.event_consumer.dead_letters import DeadLetterSummary, summarize_dead_letters
from management_api.event_consumer.stream import StreamState, stream_state


@dataclass(frozen=True, slots=True)
class EventStatus:
    """The sums of all streams; rates are events a second."""

    waiting: int
    pending: int
    oldest_seconds: float
    arriving_a_second: float
    stored_a_second: float
    streams: list[StreamState]
    dead_letters: list[DeadLetterSummary]


def read_event_status(database: Database, client: Redis, seconds: float) -> EventStatus:
    """Read the state of all streams and dead letters, and measure rates over the given time."""
    started_at = time.monotonic()
    before = _stream_states(client)
    time.sleep(seconds)
    streams = _stream_states(client)
    elapsed = time.monotonic() - started_at
    with database.reading() as session:
        dead_letters = summarize_dead_letters(session)
    return EventStatus(
        waiting=sum(stream.waiting for stream in streams),
        pending=sum(stream.pending for stream in streams),
        oldest_seconds=max(stream.oldest_seconds for stream in streams),
        arriving_a_second=_rate([stream.added for stream in before], [stream.added for stream in streams], elapsed),
        stored_a_second=_rate([stream.done for stream in before], [stream.done for stream in streams], elapsed),
        streams=streams,
        dead_letters=dead_letters,
    )


def _stream_states(client: Redis) -> list[StreamState]:
    return [stream_state(client, stream) for stream in event_streams()]


def _rate(before: Sequence[int], after: Sequence[int], seconds: float) -> float:
    return round(max(0, sum(after) - sum(before)) / seconds, 1)
