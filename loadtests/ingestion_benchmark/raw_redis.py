"""What Redis itself can take: entries of an event's length, pipelined, on one connection, fsynced before the reply."""

import time
from dataclasses import dataclass

import hiredis
import redis

_ENTRIES_A_TRIP = 1000
_ENTRY_BYTES = 160
_STREAM = "ingestion-benchmark"


@dataclass(frozen=True, slots=True)
class RawRate:
    """Entries a second, and how many there were."""

    rate: float
    answers: int


def load_redis(port: int, seconds: float) -> RawRate:
    """Append to one stream for so long, a thousand entries at a time."""
    command: tuple[str | bytes, ...] = ("XADD", _STREAM, "*", "r", b"x" * _ENTRY_BYTES)
    packed = hiredis.pack_command(command) * _ENTRIES_A_TRIP  # type: ignore[arg-type]  # its types are wrong
    with redis.Redis(port=port, socket_timeout=20) as client:
        connection = client.connection_pool.get_connection()
        start, entries = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            connection.send_packed_command(packed)
            for _ in range(_ENTRIES_A_TRIP):
                connection.read_response()
            entries += _ENTRIES_A_TRIP
        took = time.perf_counter() - start
        client.connection_pool.release(connection)
        client.unlink(_STREAM)
    return RawRate(entries / took, entries)


def forget_events(port: int) -> None:
    """Empty the event streams, which nobody drains."""
    with redis.Redis(port=port) as client:
        for stream in client.scan_iter(match="onboarding:events:*"):
            client.unlink(stream)
