"""Routing in a Redis Cluster, without I/O: the slot of a command, the owner of a slot, and redirects.

Every command of this product has one key, or several with the same hash tag.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from common.process import Backoff
from common.redis.url import Node

#: The arguments and options of a command, as redis-py's pipelines keep them.
Command = tuple[tuple[Any, ...], Mapping[str, Any]]

#: A node raises these when it is unavailable. The topology is then fetched again.
UNAVAILABLE = (RedisConnectionError, RedisTimeoutError, OSError)

#: Nodes that redirect a command more often do not agree with each other.
MAX_TRIPS = 5

_SLOTS = 16_384
#: While nodes are unavailable every command invalidates the topology; it is fetched at most this often.
_MIN_REFRESH_SECONDS = 0.1
#: A node that has not responded in time gets no command for so long: after the first time-out, and at most.
_SILENCE_SECONDS = (0.5, 5.0)
_COMMANDS_WITHOUT_KEY = frozenset({"PING", "TIME", "INFO"})
_STREAM_READS = frozenset({"XREAD", "XREADGROUP"})
_SCRIPT_CALLS = frozenset({"EVAL", "EVALSHA"})


def slot_for(arguments: Sequence[Any]) -> int | None:
    """Return the slot of a command's first key, or None for a command about a whole server."""
    name = arguments[0]
    if name in _COMMANDS_WITHOUT_KEY:
        return None
    if name in _SCRIPT_CALLS:
        key = arguments[3]
    elif name in _STREAM_READS:
        # redis-py passes the word as text or as bytes.
        key = arguments[next(at for at, word in enumerate(arguments) if word in ("STREAMS", b"STREAMS")) + 1]
    else:
        key = arguments[1]
    return key_slot(key.encode() if isinstance(key, str) else bytes(key))


class SilentNodes:
    """The nodes that have not responded in time lately. Their commands fail at once, so that no other command waits.

    A server that hangs, or whose machine is gone, would cost a time-out for each pipeline with one of its keys. A
    process that has ended refuses connections at once, and is not among them.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: dict[Node, float] = {}
        self._backoffs: dict[Node, Backoff] = {}

    def __contains__(self, node: Node) -> bool:
        until = self._until.get(node)
        return until is not None and self._clock() < until

    def add(self, node: Node) -> None:
        """Record a time-out. Those of commands that were sent together count once."""
        if node not in self:
            backoff = self._backoffs.setdefault(node, Backoff(first=_SILENCE_SECONDS[0], limit=_SILENCE_SECONDS[1]))
            self._until[node] = self._clock() + backoff.next_delay()

    def remove(self, node: Node) -> None:
        """Record a reply."""
        if self._until.pop(node, None) is not None:
            self._backoffs.pop(node, None)


class TopologyCache:
    """The owner of each slot, when and where to fetch it again, and the nodes that do not respond."""

    def __init__(self, startup_nodes: Sequence[Node], clock: Callable[[], float] = time.monotonic) -> None:
        self._startup_nodes = tuple(startup_nodes)
        self._clock = clock
        self._owners: list[Node | None] = [None] * _SLOTS
        self._is_valid = False
        self._fetched_at = float("-inf")
        self._source: Node | None = None
        self._silent = SilentNodes(clock)

    def invalidate(self) -> None:
        """Fetch the topology before the next command: a node was unavailable, or did not own its slot."""
        self._is_valid = False

    def needs_refresh(self) -> bool:
        """Return whether to fetch the topology before the next command."""
        return not self._is_valid and self._clock() - self._fetched_at >= _MIN_REFRESH_SECONDS

    def refresh_candidates(self) -> list[Node]:
        """Return the nodes to query: the last source, the other owners, the startup nodes; silent ones last."""
        source = [] if self._source is None else [self._source]
        return self._silent_last([*source, *self.owners(), *self._startup_nodes])

    def update(self, cluster_slots: Any, source: Node) -> None:  # noqa: ANN401 - redis-py does not type the reply
        """Read a reply to CLUSTER SLOTS. A node without a host has the host of the source."""
        owners: list[Node | None] = [None] * _SLOTS
        for first, last, (host, port, *_), *_ in cluster_slots:
            name = host.decode() if isinstance(host, bytes) else host
            owner = (name if name and name != "?" else source[0], int(port))
            owners[first : last + 1] = [owner] * (last + 1 - first)
        self._owners = owners
        self._source = source
        self._fetched_at = self._clock()
        self._is_valid = True

    def owner(self, slot: int) -> Node:
        """Return the master of a slot. Raises redis-py's ConnectionError when there is none, or it is silent."""
        owner = self._owners[slot]
        if owner is None:
            self.invalidate()
            raise RedisConnectionError("no node of the Redis Cluster has the slot of the key")
        self.check_responds(owner)
        return owner

    def check_responds(self, node: Node) -> None:
        """Raise redis-py's ConnectionError for a node that has not responded a moment ago. It may have a successor."""
        if node in self._silent:
            self.invalidate()
            raise RedisConnectionError("the node of the Redis Cluster has not responded in time")

    def record_failure(self, node: Node, error: Exception) -> None:
        """Record that a node could not execute a command."""
        if isinstance(error, UNAVAILABLE):
            self.invalidate()
        if isinstance(error, RedisTimeoutError):
            self._silent.add(node)

    def record_reply(self, node: Node) -> None:
        """Record that a node has responded."""
        self._silent.remove(node)

    def last_owner(self, key: str) -> Node | None:
        """Return the master of a key by the topology that was fetched last, without changing anything."""
        return self._owners[key_slot(key.encode())]

    def owners(self) -> list[Node]:
        """Return all masters, in the order of their slots, which is the same for every process."""
        return [owner for owner in dict.fromkeys(self._owners) if owner is not None]

    def owners_to_ask(self) -> list[Node]:
        """Return all masters in the order of their slots, silent ones last, for a command that any of them may take."""
        return self._silent_last(self.owners())

    def stale_nodes(self, nodes: Iterable[Node]) -> list[Node]:
        """Return those of the nodes that are neither masters nor startup nodes."""
        current = {*self.owners(), *self._startup_nodes}
        return [node for node in nodes if node not in current]

    def _silent_last(self, nodes: Iterable[Node]) -> list[Node]:
        return sorted(dict.fromkeys(nodes), key=self._silent.__contains__)


