"""Connections to Redis that report a cut as redis-py's callers expect it, on uvloop too, and ask where the master is.

uvloop raises RuntimeError from writing to a connection that it has closed meanwhile, where asyncio gives OSError.
redis-py translates the latter only, and whoever waits for RedisError would take a network's hiccup for a defect.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    ConnectionPool,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from common.redis.errands import is_no_master
from common.redis.url import Node

PoolT = TypeVar("PoolT", bound=ConnectionPool)

#: Says where the master is now. Raises ConnectionError of redis-py when nobody knows.
Seek = Callable[[], Awaitable[Node]]


class _CutReported(AbstractConnection):
    async def send_packed_command(
        self,
        command: bytes | str | Iterable[bytes],
        check_health: bool = True,  # noqa: FBT001, FBT002 - as in redis-py
    ) -> None:
        try:
            await super().send_packed_command(command, check_health)
        except RuntimeError as error:
            raise RedisConnectionError("the connection was cut") from error


class _TcpConnection(_CutReported, Connection):
    pass


class _TlsConnection(_CutReported, SSLConnection):
    pass


class _UnixConnection(_CutReported, UnixDomainSocketConnection):
    pass


class _ToMaster(Connection):
    """Asks anew each time that it connects, and takes nobody for the master who does not say so itself."""

    def __init__(self, *, seek: Seek, **options: Any) -> None:  # noqa: ANN401 - handed on to redis-py
        super().__init__(**options)
        self._seek = seek

    async def _connect(self) -> None:
        self.host, self.port = await self._seek()
        await super()._connect()

    async def on_connect_check_health(self, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 - as in redis-py
        await super().on_connect_check_health(check_health)
        await self.send_command("ROLE", check_health=False)
        role, *_ = await self.read_response()
        if role != b"master":
            raise RedisConnectionError("what the Sentinels call the master is none")

    async def read_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        try:
            return await super().read_response(*args, **options)
        except ResponseError as error:
            if is_no_master(error):
                # Closed when it is given back, so that the next command asks where the master is.
                self.mark_for_reconnect()
            raise


class _TcpToMaster(_ToMaster, _TcpConnection):
    pass


class _TlsToMaster(_ToMaster, _TlsConnection):
    pass


_REPORTING: dict[type[AbstractConnection], type[AbstractConnection]] = {
    Connection: _TcpConnection,
    SSLConnection: _TlsConnection,
    UnixDomainSocketConnection: _UnixConnection,
}
_SEEKING: dict[type[AbstractConnection], type[AbstractConnection]] = {
    Connection: _TcpToMaster,
    SSLConnection: _TlsToMaster,
}


def reporting_cuts(pool: PoolT) -> PoolT:
    """Have a pool that has no connection yet make such ones, of the kind that its URL asked for."""
    pool.connection_class = _REPORTING[pool.connection_class]
    return pool


def seeking_master(pool: PoolT, seek: Seek) -> PoolT:
    """Have a pool that has no connection yet make ones that ask where the master is; they report cuts as well."""
    pool.connection_class = _SEEKING[pool.connection_class]
    pool.connection_kwargs["seek"] = seek
    return pool
