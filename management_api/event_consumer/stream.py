"""One event stream in Redis: its consumer group (reading, claiming, acknowledging), and its state.

Entries that were delivered and not acknowledged stay with their consumer in Redis, so this module keeps no state. Every
command touches one stream, so that the streams may live on different nodes of a Redis Cluster.
"""

import os
import secrets
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from redis import Redis
from redis.exceptions import ResponseError

from common.redis.connect import connect as connect_redis
from common.wire.redis_keys import AGE_FIELD, ATTEMPTS_FIELD, DEAD_LETTER_FIELD, EVENT_FIELD, EVENT_GROUP

#: Before every entry.
FIRST_ID = "0-0"

#: Behind every entry. Not the greatest id: Redis reads it as `>`, new entries.
_LAST_ID = "18446744073709551615-18446744073709551614"

#: Replies without redis-py's conversion: a dictionary of each entry would take most of the time.
_RAW_REPLIES = ("XREADGROUP", "XCLAIM", "XPENDING")

#: Removes consumer ARGV[2] of group ARGV[1] if it has no pending entries: they would be lost with it.
REMOVE_CONSUMER = """
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then
  return 0
end
return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
"""

#: The id of an entry, and its fields and their values in turn; None when it was deleted while it was pending.
_RawEntry = tuple[bytes, list[bytes] | None]


class StreamEntry(msgspec.Struct, frozen=True, gc=False):
    """One entry of an event stream. `body` is the encoded record; it is empty in an entry of another writer.

    An entry that was a dead letter before carries the letter's id and the number of its failures.
    """

    stream: str
    entry_id: str
    body: bytes
    dead_letter_id: int | None = None
    failures: int = 0
    #: The milliseconds that it lay in a spool before.
    age_ms: int = 0

    @property
    def accepted_at_ms(self) -> int:
        """When the edge accepted it, by the clock of Redis, which numbers the entries."""
        return int(self.entry_id.partition("-")[0]) - self.age_ms


@dataclass(frozen=True, slots=True)
class GroupConsumer:
    """A consumer of one stream: its entries that are read and not acknowledged, and the time since its last command."""

    name: str
    pending: int
    idle_ms: int


@dataclass(frozen=True, slots=True)
class StreamState:
    """The state of one event stream. All of its entries are waiting, because stored ones are deleted."""

    stream: str
    #: Entries that are not committed to PostgreSQL: the lag.
    waiting: int
    #: Those among them that a consumer has read.
    pending: int
    #: Entries ever added.
    added: int
    oldest_seconds: float
    consumers: tuple[GroupConsumer, ...]

    @property
    def done(self) -> int:
        """Entries ever committed, in any order."""
        return self.added - self.waiting


def connect(redis_url: str) -> Redis:
    """Return the client of a consumer, which never repeats a command by itself; replies have their RESP2 shape."""
    client = connect_redis(redis_url, reply_seconds=10, connect_seconds=5, protocol=2)
    for command in _RAW_REPLIES:
        client.set_response_callback(command, _unchanged)
    return client


