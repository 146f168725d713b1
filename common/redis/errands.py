"""Commands on their way through a Redis Cluster: which node each goes to, and where it is sent on to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, RedisError

from common.redis.cluster_map import slot_of
from common.redis.cluster_view import ClusterView
from common.redis.url import Node

#: Words and options of a command, as redis-py keeps them.
Command = tuple[tuple[Any, ...], Mapping[str, Any]]

#: A command is sent on so often; more would be a Cluster that does not agree with itself.
MOST_TRIPS = 5


@dataclass(slots=True)
class Errand:
    """One command. A node that sends it on has done nothing with it, so it may be sent again without harm."""

    position: int
    words: tuple[Any, ...]
    options: Mapping[str, Any]
    slot: int
    #: Where a node has sent it on to, instead of to the owner that the map names.
    sent_to: Node | None = None
    #: Whether its slot is being moved there; the node wants to be told that we know.
    is_asking: bool = False
    reply: Any = None
    is_done: bool = False


class Errands:
    """The commands of one pipeline."""

    def __init__(self, commands: Sequence[Command], view: ClusterView) -> None:
        """Take commands. Raises RedisError for one without a key, which would not know where to go."""
        self._view = view
        self._all: list[Errand] = []
        for position, (words, options) in enumerate(commands):
            slot = slot_of(words)
            if slot is None:
                raise RedisError(f"{words[0]} cannot be part of a pipeline in a Redis Cluster")
            self._all.append(Errand(position, words, options, slot))

    @property
    def are_done(self) -> bool:
        """Whether all have their replies."""
        return all(errand.is_done for errand in self._all)

    @property
    def replies(self) -> list[Any]:
        """The replies in the order of the commands; errors stand among them."""
        return [errand.reply for errand in self._all]

    def by_node(self) -> dict[Node, list[Errand]]:
        """Share out what is open."""
        shared: dict[Node, list[Errand]] = {}
        for errand in self._all:
            if not errand.is_done:
                shared.setdefault(errand.sent_to or self._view.owner(errand.slot), []).append(errand)
        return shared

    def settle(self, node: Node, errands: Sequence[Errand], replies: Sequence[Any]) -> None:
        """Take the replies of a node; what it has sent on stays open."""
        for errand, reply in zip(errands, replies, strict=True):
            errand.reply = reply
            if isinstance(reply, AskError):
                errand.sent_to = target_of(reply, node)
                errand.is_asking = not isinstance(reply, MovedError)
            else:
                errand.is_done = True
            # A slot that is being moved still has its owner until it has arrived.
            if isinstance(reply, MovedError | ClusterDownError | ReadOnlyError):
                self._view.doubt()


def is_no_master(error: Exception) -> bool:
    """Tell whether a server says that it is no master, or a master without replicas, which may be cut off."""
    return isinstance(error, ReadOnlyError) or str(error).startswith("NOREPLICAS")


def target_of(error: AskError, node: Node) -> Node:
    """Say where a node sends a command on to; a node without a name of its own is where the other one is."""
    return (error.host or node[0], error.port)


def with_asking(errands: Sequence[Errand]) -> list[Command]:
    """Give the commands to send to a node."""
    commands: list[Command] = []
    for errand in errands:
        if errand.is_asking:
            commands.append((("ASKING",), {}))
        commands.append((errand.words, errand.options))
    return commands


def without_asking(errands: Sequence[Errand], replies: Sequence[Any]) -> list[Any]:
    """Give the replies to the commands themselves."""
    remaining = iter(replies)
    wanted: list[Any] = []
    for errand in errands:
        if errand.is_asking:
            next(remaining)
        wanted.append(next(remaining))
    return wanted
