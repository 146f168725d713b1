"""What a client knows of a Redis Cluster: the map, whether to doubt it, and whom to ask for a new one."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from redis.exceptions import ConnectionError as RedisConnectionError

from common.redis.cluster_map import ClusterMap
from common.redis.url import Node

#: While nodes are away every command doubts the map; it is not asked for more often than this.
_BETWEEN_MAPS_SECONDS = 0.1


class ClusterView:
    """Holds no connection; whoever owns it asks the nodes."""

    def __init__(self, seeds: Sequence[Node], clock: Callable[[], float] = time.monotonic) -> None:
        self._seeds = tuple(seeds)
        self._clock = clock
        self._map: ClusterMap | None = None
        self._is_doubted = False
        self._learned_at = 0.0
        self._answered: Node | None = None

    def doubt(self) -> None:
        """Take note that a node was not there, or had not what it should have."""
        self._is_doubted = True

    def wants_map(self) -> bool:
        """Tell whether to ask for a map before the next command."""
        if self._map is None:
            return True
        return self._is_doubted and self._clock() - self._learned_at >= _BETWEEN_MAPS_SECONDS

    def whom_to_ask(self) -> list[Node]:
        """Give those that may know: first whoever knew last, then the other nodes of the map, then the named ones."""
        answered = [] if self._answered is None else [self._answered]
        return list(dict.fromkeys([*answered, *self.owners(), *self._seeds]))

    def learn(self, reply: Any, asked: Node) -> None:  # noqa: ANN401 - redis-py gives no type for it
        """Take the map that a node has given."""
        self._map = ClusterMap(reply, asked)
        self._is_doubted = False
        self._learned_at = self._clock()
        self._answered = asked

    def owner(self, slot: int) -> Node:
        """Give the node that takes writes to a slot. Raises ConnectionError of redis-py when none does."""
        owner = None if self._map is None else self._map.owner(slot)
        if owner is None:
            self.doubt()
            raise RedisConnectionError("no node of the Redis Cluster has the slot of the key")
        return owner

    def owners(self) -> list[Node]:
        """Give all nodes that take writes, as far as is known."""
        return [] if self._map is None else self._map.owners()

    def forgotten(self, nodes: Sequence[Node]) -> list[Node]:
        """Give those of the nodes that are of no use any more."""
        useful = {*self.owners(), *self._seeds}
        return [node for node in nodes if node not in useful]