def new_consumer_name() -> str:
    """Return a name that no other process has or had, with the host and the process id."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"


class EventStream:
    """One stream, for one consumer of its group."""

    def __init__(self, redis: Redis, stream: str, consumer: str) -> None:
        self.stream = stream
        self._redis = redis
        self._consumer = consumer

    def create_group(self) -> bool:
        """Create the group, from the stream's first entry; return whether it did not exist."""
        try:
            self._redis.xgroup_create(self.stream, EVENT_GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise
            return False
        return True

    def read_new(self, count: int, *, block_ms: int | None = None) -> list[StreamEntry]:
        """Read entries that no consumer has read; waits for the first one, unless `block_ms` is None.

        Raises ResponseError when there is no group.
        """
        return list(self._read(">", count, block_ms))

    def read_own(self, count: int, *, after: str = FIRST_ID) -> list[StreamEntry]:
        """Read entries that this consumer has read and not acknowledged, in the order of the stream."""
        return list(self._read(after, count, None))

    def claim_stale(self, *, min_idle_ms: int, count: int) -> list[StreamEntry]:
        """Claim entries of one other consumer without a heartbeat for so long.

        A live consumer that is slow sends heartbeats, and so keeps its entries.
        """
        for consumer in group_consumers(self._redis, self.stream):
            if consumer.pending and consumer.name != self._consumer and consumer.idle_ms >= min_idle_ms:
                found: Any = self._redis.xpending_range(
                    self.stream, EVENT_GROUP, "-", "+", count, consumername=consumer.name, idle=min_idle_ms
                )
                ids = [entry_id for entry_id, *_ in found]
                if ids:
                    # A claim resets the idle time, so of two consumers only one gets each entry.
                    claimed: Any = self._redis.xclaim(self.stream, EVENT_GROUP, self._consumer, min_idle_ms, ids)
                    return list(self._entries(claimed))
        return []

    def send_heartbeat(self) -> None:
        """Reset the idle time of this consumer, however long its batch takes."""
        self._read(_LAST_ID, 1, None)

    def disconnect(self) -> None:
        """Close the idle connections; the next command connects again, perhaps to another server."""
        self._redis.connection_pool.disconnect(inuse_connections=False)

    def acknowledge(self, entries: Sequence[StreamEntry]) -> None:
        """Acknowledge entries and delete them, both or neither: an entry without a reader would stay for ever."""
        if entries:
            ids = [entry.entry_id for entry in entries]
            with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.xack(self.stream, EVENT_GROUP, *ids)
                pipeline.xdel(self.stream, *ids)
                pipeline.execute()

    def remove_idle_consumers(self, *, min_idle_ms: int) -> None:
        """Remove consumers without a heartbeat for so long and without pending entries."""
        for consumer in group_consumers(self._redis, self.stream):
            if not consumer.pending and consumer.idle_ms >= min_idle_ms:
                self._remove(consumer.name)

    def deregister(self) -> None:
        """Remove this consumer from the group, unless it has pending entries, which others claim."""
        self._remove(self._consumer)

    def _remove(self, consumer: str) -> None:
        self._redis.eval(REMOVE_CONSUMER, 1, self.stream, EVENT_GROUP, consumer)

    def _read(self, after: str, count: int, block_ms: int | None) -> Iterator[StreamEntry]:
        reply: Any = self._redis.xreadgroup(
            EVENT_GROUP, self._consumer, {self.stream: after}, count=count, block=block_ms
        )
        return self._entries(reply[0][1] if reply else ())

    def _entries(self, found: Sequence[_RawEntry]) -> Iterator[StreamEntry]:
        """Convert entries; one that was deleted while it was pending has no fields, and is acknowledged."""
        gone = [entry_id for entry_id, fields in found if fields is None]
        if gone:
            self._redis.xack(self.stream, EVENT_GROUP, *gone)
        return (_entry(self.stream, entry_id, fields) for entry_id, fields in found if fields is not None)


def _entry(stream: str, entry_id: bytes, fields: list[bytes]) -> StreamEntry:
    # As the edge writes it; the comparison is quicker than a dictionary.
    if len(fields) == 2 and fields[0] == _EVENT_FIELD:  # noqa: PLR2004 - a name and a value
        return StreamEntry(stream, entry_id.decode(), fields[1])
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    letter, failures = values.get(DEAD_LETTER_FIELD.encode(), b""), values.get(ATTEMPTS_FIELD.encode(), b"")
    age = values.get(AGE_FIELD.encode(), b"")
    return StreamEntry(
        stream,
        entry_id.decode(),
        values.get(_EVENT_FIELD, b""),
        int(letter) if letter.isdigit() else None,
        int(failures) if failures.isdigit() else 0,
        int(age) if age.isdigit() else 0,
    )


_EVENT_FIELD = EVENT_FIELD.encode()


def _unchanged(reply: object, **_options: object) -> object:
    return reply


def group_consumers(redis: Redis, stream: str) -> list[GroupConsumer]:
    """Return the consumers of the group of one stream. Raises RedisError."""
    found: Any = redis.xinfo_consumers(stream, EVENT_GROUP)
    return [GroupConsumer(consumer["name"].decode(), consumer["pending"], consumer["idle"]) for consumer in found]


def stream_state(redis: Redis, stream: str) -> StreamState:
    """Read the state of one stream; all zeros where there is none. Raises RedisError."""
    if not redis.exists(stream):
        return StreamState(stream, 0, 0, 0, 0.0, ())
    info: Any = redis.xinfo_stream(stream)
    groups: Any = redis.xinfo_groups(stream)
    has_group = any(group["name"] == EVENT_GROUP.encode() for group in groups)
    consumers = tuple(group_consumers(redis, stream)) if has_group else ()
    oldest: Any = info["first-entry"]
    return StreamState(
        stream=stream,
        waiting=info["length"],
        pending=sum(consumer.pending for consumer in consumers),
        added=info["entries-added"],
        oldest_seconds=_age_seconds(redis, oldest[0]) if oldest else 0.0,
        consumers=consumers,
    )


def _age_seconds(redis: Redis, entry_id: bytes) -> float:
    """Return the age of an entry by Redis's own clock, which made the id."""
    seconds, microseconds = redis.time()
    made_ms = int(entry_id.partition(b"-")[0])
    return max(0.0, float(seconds) + float(microseconds) / 1e6 - made_ms / 1000)
