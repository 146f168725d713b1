"""A client of a Redis Cluster for threads. docs/internals/redis.md compares it with redis-py's."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MovedError, RedisError

from common.redis.cluster_routing import (
    MAX_TRIPS,
    UNAVAILABLE,
    Command,
    CommandRouter,
    TopologyCache,
    raise_first_error,
    redirect_target,
    slot_for,
    with_asking,
)
from common.redis.url import Node, RedisAddress


class ClusterClient(Redis):
    """Sends each command to the master of its key, and a command without a key to the first master that replies.

    A command with a key is sent again only when a node has redirected it. Safe for threads.
    """

    def __init__(self, address: RedisAddress, make_client: Callable[[str], Redis]) -> None:
        """Store the function that creates the client of one server from its URL."""
        super().__init__(connection_pool=make_client(address.url).connection_pool)
        self._address = address
        self._make_client = make_client
        self._topology = TopologyCache(address.startup_nodes)
        self._refreshing = threading.Lock()
        self._nodes: dict[Node, Redis] = {}

    def execute_command(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Send one command and return its reply. Raises RedisError and OSError."""
        if slot_for(args) is None:
            return self._execute_without_key(args, options)
        replies = self.execute_commands([(args, options)])
        raise_first_error(replies)
        return replies[0]

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Pipeline:  # noqa: ARG002, FBT001, FBT002 - as in redis-py
        """Return a pipeline; the keys of a transaction are in one slot."""
        return _ClusterPipeline(self, transaction=transaction)

    def primaries(self) -> dict[Node | None, Redis]:
        """Return a client of each master, in the order of their slots, by the present topology.

        It is fetched each time, because commands to these clients notice no failover.
        """
        self._topology.invalidate()
        self._refresh_topology()
        return {node: self._node(node) for node in self._topology.owners()}

    def ask_each(self, *arguments: str) -> dict[Node | None, Any]:
        """Send a command without a key to each master. The reply of one that does not respond is its exception.

        The topology is fetched each time, as for `primaries`. Raises redis-py's ConnectionError when no node replies.
        """
        self._topology.invalidate()
        self._refresh_topology()
        replies: dict[Node | None, Any] = {}
        for node in self._topology.owners():
            try:
                self._topology.check_responds(node)
                replies[node] = self._node(node).execute_command(*arguments)
            except (RedisError, OSError) as error:
                self._topology.record_failure(node, error)
                replies[node] = error
            else:
                self._topology.record_reply(node)
        return replies

    def server_of(self, key: str) -> Node | None:
        """Return the master of a key, without I/O; None before the first command."""
        return self._topology.last_owner(key)

    def execute_commands(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands to their nodes. The reply of a node that failed is its exception, for its commands alone.

        Raises redis-py's ConnectionError when no node replies.
        """
        self._refresh_topology()
        router = CommandRouter(commands, self._topology)
        for _ in range(MAX_TRIPS):
            for node, routed in router.pending_by_node().items():
                try:
                    replies = self._send_to_node(node, with_asking(routed), transaction=False)
                except (RedisError, OSError) as error:
                    router.record_failure(node, routed, error)
                else:
                    router.record_replies(node, routed, replies)
            if router.is_done:
                break
        return router.replies

    def execute_transaction(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands as one transaction to the master of the first key."""
        self._refresh_topology()
        node = self._topology.owner(slot_for(commands[0][0]) or 0)
        for trips_left in reversed(range(MAX_TRIPS)):
            try:
                return self._send_to_node(node, commands, transaction=True)
            except MovedError as error:
                self._topology.invalidate()
                node = redirect_target(error, node)
                if not trips_left:
                    raise
            except UNAVAILABLE as error:
                self._topology.record_failure(node, error)
                raise
        return []

    def close(self) -> None:
        """Close the connections to all nodes."""
        for node in list(self._nodes):
            self._nodes.pop(node).close()
        super().close()

    def _send_to_node(self, node: Node, commands: Sequence[Command], *, transaction: bool) -> list[Any]:
        with self._node(node).pipeline(transaction=transaction) as pipeline:
            for arguments, options in commands:
                pipeline.execute_command(*arguments, **options)
            return pipeline.execute(raise_on_error=transaction)

    def _execute_without_key(self, arguments: Sequence[Any], options: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as in redis-py
        self._refresh_topology()
        failure: Exception = RedisConnectionError("no node of the Redis Cluster has slots")
        for node in self._topology.owners_to_ask():
            try:
                reply = self._node(node).execute_command(*arguments, **options)
            except UNAVAILABLE as error:
                self._topology.record_failure(node, error)
                failure = error
            else:
                self._topology.record_reply(node)
                return reply
        raise failure

    def _node(self, node: Node) -> Redis:
        client = self._nodes.get(node)
        if client is None:
            client = self._make_client(self._address.url_for(node))
            client.response_callbacks = self.response_callbacks
            # Threads that make a client at the same time all use the first one.
            client = self._nodes.setdefault(node, client)
        return client

    def _refresh_topology(self) -> None:
        """Fetch the topology where needed. Raises redis-py's ConnectionError when no node replies."""
        if not self._topology.needs_refresh():
            return
        with self._refreshing:
            if not self._topology.needs_refresh():
                return
            failure: Exception | None = None
            for node in self._topology.refresh_candidates():
                try:
                    self._topology.update(self._node(node).execute_command("CLUSTER SLOTS"), node)
                    break
                except (RedisError, OSError) as error:
                    self._topology.record_failure(node, error)
                    failure = error
            else:
                raise RedisConnectionError(f"no node of the Redis Cluster replies: {failure}") from failure
            for stale in self._topology.stale_nodes(list(self._nodes)):
                self._nodes.pop(stale).close()


class _ClusterPipeline(Pipeline):
    def __init__(self, client: ClusterClient, *, transaction: bool) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, transaction, None)
        self._client = client
        self._is_transaction = transaction

    def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - as in redis-py
        """Send the commands."""
        commands = self.command_stack
        try:
            if not commands:
                return []
            if self._is_transaction:
                return self._client.execute_transaction(commands)
            replies = self._client.execute_commands(commands)
        finally:
            self.reset()
        if raise_on_error:
            raise_first_error(replies)
        return replies
