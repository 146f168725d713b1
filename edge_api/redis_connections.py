"""Connections to Redis that report a cut as redis-py's callers expect it, on uvloop too.

uvloop raises RuntimeError from writing to a connection that it has closed meanwhile, where asyncio gives OSError.
redis-py translates the latter only, and whoever waits for RedisError would take a network's hiccup for a defect.
"""

from collections.abc import Iterable
from typing import TypeVar

from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    ConnectionPool,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.exceptions import ConnectionError as RedisConnectionError

PoolT = TypeVar("PoolT", bound=ConnectionPool)


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


_REPORTING: dict[type[AbstractConnection], type[AbstractConnection]] = {
    Connection: _TcpConnection,
    SSLConnection: _TlsConnection,
    UnixDomainSocketConnection: _UnixConnection,
}


def reporting_cuts(pool: PoolT) -> PoolT:
    """Have a pool that has no connection yet make such ones, of the kind that its URL asked for."""
    pool.connection_class = _REPORTING[pool.connection_class]
    return pool
