"""Connections that somebody else speaks through: to one server, to the master of the moment, to the owner of a key."""

from typing import Protocol

from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection

from common.redis.async_cluster_client import AsyncClusterClient
from common.redis.url import Node


class ConnectionFactory(Protocol):
    """Where keys live is asked each time that a connection is wanted."""

    @property
    def are_split(self) -> bool:
        """Whether two keys may live on two servers."""

    async def link(self, key: str, sent_to: Node | None) -> AbstractConnection:
        """Make a connection, not connected yet, to wherever the key is, or to where a node has sent its command on to.

        Raises RedisError when nobody tells where the key is.
        """

    async def aclose(self) -> None:
        """Close what was opened to ask."""


class SingleConnectionFactory:
    """To one server, or to the master that Sentinels name."""

    are_split = False

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def link(self, _key: str, _sent_to: Node | None) -> AbstractConnection:
        """Make a connection; one to a master asks for its place as it connects."""
        link: AbstractConnection = self._pool.make_connection()
        return link

    async def aclose(self) -> None:
        """Do nothing: the pool has only made connections for others."""


class ClusterConnectionFactory:
    """To the nodes of a Cluster."""

    are_split = True

    def __init__(self, client: AsyncClusterClient) -> None:
        self._client = client

    async def link(self, key: str, sent_to: Node | None) -> AbstractConnection:
        """Make a connection to a node."""
        return await self._client.link_to_owner(key) if sent_to is None else self._client.link_to(sent_to)

    async def aclose(self) -> None:
        """Close the connections by which the nodes were asked for their slots."""
        await self._client.aclose()
