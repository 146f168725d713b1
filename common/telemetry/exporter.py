"""Serves `GET /metrics` on a port of its own, in a thread of its own, whatever the rest of the process is doing."""

import asyncio
import contextlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import structlog

from common.settings.shared import MetricsSettings
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.metrics_source import MetricsSource
from common.telemetry.page import page

_LOG = structlog.stdlib.get_logger(__name__)

PATH = "/metrics"
_HEAD_BYTES = 8 * 1024
#: For a whole request and its answer, however slowly a client sends and reads.
_CLIENT_SECONDS = 5.0
_MOST_CLIENTS = 32
#: Another process of this machine may have the port, one that is just being replaced for instance.
_RETRY_SECONDS = 1.0
_START_SECONDS = 5.0


@contextmanager
def serve_metrics(settings: MetricsSettings, port: int, board: MetricsSource, *, forks: bool = False) -> Iterator[None]:
    """Serve what is on the board for the length of the block; port 0: nowhere.

    A port that is taken is tried again and again: that nobody can look is no reason not to serve. `forks` tells that
    this process makes others by forking: they have the block on their stacks, but nothing to do with its end.
    """
    if port == 0:
        yield
        return
    server = _PageServer(settings.metrics_host, port, board)
    if forks:
        os.register_at_fork(before=server.rest, after_in_parent=server.go_on, after_in_child=server.leave_to_parent)
    server.start()
    try:
        yield
    finally:
        server.stop()


class _PageServer:
    def __init__(self, host: str, port: int, board: MetricsSource) -> None:
        self._host = host
        self._port = port
        self._board = board
        self._owner = os.getpid()
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._over = asyncio.Event()
        self._tried = threading.Event()
        #: Held around whatever could leave a lock held, of the log for instance, in a child that is forked meanwhile.
        self._busy = threading.Lock()
        self._listener: socket.socket | None = None
        self._clients = 0
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Start, and wait until the port was tried once."""
        self._thread.start()
        self._tried.wait(_START_SECONDS)

    def stop(self) -> None:
        """Let the port go."""
        if os.getpid() == self._owner:
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join(_START_SECONDS)

    def rest(self) -> None:
        """Do nothing until told to go on."""
        self._busy.acquire()

    def go_on(self) -> None:
        """Go on."""
        self._busy.release()

    def leave_to_parent(self) -> None:
        """Let go, in a child, of what it has inherited."""
        self._busy.release()
        if self._listener is not None:
            self._listener.close()

    def _run(self) -> None:
        # The signals of a process are for its main thread.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        with self._runner:
            self._runner.run(self._serve())

    async def _serve(self) -> None:
        self._listener = await self._listen()
        if self._listener is None:
            return
        server = await asyncio.start_server(self._answer, sock=self._listener, limit=_HEAD_BYTES)
        await self._over.wait()
        server.close()

    async def _listen(self) -> socket.socket | None:
        """Take the port as soon as it is free; None when it is not wanted any more."""
        has_complained = False
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        while not self._over.is_set():
            try:
                return socket.create_server((self._host, self._port), family=family)
            except OSError as error:
                if not has_complained:
                    with self._busy:
                        _LOG.warning("metrics_not_served", port=self._port, reason=error.strerror)
                has_complained = True
            finally:
                self._tried.set()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), _RETRY_SECONDS)
        return None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients += 1
        try:
            if self._clients <= _MOST_CLIENTS:
                async with asyncio.timeout(_CLIENT_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(self._response(head))
                    await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # Whoever is slow, gone or talks nonsense gets no answer.
            writer.transport.abort()
        finally:
            self._clients -= 1
            writer.close()

    def _response(self, head: bytes) -> bytes:
        request, *fields = head.decode("latin-1").split("\r\n")
        method, _, rest = request.partition(" ")
        path = rest.partition(" ")[0].partition("?")[0]
        if path != PATH:
            return _refusal(HTTPStatus.NOT_FOUND)
        if method not in ("GET", "HEAD"):
            return _refusal(HTTPStatus.METHOD_NOT_ALLOWED, "Allow: GET, HEAD\r\n")
        try:
            with self._busy:
                body, media_type = page(CATALOGUE, self._board.readings(), _accepted(fields))
        except Exception:  # noqa: BLE001 - whatever the defect is, it is logged and answered
            with self._busy:
                _LOG.exception("metrics_page_not_made")
            return _refusal(HTTPStatus.INTERNAL_SERVER_ERROR)
        return _response(HTTPStatus.OK, media_type, len(body)) + (b"" if method == "HEAD" else body)


def _accepted(fields: list[str]) -> str:
    accepted = (value for name, _, value in (field.partition(":") for field in fields) if name.lower() == "accept")
    return next(accepted, "").strip()


def _refusal(status: HTTPStatus, more: str = "") -> bytes:
    body = f"{status.phrase}\n".encode()
    return _response(status, "text/plain; charset=utf-8", len(body), more) + body


def _response(status: HTTPStatus, media_type: str, length: int, more: str = "") -> bytes:
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n"
        f"X-Content-Type-Options: nosniff\r\n{more}Connection: close\r\n\r\n"
    ).encode()
