"""Which node of a Redis Cluster has which keys, and which key a command is about."""

from collections.abc import Sequence
from typing import Any

from redis.crc import key_slot

from common.redis.url import Node

SLOTS = 16_384

#: Of the commands that are used here, those that are about a whole server.
_WITHOUT_KEY = frozenset({"PING", "TIME", "INFO", "FLUSHALL"})
#: Those whose key is not the first word behind their name.
_BEHIND_STREAMS = frozenset({"XREAD", "XREADGROUP"})
_BEHIND_SCRIPT = frozenset({"EVAL", "EVALSHA"})


def slot_of(words: Sequence[Any]) -> int | None:
    """Give the slot of a command's key, or None where the command has none.

    Every command of this product has one key, or several with the same hash tag, so the first one decides.
    """
    name = words[0]
    if name in _WITHOUT_KEY:
        return None
    if name in _BEHIND_SCRIPT:
        key = words[3]
    elif name in _BEHIND_STREAMS:
        # redis-py writes it as text or as bytes.
        key = words[next(at for at, word in enumerate(words) if word in ("STREAMS", b"STREAMS")) + 1]
    else:
        key = words[1]
    return key_slot(key.encode() if isinstance(key, str) else bytes(key))


class ClusterMap:
    """Made from what a node answers to CLUSTER SLOTS."""

    def __init__(self, reply: Any, asked: Node) -> None:  # noqa: ANN401 - redis-py gives no type for it
        """Read the reply; a node that does not know its own name is found under the one it was asked by."""
        self._owners: list[Node | None] = [None] * SLOTS
        for first, last, (host, port, *_), *_ in reply:
            name = host.decode() if isinstance(host, bytes) else host
            owner = (name if name and name != "?" else asked[0], int(port))
            self._owners[first : last + 1] = [owner] * (last + 1 - first)

    def owner(self, slot: int) -> Node | None:
        """Give the node that takes writes to a slot, if any does."""
        return self._owners[slot]

    def owners(self) -> list[Node]:
        """Give all nodes that have slots."""
        return list(dict.fromkeys(owner for owner in self._owners if owner is not None))
