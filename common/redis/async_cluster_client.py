"""redis-py's asynchronous client for a Redis Cluster in which every command has its keys in one slot.

Why not its own: decision 0047.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from common.redis.cluster_map import slot_of
from common.redis.cluster_view import ClusterView
from common.redis.errands import MOST_TRIPS, Command, Errand, Errands, with_asking, without_asking
from common.redis.url import Node, RedisAddress

#: Makes the client of one server, from its URL.
MakeClient = Callable[[str], Redis]


class AsyncClusterClient(Redis):
    """Sends each command to the node that has its key, and those without a key to every node that takes writes.

    A command that a node refuses because the key is elsewhere is sent there; nothing else is ever sent twice.
    """

    def __init__(self, address: RedisAddress, make_client: MakeClient) -> None:
        super().__init__(connection_pool=make_client(address.url).connection_pool)
        self._address = address
        self._make_client = make_client
        self._view = ClusterView(address.seeds)
        self._learning = asyncio.Lock()
        self._nodes: dict[Node, Redis] = {}

    async def execute_command(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Send one command and give its reply; of several nodes, the first one's."""
        if slot_of(args) is None:
            await self._look()
            nodes = [self._node(node) for node in self._view.owners()]
            return (await asyncio.gather(*(self._ask(node, args, options) for node in nodes)))[0]
        (reply,) = await self.run([(args, options)])
        if isinstance(reply, Exception):
            raise reply
        return reply

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Pipeline:  # noqa: ARG002, FBT001, FBT002 - as in redis-py
        """Gather commands. There are no transactions here: nobody asks for one."""
        if transaction:
            raise RedisError("there are no transactions over the nodes of a Redis Cluster")
        return _ClusterPipeline(self)

    async def run(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands wherever they belong. Raises RedisError where a node does not answer; refusals are replies."""
        await self._look()
        errands = Errands(commands, self._view)
        for _ in range(MOST_TRIPS):
            shared = errands.by_node()
            visits = [self._visit(node, some) for node, some in shared.items()]
            # All are waited for, also when one fails: what is under way on a connection must come to its end.
            outcomes = await asyncio.gather(*visits, return_exceptions=True)
            for (node, some), outcome in zip(shared.items(), outcomes, strict=True):
                if isinstance(outcome, BaseException):
                    raise outcome
                errands.settle(node, some, outcome)
            if errands.are_done:
                break
        return errands.replies

    async def link_to_owner(self, key: str) -> AbstractConnection:
        """Make a connection, not connected yet, to the node that has a key now."""
        self._view.doubt()
        await self._look()
        return self.link_to(self._view.owner(key_slot(key.encode())))

    def link_to(self, node: Node) -> AbstractConnection:
        """Make a connection, not connected yet, to a node."""
        link: AbstractConnection = self._node(node).connection_pool.make_connection()
        return link

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - as in redis-py
        """Close the connections to all nodes."""
        for node in list(self._nodes):
            await self._nodes.pop(node).aclose()
        await super().aclose(close_connection_pool)

    async def _ask(self, client: Redis, words: tuple[Any, ...], options: dict[str, Any]) -> Any:  # noqa: ANN401 - as in redis-py
        try:
            return await client.execute_command(*words, **options)
        except (RedisError, OSError):
            self._view.doubt()
            raise

    async def _visit(self, node: Node, errands: Sequence[Errand]) -> list[Any]:
        try:
            async with self._node(node).pipeline(transaction=False) as pipeline:
                for words, options in with_asking(errands):
                    pipeline.execute_command(*words, **options)
                return without_asking(errands, await pipeline.execute(raise_on_error=False))
        except (RedisConnectionError, RedisTimeoutError, OSError):
            self._view.doubt()
            raise

    def _node(self, node: Node) -> Redis:
        client = self._nodes.get(node)
        if client is None:
            client = self._nodes[node] = self._make_client(self._address.url_of(node))
            client.response_callbacks = self.response_callbacks
        return client

    async def _look(self) -> None:
        """Ask for a map where one is wanted. Raises ConnectionError of redis-py when no node gives one."""
        if not self._view.wants_map():
            return
        async with self._learning:
            if not self._view.wants_map():
                return
            failure: Exception | None = None
            for node in self._view.whom_to_ask():
                try:
                    reply = await self._node(node).execute_command("CLUSTER SLOTS")
                except (RedisError, OSError) as error:
                    failure = error
                    continue
                self._view.learn(reply, node)
                break
            else:
                raise RedisConnectionError(f"no node of the Redis Cluster tells its slots: {failure}") from failure
            for gone in self._view.forgotten(list(self._nodes)):
                await self._nodes.pop(gone).aclose()


class _ClusterPipeline(Pipeline):
    def __init__(self, client: AsyncClusterClient) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, transaction=False, shard_hint=None)
        self._client = client

    async def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - as in redis-py
        """Send what was gathered."""
        commands = self.command_stack
        try:
            replies = await self._client.run(commands) if commands else []
        finally:
            await self.reset()
        if raise_on_error:
            self.raise_first_error(commands, replies)
        return replies
