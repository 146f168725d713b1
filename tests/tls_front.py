"""TLS in front of a PostgreSQL that was built without it, as the one that comes with the project is."""

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from deploy.local.loopback_ports import LOOPBACK

_CHUNK_BYTES = 65536
#: How a client asks whether it may speak TLS, and how it is told that it must.
_SSL_REQUEST = bytes.fromhex("00000008 04d2162f")
_YES = b"S"


@contextmanager
def tls_front(server_url: str, certificate: Path, key: Path) -> Iterator[str]:
    """Give the URL of a server that speaks TLS alone, and hands everything on to that one."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    front = _Front(server_url, context)
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(front.serve, LOOPBACK, 0), loop).result(10)
    parts = urlsplit(server_url)
    port = server.sockets[0].getsockname()[1]
    try:
        yield parts._replace(netloc=f"{parts.username}:{parts.password}@{LOOPBACK}:{port}").geturl()
    finally:
        asyncio.run_coroutine_threadsafe(front.end(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class _Front:
    def __init__(self, server_url: str, context: ssl.SSLContext) -> None:
        self._target = urlsplit(server_url)
        self._context = context
        self._served: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client; whoever does not ask for TLS, or does not like the certificate, goes."""
        task = asyncio.current_task()
        assert task is not None
        self._served.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                if await reader.readexactly(len(_SSL_REQUEST)) == _SSL_REQUEST:
                    writer.write(_YES)
                    await writer.start_tls(self._context)
                    await self._hand_on(reader, writer)
        finally:
            writer.close()
            self._served.discard(task)

    async def end(self, server: asyncio.Server) -> None:
        """Close everything."""
        server.close()
        for task in self._served:
            task.cancel()
        await asyncio.gather(*self._served, return_exceptions=True)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await asyncio.open_connection(self._target.hostname, self._target.port)
        try:
            ways = [_flow(reader, behind_writer), _flow(behind_reader, writer)]
            await asyncio.wait([asyncio.ensure_future(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)
        finally:
            behind_writer.close()


async def _flow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
