"""Connections to Redis that ask Sentinels where the master is, each time that they connect."""

from collections.abc import Callable
from typing import Any

from redis.connection import Connection, SSLConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from common.redis.errands import is_no_master
from common.redis.url import Node

#: Says where the master is now. Raises ConnectionError of redis-py when nobody knows.
Seek = Callable[[], Node]


class ToMaster(Connection):
    """Takes nobody for the master who does not say so itself."""

    def __init__(self, *, seek: Seek, **options: Any) -> None:  # noqa: ANN401 - handed on to redis-py
        super().__init__(**options)
        self._seek = seek

    def _connect(self) -> Any:  # noqa: ANN401 - as in redis-py
        self.host, self.port = self._seek()
        return super()._connect()

    def on_connect_check_health(self, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 - as in redis-py
        """Do what redis-py does, and ask the server what it is."""
        super().on_connect_check_health(check_health)
        self.send_command("ROLE", check_health=False)
        role, *_ = self.read_response()
        if role != b"master":
            raise RedisConnectionError("what the Sentinels call the master is none")

    def read_response(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as in redis-py
        """Read a reply, and take note when it comes from a master that is none any more."""
        try:
            return super().read_response(*args, **options)
        except ResponseError as error:
            if is_no_master(error):
                # Closed when it is given back, so that the next command asks where the master is.
                self.mark_for_reconnect()
            raise


class TlsToMaster(ToMaster, SSLConnection):
    """The same, over TLS."""
