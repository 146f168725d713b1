"""A client of a Redis Cluster for asyncio. docs/internals/redis.md compares it with redis-py's."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from common.redis.cluster_routing import (
    MAX_TRIPS,
    UNAVAILABLE,
    Command,
    CommandRouter,
    TopologyCache,
    raise_first_error,
    slot_for,
    with_asking,
)
from common.redis.url import Node, RedisAddress


class AsyncClusterClient(Redis):
    """Sends each command to the master of its key, and a command without a key to the first master that replies.

    A command with a key is sent again only when a node has redirected it.
    """

    def __init__(self, address: RedisAddress, make_client: Callable[[str], Redis]) -> None:
        """Store the function that creates the client of one server from its URL."""
        super().__init__(connection_pool=make_client(address.url).connection_pool)
        self._address = address
        self._make_client = make_client
        self._topology = TopologyCache(address.startup_nodes)
        self._refreshing = asyncio.Lock()
        self._nodes: dict[Node, Redis] = {}

    async def execute_command(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Send one command and return its reply. Raises RedisError and OSError."""
        if slot_for(args) is None:
            return await self._execute_without_key(args, options)
        replies = await self.execute_commands([(args, options)])
        raise_first_error(replies)
        return replies[0]

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Pipeline:  # noqa: ARG002, FBT001, FBT002 - as in redis-py
        """Return a pipeline. Raises RedisError for a transaction: no caller needs one."""
        if transaction:
            raise RedisError("there are no transactions over the nodes of a Redis Cluster")
        return _ClusterPipeline(self)

    async def execute_commands(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands to their nodes. The reply of a node that failed is its exception, for its commands alone.

        Raises redis-py's ConnectionError when no node replies.
        """
        await self._refresh_topology()
        router = CommandRouter(commands, self._topology)
        for _ in range(MAX_TRIPS):
            pending = router.pending_by_node()
            sending = [self._send_to_node(node, with_asking(routed)) for node, routed in pending.items()]
            # Await all of them, also after a failure: a connection must not be left in the middle of its replies.
            results = await asyncio.gather(*sending, return_exceptions=True)
            for (node, routed), result in zip(pending.items(), results, strict=True):
                if isinstance(result, RedisError | OSError):
                    router.record_failure(node, routed, result)
                elif isinstance(result, BaseException):
                    raise result
                else:
                    router.record_replies(node, routed, result)
            if router.is_done:
                break
        return router.replies

    async def make_connection(self, key: str, redirect: Node | None) -> AbstractConnection:
        """Return a new connection, not connected yet, to the target of a redirect or to the master of a key."""
        node = redirect
        if node is None:
            self._topology.invalidate()
            await self._refresh_topology()
            node = self._topology.owner(key_slot(key.encode()))
        connection: AbstractConnection = self._node(node).connection_pool.make_connection()
        return connection

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as in redis-py
        """Close the connections to all nodes."""
        for node in list(self._nodes):
            await self._nodes.pop(node).aclose()
        await super().aclose(close_connection_pool)

    async def _send_to_node(self, node: Node, commands: Sequence[Command]) -> list[Any]:
        async with self._node(node).pipeline(transaction=False) as pipeline:
            for arguments, options in commands:
                pipeline.execute_command(*arguments, **options)
            return await pipeline.execute(raise_on_error=False)

    async def _execute_without_key(self, arguments: Sequence[Any], options: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as in redis-py
        await self._refresh_topology()
        failure: Exception = RedisConnectionError("no node of the Redis Cluster has slots")
        for node in self._topology.owners_to_ask():
            try:
                reply = await self._node(node).execute_command(*arguments, **options)
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
            client = self._nodes[node] = self._make_client(self._address.url_for(node))
            client.response_callbacks = self.response_callbacks
        return client

    async def _refresh_topology(self) -> None:
        """Fetch the topology where needed. Raises redis-py's ConnectionError when no node replies."""
        if not self._topology.needs_refresh():
            return
        async with self._refreshing:
            if not self._topology.needs_refresh():
                return
            failure: Exception | None = None
            for node in self._topology.refresh_candidates():
                try:
                    self._topology.update(await self._node(node).execute_command("CLUSTER SLOTS"), node)
                    break
                except (RedisError, OSError) as error:
                    self._topology.record_failure(node, error)
                    failure = error
            else:
                raise RedisConnectionError(f"no node of the Redis Cluster replies: {failure}") from failure
            for stale in self._topology.stale_nodes(list(self._nodes)):
                await self._nodes.pop(stale).aclose()


class _ClusterPipeline(Pipeline):
    def __init__(self, client: AsyncClusterClient) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, transaction=False, shard_hint=None)
        self._client = client

    async def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - as in redis-py
        """Send the commands."""
        commands = self.command_stack
        try:
            replies = await self._client.execute_commands(commands) if commands else []
        finally:
            await self.reset()
        if raise_on_error:
            raise_first_error(replies)
        return replies
