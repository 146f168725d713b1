"""A TLS proxy before PostgreSQL or Redis: the servers of the packages are built without TLS."""

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
#: The first byte of a TLS handshake.
_TLS = b"\x16"
#: The SSLRequest of the PostgreSQL protocol, and the response that accepts it.
_SSL_REQUEST = bytes.fromhex("00000008 04d2162f")
_SSL_ACCEPTED = b"S"


def tls_context(certificate: Path, key: Path, *, clients: Path | None = None) -> ssl.SSLContext:
    """Return the TLS context of a server; `clients` is the authority of the required client certificates."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=clients)
    context.load_cert_chain(certificate, key)
    if clients is not None:
        context.verify_mode = ssl.CERT_REQUIRED
    return context


@contextmanager
def tls_proxy(server_url: str, context: ssl.SSLContext, *, port: int = 0, admits_plain: bool = False) -> Iterator[str]:
    """Run a proxy that terminates TLS for a server; yield its URL.

    Connections without TLS are closed unless `admits_plain`: Sentinel uses one address with and without TLS.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    parts = urlsplit(server_url)
    with socket.create_server((LOOPBACK, port)) as listener:
        listener.settimeout(0)
        proxy = _TlsProxy((str(parts.hostname), int(parts.port or 0)), context, admits_plain=admits_plain)
        accepting = asyncio.run_coroutine_threadsafe(proxy.accept(listener), loop)
        credentials, _, _ = parts.netloc.rpartition("@")
        try:
            yield parts._replace(netloc=f"{credentials}@{LOOPBACK}:{listener.getsockname()[1]}").geturl()
        finally:
            accepting.cancel()
            asyncio.run_coroutine_threadsafe(proxy.end(), loop).result(10)
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


class _TlsProxy:
    def __init__(self, target: tuple[str, int], context: ssl.SSLContext, *, admits_plain: bool) -> None:
        self._target = target
        self._context = context
        self._admits_plain = admits_plain
        self._connections: set[asyncio.Task[None]] = set()

    async def accept(self, listener: socket.socket) -> None:
        """Accept connections until the task is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            client, _ = await loop.sock_accept(listener)
            task = asyncio.create_task(self._serve(client))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

    async def end(self) -> None:
        """Close all connections."""
        connections = list(self._connections)
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        # A closed transport releases its socket a few turns of the loop later.
        for _ in range(5):
            await asyncio.sleep(0)

    async def _serve(self, client: socket.socket) -> None:
        """Forward a connection until either side closes it or the TLS handshake fails."""
        with client, contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            uses_tls = await self._uses_tls(client)
            if not uses_tls and not self._admits_plain:
                return
            reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(reader)
            loop = asyncio.get_running_loop()
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, client, ssl=self._context if uses_tls else None
            )
            writer = asyncio.StreamWriter(transport, protocol, reader, loop)
            try:
                await self._forward(reader, writer)
            finally:
                writer.close()

    async def _uses_tls(self, client: socket.socket) -> bool:
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
            await loop.sock_sendall(client, _SSL_ACCEPTED)
            return True
        return first.startswith(_TLS)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target_reader, target_writer = await asyncio.open_connection(*self._target)
        copies = [
            asyncio.create_task(_copy(*streams)) for streams in ((reader, target_writer), (target_reader, writer))
        ]
        try:
            await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in copies:
                task.cancel()
            target_writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
