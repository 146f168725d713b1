"""redis-py's client for a Redis Cluster in which every command has its keys in one slot.

Why not its own: decision 0047.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MovedError, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from common.redis.cluster_map import slot_of
from common.redis.cluster_view import ClusterView
from common.redis.errands import MOST_TRIPS, Command, Errand, Errands, target_of, with_asking, without_asking
from common.redis.url import Node, RedisAddress

#: Makes the client of one server, from its URL.
MakeClient = Callable[[str], Redis]


class ClusterClient(Redis):
    """Sends each command to the node that has its key, and those without a key to every node that takes writes.

    A command that a node refuses because the key is elsewhere is sent there; nothing else is ever sent twice. Safe for
    threads.
    """

    def __init__(self, address: RedisAddress, make_client: MakeClient) -> None:
        super().__init__(connection_pool=make_client(address.url).connection_pool)
        self._address = address
        self._make_client = make_client
        self._view = ClusterView(address.seeds)
        self._learning = threading.Lock()
        self._nodes: dict[Node, Redis] = {}

    def execute_command(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Send one command and give its reply; of several nodes, the first one's."""
        if slot_of(args) is None:
            try:
                replies = [node.execute_command(*args, **options) for node in self.primaries()]
            except (RedisError, OSError):
                self._view.doubt()
                raise
            return replies[0]
        (reply,) = self.run([(args, options)])
        if isinstance(reply, Exception):
            raise reply
        return reply

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Pipeline:  # noqa: ARG002, FBT001, FBT002 - as in redis-py
        """Gather commands; in a transaction, their keys are in one slot."""
        return _ClusterPipeline(self, transaction=transaction)

    def primaries(self) -> list[Redis]:
        """Give a client of each node that takes writes."""
        self._look()
        return [self._node(node) for node in self._view.owners()]

    def run(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands wherever they belong. Raises RedisError where a node does not answer; refusals are replies."""
        self._look()
        errands = Errands(commands, self._view)
        for _ in range(MOST_TRIPS):
            for node, some in errands.by_node().items():
                errands.settle(node, some, self._visit(node, some))
            if errands.are_done:
                break
        return errands.replies

    def run_together(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands as one transaction, to the node that has the slot of the first one's key."""
        self._look()
        node = self._view.owner(slot_of(commands[0][0]) or 0)
        for trips_left in reversed(range(MOST_TRIPS)):
            try:
                return self._send(node, commands, transaction=True)
            except MovedError as error:
                self._view.doubt()
                node = target_of(error, node)
                if not trips_left:
                    raise
        return []

    def close(self) -> None:
        """Close the connections to all nodes."""
        for node in list(self._nodes):
            self._nodes.pop(node).close()
        super().close()

    def _visit(self, node: Node, errands: Sequence[Errand]) -> list[Any]:
        return without_asking(errands, self._send(node, with_asking(errands), transaction=False))

    def _send(self, node: Node, commands: Sequence[Command], *, transaction: bool) -> list[Any]:
        try:
            with self._node(node).pipeline(transaction=transaction) as pipeline:
                for words, options in commands:
                    pipeline.execute_command(*words, **options)
                return pipeline.execute(raise_on_error=transaction)
        except (RedisConnectionError, RedisTimeoutError, OSError):
            self._view.doubt()
            raise

    def _node(self, node: Node) -> Redis:
        client = self._nodes.get(node)
        if client is None:
            client = self._make_client(self._address.url_of(node))
            client.response_callbacks = self.response_callbacks
            # Of two threads that come at once, both use the client of the first.
            client = self._nodes.setdefault(node, client)
        return client

    def _look(self) -> None:
        """Ask for a map where one is wanted. Raises ConnectionError of redis-py when no node gives one."""
        if not self._view.wants_map():
            return
        with self._learning:
            if not self._view.wants_map():
                return
            failure: Exception | None = None
            for node in self._view.whom_to_ask():
                try:
                    reply = self._node(node).execute_command("CLUSTER SLOTS")
                except (RedisError, OSError) as error:
                    failure = error
                    continue
                self._view.learn(reply, node)
                break
            else:
                raise RedisConnectionError(f"no node of the Redis Cluster tells its slots: {failure}") from failure
            for gone in self._view.forgotten(list(self._nodes)):
                self._nodes.pop(gone).close()


class _ClusterPipeline(Pipeline):
    def __init__(self, client: ClusterClient, *, transaction: bool) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, transaction, None)
        self._client = client
        self._is_together = transaction

    def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - as in redis-py
        """Send what was gathered."""
        commands = self.command_stack
        try:
            if not commands:
                return []
            if self._is_together:
                return self._client.run_together(commands)
            replies = self._client.run(commands)
        finally:
            self.reset()
        if raise_on_error:
            self.raise_first_error(commands, replies)
        return replies
