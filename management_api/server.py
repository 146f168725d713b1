"""Serves management with gunicorn's threaded worker; two of its methods are overridden.

The worker reads requests and writes responses in its threads, so a slow client occupies a thread. The gateway in front
buffers both (docs/operations/install.md).
"""

import errno
import gc
import logging
import os
import resource
import signal
import socket
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, cast
from wsgiref.types import WSGIApplication

import structlog
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from common.errors import InternalError, RequestError, UnavailableError, error_body
from common.process import tune_gc
from management_api.settings import ManagementSettings

#: Maximum connections of one worker, where the system allows as many.
MAX_CONNECTIONS = 1000
#: For the requests under way when a worker stops.
STOP_SECONDS = 20
#: Open files of a worker besides connections to clients and databases, with three for each thread.
_OTHER_FILES = 64
_BACKLOG = 1024
#: The pause after an accept without a free descriptor: the queue stays readable.
_PAUSE_SECONDS = 0.05
_WARN_SECONDS = 60.0
_OUT_OF_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
#: Memory, where the system has such a folder: a heartbeat must never wait for a disk.
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - gunicorn makes unlinked files of its own in it

_LOG = structlog.stdlib.get_logger(__name__)

#: Counts a request that is not HTTP; takes the address of the client, returns the error and the rate limit headers.
RejectMalformed = Callable[[str], tuple[RequestError, Mapping[str, str]]]


class WorkerApplication(NamedTuple):
    """The application of one worker, and its rejection of requests that are not HTTP."""

    application: WSGIApplication
    reject_malformed: RejectMalformed


MakeApplication = Callable[[ManagementSettings], WorkerApplication]


class ManagementWorker(ThreadWorker):
    """Overrides `accept` and `handle_error` of gunicorn 27; a test fails on any other version."""

    #: When a lack of descriptors is logged again.
    _warn_at = 0.0

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection, or reject it at the limit. Without a free descriptor the worker goes on."""
        try:
            # gunicorn itself would stop accepting at its limit, and clients would wait in the queue.
            if self.nr_conns < self.worker_connections - 1:
                super().accept(listener)
            else:
                _reject_connection(listener)
        except OSError as error:
            if error.errno in _OUT_OF_DESCRIPTORS:
                now = time.monotonic()
                if now >= self._warn_at:
                    self._warn_at = now + _WARN_SECONDS
                    _LOG.error("connections_not_accepted", reason=error.strerror)
                time.sleep(_PAUSE_SECONDS)
            elif error.errno != errno.EINVAL:
                raise
            # EINVAL: the arbiter has closed the port, and will stop this worker.

    def handle_error(self, _req: object, client: socket.socket, addr: object, exc: BaseException) -> None:
        """Respond to a request that is not HTTP, or one that failed outside the application."""
        error: RequestError = InternalError()
        headers: Mapping[str, str] = {}
        if isinstance(exc, ParseException):
            host, *_ = cast("tuple[str, ...]", addr)
            error, headers = cast("ManagementServer", self.app).reject_malformed(host)
        else:
            _LOG.error("request_failed_outside_application", reason=type(exc).__name__)
        request_id = uuid.uuid4().hex
        # The application logs all other requests.
        _LOG.info("request", request_id=request_id, user=None, project=None, route=None, status=error.status)
        with suppress(OSError):
            client.sendall(_response(error, request_id, headers))


class ProcessLog(Logger):
    """Sends gunicorn's log to the handlers of the root logger. The application logs requests."""

    def setup(self, cfg: Config) -> None:
        """Add no handlers."""
        self.cfg = cfg
        self.error_log.propagate = True
        # At debug level gunicorn logs paths, which may contain a key.
        self.error_log.setLevel(max(logging.INFO, logging.getLogger().level))