@dataclass(slots=True, eq=False)
class RoutedCommand:
    """A command of a pipeline. The node that redirects it has not executed it, so it may be sent again."""

    arguments: tuple[Any, ...]
    options: Mapping[str, Any]
    slot: int
    #: The target of a redirect, instead of the owner of the slot.
    target: Node | None = None
    #: Whether the slot is being moved to the target, which then requires ASKING before the command.
    asking: bool = False
    is_done: bool = False
    reply: Any = None


class CommandRouter:
    """The commands of one pipeline on their way to the nodes."""

    def __init__(self, commands: Sequence[Command], topology: TopologyCache) -> None:
        """Raise RedisError for a command without a key."""
        self._topology = topology
        self._commands: list[RoutedCommand] = []
        for arguments, options in commands:
            slot = slot_for(arguments)
            if slot is None:
                raise RedisError(f"{arguments[0]} cannot be part of a pipeline in a Redis Cluster")
            self._commands.append(RoutedCommand(arguments, options, slot))

    @property
    def is_done(self) -> bool:
        """Whether every command has its reply."""
        return all(command.is_done for command in self._commands)

    @property
    def replies(self) -> list[Any]:
        """The replies in the order of the commands. An exception is the reply to a command that failed."""
        return [command.reply for command in self._commands]

    def pending_by_node(self) -> dict[Node, list[RoutedCommand]]:
        """Return the commands without a reply by the node to send them to.

        The reply to a command whose slot has no master is redis-py's ConnectionError.
        """
        pending: dict[Node, list[RoutedCommand]] = {}
        for command in self._commands:
            if command.is_done:
                continue
            try:
                node = command.target or self._topology.owner(command.slot)
            except RedisConnectionError as error:
                command.reply, command.is_done = error, True
            else:
                pending.setdefault(node, []).append(command)
        return pending

    def record_failure(self, node: Node, commands: Sequence[RoutedCommand], error: Exception) -> None:
        """Record that a node failed: the error is the reply to each of its commands."""
        self._topology.record_failure(node, error)
        for command in commands:
            command.reply, command.is_done = error, True

    def record_replies(self, node: Node, commands: Sequence[RoutedCommand], replies: Sequence[Any]) -> None:
        """Record the replies of a node to the result of `with_asking`; redirected commands stay pending."""
        self._topology.record_reply(node)
        remaining = iter(replies)
        for command in commands:
            if command.asking:
                next(remaining)
            command.reply = reply = next(remaining)
            command.is_done = not isinstance(reply, AskError)
            if isinstance(reply, AskError):
                command.target = redirect_target(reply, node)
                # MovedError is a subclass of AskError.
                command.asking = not isinstance(reply, MovedError)
            # A slot that is being moved keeps its owner until the end of the move, so ASK does not invalidate.
            if isinstance(reply, MovedError | ClusterDownError | ReadOnlyError):
                self._topology.invalidate()


def raise_first_error(replies: Sequence[Any]) -> None:
    """Raise the first exception among replies. redis-py's method of this name passes over lost connections."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply


def redirect_target(error: AskError, node: Node) -> Node:
    """Return the target of a redirect; without a host it is on the host of the node that replied."""
    return (error.host or node[0], error.port)


def with_asking(commands: Sequence[RoutedCommand]) -> list[Command]:
    """Return the commands to send to a node, ASKING among them."""
    sent: list[Command] = []
    for command in commands:
        if command.asking:
            sent.append((("ASKING",), {}))
        sent.append((command.arguments, command.options))
    return sent
