"""Serves management with gunicorn: processes, settings and the port. `worker.py` is its worker."""

import gc
import logging
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, cast
from wsgiref.types import WSGIApplication

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger

from common.process import tune_gc
from management_api.settings import ManagementSettings
from management_api.worker import ManagementWorker, RejectMalformed

#: Maximum connections of one worker, where the system allows as many.
MAX_CONNECTIONS = 1000
#: For the requests under way when a worker stops.
STOP_SECONDS = 20
#: Open files of a worker besides connections to clients and databases, with three for each thread.
_OTHER_FILES = 64
_BACKLOG = 1024
#: Memory, where the system has such a folder: a heartbeat must never wait for a disk.
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - gunicorn makes unlinked files of its own in it


class WorkerApplication(NamedTuple):
    """The application of one worker, and its rejection of requests that are not HTTP."""

    application: WSGIApplication
    reject_malformed: RejectMalformed


MakeApplication = Callable[[ManagementSettings], WorkerApplication]


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
            # Files of a response pass the buffers of the worker.
            "sendfile": False,
            "worker_connections": connection_limit(self._settings),
            "keepalive": 30,
            # The heartbeat comes from the loop, which waits for nothing. A frozen worker is replaced after this.
            "timeout": 20,
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
    pools = max(settings.database_pool_size, settings.management_threads) * (
        1 if settings.analytics_database_url is None else 2
    )
    free = limit - _OTHER_FILES - pools - 3 * (settings.management_threads + 2)
    return max(settings.management_threads + 2, min(MAX_CONNECTIONS, free))
