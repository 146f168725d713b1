"""TLS in front of a PostgreSQL or a Redis that was built without it, as those are that come with the project."""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from deploy.local.loopback_ports import LOOPBACK

_CHUNK_BYTES = 65536
#: The first byte of a client that begins with TLS.
_TLS = b"\x16"
#: How a client of PostgreSQL asks first whether it may, and how it is told that it must.
_SSL_REQUEST = bytes.fromhex("00000008 04d2162f")
_YES = b"S"


def tls_context(certificate: Path, key: Path, *, clients: Path | None = None) -> ssl.SSLContext:
    """Make what a server shows itself by; `clients` is the authority that theirs have to be of."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=clients)
    context.load_cert_chain(certificate, key)
    if clients is not None:
        context.verify_mode = ssl.CERT_REQUIRED
    return context


@contextmanager
def tls_front(server_url: str, context: ssl.SSLContext, *, port: int = 0, admits_plain: bool = False) -> Iterator[str]:
    """Return the URL of a server that speaks TLS, and hands everything on to that one.

    Whoever speaks plainly is refused, unless `admits_plain`: a Sentinel has one address for itself and for others.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    parts = urlsplit(server_url)
    with socket.create_server((LOOPBACK, port)) as listener:
        listener.settimeout(0)
        front = _Front((str(parts.hostname), int(parts.port or 0)), context, admits_plain=admits_plain)
        accepting = asyncio.run_coroutine_threadsafe(front.accept(listener), loop)
        credentials, _, _ = parts.netloc.rpartition("@")
        try:
            yield parts._replace(netloc=f"{credentials}@{LOOPBACK}:{listener.getsockname()[1]}").geturl()
        finally:
            accepting.cancel()
            asyncio.run_coroutine_threadsafe(front.end(), loop).result(10)
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


class _Front:
    def __init__(self, target: tuple[str, int], context: ssl.SSLContext, *, admits_plain: bool) -> None:
        self._target = target
        self._context = context
        self._admits_plain = admits_plain
        self._served: set[asyncio.Task[None]] = set()

    async def accept(self, listener: socket.socket) -> None:
        """Take clients, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            client, _ = await loop.sock_accept(listener)
            task = asyncio.create_task(self._serve(client))
            self._served.add(task)
            task.add_done_callback(self._served.discard)

    async def end(self) -> None:
        """Close everything."""
        served = list(self._served)
        for task in served:
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)
        # What is closed has let go of its socket a few turns of the loop later.
        for _ in range(5):
            await asyncio.sleep(0)

    async def _serve(self, client: socket.socket) -> None:
        """Serve a client; one that does not like the certificate goes, and so does one whose own is not liked."""
        with client, contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            asks_for_tls = await self._asks_for_tls(client)
            if not asks_for_tls and not self._admits_plain:
                return
            reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(reader)
            loop = asyncio.get_running_loop()
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, client, ssl=self._context if asks_for_tls else None
            )
            writer = asyncio.StreamWriter(transport, protocol, reader, loop)
            try:
                await self._hand_on(reader, writer)
            finally:
                writer.close()

    async def _asks_for_tls(self, client: socket.socket) -> bool:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(client, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(client)
        first = client.recv(len(_SSL_REQUEST), socket.MSG_PEEK)
        if first == _SSL_REQUEST:
            client.recv(len(_SSL_REQUEST))
            await loop.sock_sendall(client, _YES)
            return True
        return first.startswith(_TLS)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await asyncio.open_connection(*self._target)
        ways = [asyncio.create_task(_flow(*way)) for way in ((reader, behind_writer), (behind_reader, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            behind_writer.close()


async def _flow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