class ManagementServer(BaseApplication):
    """gunicorn on a bound socket; each worker makes its own application after the fork."""

    def __init__(
        self, settings: ManagementSettings, listener: socket.socket, make_application: MakeApplication
    ) -> None:
        self._settings = settings
        self._listener = listener
        # gunicorn closes this descriptor and goes on with a copy.
        self._bind = f"fd://{os.dup(listener.fileno())}"
        self._make_application = make_application
        super().__init__()

    def load_config(self) -> None:
        """Set all that differs from gunicorn's defaults; gunicorn's own files and variables are not read."""
        chosen: dict[str, Any] = {
            "bind": self._bind,
            "worker_class": ManagementWorker,
            "workers": self._settings.management_workers,
            "threads": self._settings.management_threads,
            "logger_class": ProcessLog,
            "proc_name": "onboarding-management",
            "worker_connections": connection_limit(self._settings),
            "keepalive": 30,
            "timeout": 60,
            "graceful_timeout": STOP_SECONDS,
            "limit_request_line": 8190,
            "limit_request_fields": 64,
            # As on the edge: a token that is too long is an invalid token, but valid HTTP.
            "limit_request_field_size": 16 * 1024,
            # No header of a client is trusted here.
            "forwarded_allow_ips": "",
            "forwarder_headers": "",
            "secure_scheme_headers": {},
            "control_socket_disable": True,
            "when_ready": self._close_port_at_stop,
        }
        if _MEMORY_FOLDER.is_dir() and os.access(_MEMORY_FOLDER, os.W_OK | os.X_OK):
            chosen["worker_tmp_dir"] = str(_MEMORY_FOLDER)
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        """Serve until SIGTERM."""
        # A process that ends would otherwise search these objects for garbage for most of a second.
        gc.freeze()
        super().run()

    def load(self) -> Any:  # noqa: ANN401 - the stub's type is narrower than WSGI
        """Create the application, with connections of this worker's own."""
        application, self.reject_malformed = self._make_application(self._settings)
        tune_gc()
        return application

    def _close_port_at_stop(self, _arbiter: Arbiter) -> None:
        """Refuse connections from SIGTERM on. Those that gunicorn leaves in the queue would be reset 20 s later."""
        handle = cast("Callable[[int, FrameType | None], object]", signal.getsignal(signal.SIGTERM))

        def stop(number: int, frame: FrameType | None) -> None:
            # For all processes that share the port. Closing it here would leave it open in the workers.
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            handle(number, frame)

        signal.signal(signal.SIGTERM, stop)


def listen_on(host: str, port: int) -> socket.socket:
    """Listen on the address of the service. Raises OSError."""
    if ":" not in host:
        return socket.create_server((host, port), backlog=_BACKLOG)
    both = socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=socket.AF_INET6, backlog=_BACKLOG, dualstack_ipv6=both)


def connection_limit(settings: ManagementSettings) -> int:
    """Return the maximum connections of one worker, as far as the limit of open files (RLIMIT_NOFILE) allows."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    pools = settings.database_pool_size * (1 if settings.analytics_database_url is None else 2)
    free = limit - _OTHER_FILES - pools - 3 * settings.management_threads
    return max(settings.management_threads + 2, min(MAX_CONNECTIONS, free))


def _reject_connection(listener: socket.socket) -> None:
    try:
        client, _ = listener.accept()
    except (BlockingIOError, ConnectionAbortedError):
        return
    error = UnavailableError("Too many connections, please try again")
    with client, suppress(OSError):
        client.setblocking(False)  # noqa: FBT003 - the standard library's
        client.send(_response(error, uuid.uuid4().hex, {}))
        client.shutdown(socket.SHUT_WR)
        # Unread bytes would turn the end of the connection into a reset, which discards the response.
        client.recv(64 * 1024)


def _response(error: RequestError, request_id: str, headers: Mapping[str, str]) -> bytes:
    body = error_body(error)
    fields = {
        **error.headers,
        **headers,
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-Request-Id": request_id,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    lines = (f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n{''.join(lines)}\r\n".encode("latin-1") + body
