"""The consumer group of one event stream: reading, taking over from the dead, acknowledging.

Entries that were delivered and not acknowledged stay with their consumer in Redis, so nothing here is remembered. Every
command touches one stream, so that the streams may live on different nodes of a Redis Cluster.
"""

import os
import secrets
import socket
from collections.abc import Iterator, Sequence
from typing import Any

from redis import Redis
from redis.exceptions import ResponseError

from common.redis.connect import connect as connect_redis
from common.wire.redis_keys import AGE_FIELD, ATTEMPTS_FIELD, EVENT_FIELD, EVENT_GROUP, LETTER_FIELD
from management_api.event_consumer.stream_entry import StreamEntry

#: What Redis calls the start of a stream.
FIRST_ID = "0-0"

#: Behind every entry. The greatest id of all would not do: Redis takes it for the sign of new entries.
_BEHIND_ALL = "18446744073709551615-18446744073709551614"

#: Replies that are wanted as they come: making a dictionary of each entry would cost more than all else.
_RAW_REPLIES = ("XREADGROUP", "XCLAIM", "XPENDING")

#: Removes consumer ARGV[2] of group ARGV[1] if nothing is pending for it: with its pending entries, whatever it had
#: read would be lost for good.
REMOVE_CONSUMER = """
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then
  return 0
end
return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
"""

#: The id of an entry, and its fields and their values in turn; None when it was deleted while it was pending.
_RawEntry = tuple[bytes, list[bytes] | None]


def connect(redis_url: str) -> Redis:
    """Make the client of a consumer: a command is never sent twice by itself, replies have their plain RESP2 shape."""
    client = connect_redis(redis_url, reply_seconds=10, connect_seconds=5, protocol=2)
    for command in _RAW_REPLIES:
        client.set_response_callback(command, _as_it_comes)
    return client


def new_consumer_name() -> str:
    """Give a name that no other process has, now or before, and that tells an operator where it runs."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"


class StreamGroup:
    """One stream as one consumer of its group sees it."""

    def __init__(self, redis: Redis, stream: str, consumer: str) -> None:
        self.stream = stream
        self._redis = redis
        self._consumer = consumer

    def make(self) -> None:
        """Make the group, from the stream's first entry; one that is there already stays as it is."""
        try:
            self._redis.xgroup_create(self.stream, EVENT_GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise

    def read_new(self, count: int, *, block_ms: int | None = None) -> list[StreamEntry]:
        """Take entries that nobody has taken; waits for the first one, unless with None.

        Raises ResponseError when there is no group.
        """
        return list(self._read(">", count, block_ms))

    def read_own(self, count: int, *, after: str = FIRST_ID) -> list[StreamEntry]:
        """Give entries that were taken under this name and not acknowledged, in the order of the stream."""
        return list(self._read(after, count, None))

    def take_over(self, *, min_idle_ms: int, count: int) -> list[StreamEntry]:
        """Take over from one consumer that gave no sign of life for so long; or what this one has left for so long.

        A consumer that lives and is slow gives signs (`show_life`), and so keeps what it has.
        """
        for name, pending, idle_ms in self._consumers():
            if pending and (name == self._consumer or idle_ms >= min_idle_ms):
                found: Any = self._redis.xpending_range(
                    self.stream, EVENT_GROUP, "-", "+", count, consumername=name, idle=min_idle_ms
                )
                ids = [entry_id for entry_id, *_ in found]
                if ids:
                    # Of two that want the same entries one gets them: a claim makes them young again.
                    claimed: Any = self._redis.xclaim(self.stream, EVENT_GROUP, self._consumer, min_idle_ms, ids)
                    return list(self._entries(claimed))
        return []

    def show_life(self) -> None:
        """Let the others see that this consumer lives, however long its batch takes."""
        self._read(_BEHIND_ALL, 1, None)

    def disconnect(self) -> None:
        """Close the connections that nobody is using; the next command asks anew where the server is."""
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
        """Remove consumers that gave no sign of life for so long and have nothing pending."""
        for name, pending, idle_ms in self._consumers():
            if not pending and idle_ms >= min_idle_ms:
                self._remove(name)

    def leave(self) -> None:
        """Remove this consumer; what it has not acknowledged stays and is taken over."""
        self._remove(self._consumer)

    def _consumers(self) -> Iterator[tuple[str, int, int]]:
        """Give each consumer's name, how many entries are pending for it, and for how long it has been silent."""
        found: Any = self._redis.xinfo_consumers(self.stream, EVENT_GROUP)
        for each in found:
            yield each["name"].decode(), each["pending"], each["idle"]

    def _remove(self, consumer: str) -> None:
        self._redis.eval(REMOVE_CONSUMER, 1, self.stream, EVENT_GROUP, consumer)

    def _read(self, after: str, count: int, block_ms: int | None) -> Iterator[StreamEntry]:
        reply: Any = self._redis.xreadgroup(
            EVENT_GROUP, self._consumer, {self.stream: after}, count=count, block=block_ms
        )
        return self._entries(reply[0][1] if reply else ())

    def _entries(self, found: Sequence[_RawEntry]) -> Iterator[StreamEntry]:
        """Turn Redis's entries into ours; one that was deleted while it was pending has no fields any more."""
        gone = [entry_id for entry_id, fields in found if fields is None]
        if gone:
            self._redis.xack(self.stream, EVENT_GROUP, *gone)
        return (_entry(self.stream, entry_id, fields) for entry_id, fields in found if fields is not None)


def _entry(stream: str, entry_id: bytes, fields: list[bytes]) -> StreamEntry:
    # As the edge writes it; the comparison is quicker than a dictionary.
    if len(fields) == 2 and fields[0] == _EVENT_FIELD:  # noqa: PLR2004 - a name and a value
        return StreamEntry(stream, entry_id.decode(), fields[1])
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    letter, failures = values.get(LETTER_FIELD.encode(), b""), values.get(ATTEMPTS_FIELD.encode(), b"")
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


def _as_it_comes(reply: object, **_options: object) -> object:
    return reply
