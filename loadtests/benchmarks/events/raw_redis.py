"""Measures Redis: entries as long as an event, pipelined on one connection, fsynced before the reply."""

import socket
import time
from dataclasses import dataclass

import hiredis
import redis

_ENTRIES_A_TRIP = 1000
_ENTRY_BYTES = 160
_STREAM = "ingestion-benchmark"
_STALL_SECONDS = 20.0
_CHUNK = 262_144


@dataclass(frozen=True, slots=True)
class RawRate:
    """Entries a second, and their number."""

    rate: float
    entries: int


def load_redis(port: int, seconds: float) -> RawRate:
    """Append to one stream for this time, a thousand entries at a time."""
    command: tuple[str | bytes, ...] = ("XADD", _STREAM, "*", "r", b"x" * _ENTRY_BYTES)
    packed = hiredis.pack_command(command) * _ENTRIES_A_TRIP  # type: ignore[arg-type]  # its types are wrong
    reader, entries = hiredis.Reader(), 0
    with socket.create_connection(("127.0.0.1", port), timeout=_STALL_SECONDS) as connection:
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            connection.sendall(packed)
            missing = _ENTRIES_A_TRIP
            while missing:
                reader.feed(connection.recv(_CHUNK))
                while reader.gets() is not False:
                    missing -= 1
            entries += _ENTRIES_A_TRIP
        took = time.perf_counter() - start
    with redis.Redis(port=port) as client:
        client.unlink(_STREAM)
    return RawRate(entries / took, entries)


def delete_events(port: int) -> None:
    """Delete the event streams, because this benchmark runs no consumer."""
    with redis.Redis(port=port) as client:
        for stream in client.scan_iter(match="onboarding:events:*"):
            client.unlink(stream)
