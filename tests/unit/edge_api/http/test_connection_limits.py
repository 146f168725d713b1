"""A client that reads nothing is disconnected by a reset, so that the kernel buffers nothing for it."""

import asyncio
import select
import socket
from collections.abc import Callable, Coroutine
from typing import cast

import pytest
import uvloop

from edge_api.http.connection_limits import abort_with_reset

#: More than the buffers of both sides.
RESPONSE = b"x" * 8_000_000


class UnreadServer(asyncio.Protocol):
    """The server side of a connection: writes more than its client reads, then ends the connection."""

    def __init__(self) -> None:
        self.is_lost = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Transports of uvloop do not derive from those of asyncio.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(RESPONSE)

    def pause_writing(self) -> None:
        asyncio.get_running_loop().call_later(0.05, abort_with_reset, self._transport)

    def connection_lost(self, _exc: Exception | None) -> None:
        self.is_lost.set()


def has_hung_up(client: socket.socket) -> bool:
    """Wait until a client that does not read is notified of the end of its connection."""
    poll = select.poll()
    poll.register(client, select.POLLHUP)
    return bool(poll.poll(5000))


async def is_disconnected() -> bool:
    """Let a client read nothing, and return whether its connection was ended."""
    loop = asyncio.get_running_loop()
    side = UnreadServer()
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
def test_client_that_reads_nothing_is_disconnected_at_once(run: Callable[[Coroutine[None, None, bool]], bool]) -> None:
    assert run(is_disconnected())
