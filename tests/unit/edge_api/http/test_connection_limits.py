"""A client that reads nothing is cut off, and the kernel keeps nothing for it."""

import asyncio
import select
import socket
from collections.abc import Callable, Coroutine
from typing import cast

import pytest
import uvloop

from edge_api.http.connection_limits import abort_with_reset

#: More than the buffers of both sides hold.
ANSWER = b"x" * 8_000_000


class NeverHeard(asyncio.Protocol):
    """A server's side of a connection, which writes more than its client takes, and ends it once that is sure."""

    def __init__(self) -> None:
        self.is_lost = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Write."""
        # Those of uvloop do not derive from asyncio's.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(ANSWER)

    def pause_writing(self) -> None:
        """Give up."""
        asyncio.get_running_loop().call_later(0.05, abort_with_reset, self._transport)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Note the end."""
        self.is_lost.set()


def has_hung_up(client: socket.socket) -> bool:
    """Wait until a client that does not read hears that its connection is over."""
    poll = select.poll()
    poll.register(client, select.POLLHUP)
    return bool(poll.poll(5000))


async def cut_off() -> bool:
    """Let a client read nothing; tells whether its connection was ended."""
    loop = asyncio.get_running_loop()
    side = NeverHeard()
    server = await loop.create_server(lambda: side, "127.0.0.1", 0)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(server.sockets[0].getsockname())
        is_over = await asyncio.to_thread(has_hung_up, client)
    await side.is_lost.wait()
    server.close()
    await server.wait_closed()
    return is_over


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_client_that_reads_nothing_is_cut_off_at_once(run: Callable[[Coroutine[None, None, bool]], bool]) -> None:
    assert run(cut_off())
