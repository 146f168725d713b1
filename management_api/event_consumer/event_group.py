"""The consumer group of the event streams: reading, taking over from the dead, acknowledging.

Entries that were delivered and not acknowledged stay with their consumer in Redis, so nothing here is remembered.
"""

import os
import secrets
import socket
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

from common.redis_keys import EVENT_FIELD, EVENT_GROUP, event_streams
from management_api.event_consumer.stream_entry import StreamEntry

#: What Redis calls the start of a stream, and the end of a round of XAUTOCLAIM.
FIRST_ID = "0-0"

#: Removes consumer ARGV[2] of group ARGV[1] if nothing is pending for it: with its pending entries, whatever it had
#: read would be lost for good.
REMOVE_CONSUMER = """
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then
  return 0
end
return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
"""


def connect(redis_url: str) -> Redis:
    """Make the client of a consumer: a command is never sent twice by itself, replies have their plain RESP2 shape."""
    return Redis.from_url(
        redis_url, protocol=2, retry=Retry(NoBackoff(), 0), socket_timeout=10, socket_connect_timeout=5
    )


def new_consumer_name() -> str:
    """Give a name that no other process has, now or before, and that tells an operator where it runs."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"


class EventGroup:
    """The streams as one consumer of the group sees them."""

    def __init__(self, redis: Redis, consumer: str) -> None:
        self._redis = redis
        self._consumer = consumer
        self._streams = event_streams()
        self._reclaim_from = dict.fromkeys(self._streams, FIRST_ID)

    def ensure(self) -> None:
        """Make the group on every stream that lacks it, from the stream's first entry."""
        for stream in self._streams:
            try:
                self._redis.xgroup_create(stream, EVENT_GROUP, id="0", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    def read_new(self, count: int, *, block_ms: int) -> list[StreamEntry]:
        """Take entries that nobody has taken, at most so many of each stream; waits for the first one."""
        return self._read(">", count, block_ms)

    def read_own(self, count: int) -> list[StreamEntry]:
        """Give the first entries that were taken under this name and not acknowledged."""
        return self._read(FIRST_ID, count, None)

    def reclaim(self, *, min_idle_ms: int, count: int) -> list[StreamEntry]:
        """Take over entries that were not acknowledged for so long: one bounded step of a round over each stream."""
        entries: list[StreamEntry] = []
        for stream in self._streams:
            reply: Any = self._redis.xautoclaim(
                stream, EVENT_GROUP, self._consumer, min_idle_ms, self._reclaim_from[stream], count=count
            )
            self._reclaim_from[stream] = reply[0].decode()
            entries.extend(self._entries(stream, reply[1]))
        return entries

    def acknowledge(self, entries: Iterable[StreamEntry]) -> None:
        """Acknowledge entries and delete them, both or neither: an entry without a reader would stay for ever."""
        ids: dict[str, list[str]] = defaultdict(list)
        for entry in entries:
            ids[entry.stream].append(entry.entry_id)
        for stream, stream_ids in ids.items():
            with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.xack(stream, EVENT_GROUP, *stream_ids)
                pipeline.xdel(stream, *stream_ids)
                pipeline.execute()

    def remove_idle_consumers(self, *, min_idle_ms: int) -> None:
        """Remove consumers that have not asked for so long and have nothing pending."""
        for stream in self._streams:
            consumers: Any = self._redis.xinfo_consumers(stream, EVENT_GROUP)
            for consumer in consumers:
                if consumer["idle"] >= min_idle_ms:
                    self._remove(stream, consumer["name"].decode())

    def leave(self) -> None:
        """Remove this consumer; what it has not acknowledged stays and is taken over."""
        for stream in self._streams:
            self._remove(stream, self._consumer)

    def _remove(self, stream: str, consumer: str) -> None:
        self._redis.eval(REMOVE_CONSUMER, 1, stream, EVENT_GROUP, consumer)

    def _read(self, after: str, count: int, block_ms: int | None) -> list[StreamEntry]:
        reply: Any = self._redis.xreadgroup(
            EVENT_GROUP, self._consumer, dict.fromkeys(self._streams, after), count=count, block=block_ms
        )
        return [entry for stream, found in reply or () for entry in self._entries(stream.decode(), found)]

    def _entries(self, stream: str, found: Sequence[tuple[bytes, dict[bytes, bytes]]]) -> list[StreamEntry]:
        """Turn Redis's entries into ours; one that was deleted while it was pending has no fields any more."""
        field = EVENT_FIELD.encode()
        gone = [entry_id for entry_id, fields in found if not fields]
        if gone:
            self._redis.xack(stream, EVENT_GROUP, *gone)
        return [StreamEntry(stream, entry_id.decode(), fields.get(field, b"")) for entry_id, fields in found if fields]
