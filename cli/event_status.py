"""How events stand on their way from the edge to PostgreSQL, at one moment."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import redis
from rich.table import Table

from cli.spool_files import spool_folder, spooled_bytes
from common.wire.redis_keys import event_streams
from deploy.local.settings import StackSettings
from management_api.db.engine import Database
from management_api.event_consumer.dead_letters import DeadLetterSummary, summarize_dead_letters
from management_api.event_consumer.stream import StreamState, stream_state


@dataclass(frozen=True, slots=True)
class EventStatus:
    """Rates are events a second, over the time that was asked for."""

    waiting: int
    pending: int
    oldest_seconds: float
    arriving_a_second: float
    stored_a_second: float
    #: Bytes that wait in the spools of the edges of this machine; None where no spool is known of.
    spool_bytes: int | None
    streams: list[StreamState]
    dead_letters: list[DeadLetterSummary]


def read_event_status(settings: StackSettings, database: Database, client: redis.Redis, seconds: float) -> EventStatus:
    """Read it all; takes as long as rates are to be measured."""
    begun = time.monotonic()
    before = [stream_state(client, stream) for stream in event_streams()]
    time.sleep(seconds)
    streams = [stream_state(client, stream) for stream in event_streams()]
    elapsed = time.monotonic() - begun
    with database.reading() as session:
        letters = summarize_dead_letters(session)
    return EventStatus(
        waiting=sum(stream.waiting for stream in streams),
        pending=sum(stream.pending for stream in streams),
        oldest_seconds=max(stream.oldest_seconds for stream in streams),
        arriving_a_second=_rate(sum(each.added for each in streams) - sum(each.added for each in before), elapsed),
        stored_a_second=_rate(sum(each.done for each in streams) - sum(each.done for each in before), elapsed),
        spool_bytes=spooled_bytes(spool_folder(settings)),
        streams=streams,
        dead_letters=letters,
    )


def status_tables(status: EventStatus) -> Iterator[Table]:
    """Lay it out for people."""
    streams = Table("stream", "waiting", "of them read", "oldest (s)", title="Events that are not in PostgreSQL yet")
    for stream in status.streams:
        streams.add_row(stream.stream, f"{stream.waiting:,}", f"{stream.pending:,}", f"{stream.oldest_seconds:.1f}")
    streams.add_section()
    streams.add_row("all", f"{status.waiting:,}", f"{status.pending:,}", f"{status.oldest_seconds:.1f}")
    yield streams
    yield _consumers(status)
    rates = Table("arriving (events/s)", "stored (events/s)", "waiting in the spool", title="Rates")
    spool = "not known here" if status.spool_bytes is None else f"{status.spool_bytes:,} bytes"
    rates.add_row(f"{status.arriving_a_second:,.0f}", f"{status.stored_a_second:,.0f}", spool)
    yield rates
    if status.dead_letters:
        letters = Table("reason", "letters", "being replayed", "oldest", title="Dead letters")
        for kind in status.dead_letters:
            oldest = kind.oldest_at.isoformat(timespec="seconds")
            letters.add_row(kind.kind, f"{kind.letters:,}", f"{kind.replayed:,}", oldest)
        yield letters


def _consumers(status: EventStatus) -> Table:
    pending: dict[str, int] = {}
    silent: dict[str, int] = {}
    for consumer in (each for stream in status.streams for each in stream.consumers):
        pending[consumer.name] = pending.get(consumer.name, 0) + consumer.pending
        silent[consumer.name] = min(silent.get(consumer.name, consumer.silent_ms), consumer.silent_ms)
    consumers = Table("consumer", "pending", "silent for (s)", title="Consumers" if pending else "No consumer")
    for name in sorted(pending):
        consumers.add_row(name, f"{pending[name]:,}", f"{silent[name] / 1000:.1f}")
    return consumers


def _rate(count: int, seconds: float) -> float:
    return round(max(0, count) / seconds, 1)
