"""How gunicorn serves us: threads, bounded requests, our log, and the contract's error bodies for its own refusals."""

import gc
import logging
import os
import socket
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from wsgiref.types import WSGIApplication

import structlog
from gunicorn.app.base import BaseApplication
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException
from gunicorn.util import write_nonblock

from common.errors import InternalError, error_body
from common.process import tune_gc
from management_api.routes.unreadable_requests import answer_to_unreadable
from management_api.serving.buffering_worker import BufferingWorker
from management_api.serving.connection import Address
from management_api.settings import ManagementSettings

#: Of one worker; past that, the client that has been slow for longest is dropped.
MAX_CONNECTIONS = 1000
#: For the requests in flight, once a stop is asked for.
STOP_SECONDS = 20
#: Memory, where there is such a folder: the heartbeat file must never wait for a disk.
MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - gunicorn makes an unlinked file of its own in it # nosec B108 # as said
FAILURE = (
    "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Type: application/json\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Request-Id: {request_id}\r\nContent-Length: {length}\r\n\r\n"
)

log = structlog.get_logger(__name__)

MakeApplication = Callable[[ManagementSettings], WSGIApplication]


class ProcessLog(Logger):
    """Gunicorn's log goes the way of the process's; requests are logged by the application."""

    def setup(self, cfg: Config) -> None:
        """Leave handlers and level to the root logger, but for one thing."""
        self.cfg = cfg
        self._access_log_enabled = False
        self.error_log.propagate = True
        # Gunicorn's debug lines quote paths, and somebody will put a key into one.
        self.error_log.setLevel(max(logging.INFO, logging.getLogger().level))


class RefusingWorker(BufferingWorker):
    """A worker whose answer to what is not even HTTP is the contract's, with all its headers."""

    def handle_error(self, _req: object, client: socket.socket, addr: object, exc: BaseException) -> None:
        """Answer, and let the connection be closed."""
        if isinstance(exc, ParseException):
            host, _port = cast("Address", addr)
            answer = answer_to_unreadable(cast("WSGIApplication", self.wsgi), host)
        else:
            answer = self._failure(exc)
        try:
            write_nonblock(client, answer)
        except OSError:
            self.log.debug("the client is gone")

    def _failure(self, error: BaseException) -> bytes:
        self.log.error("request failed outside the application: %s", type(error).__name__)
        body, request_id = error_body(InternalError()), uuid.uuid4().hex
        # It never comes to the application, whose log has a line like this for all others.
        log.info("request", request_id=request_id, user=None, project=None, route=None, status=InternalError().status)
        return FAILURE.format(request_id=request_id, length=len(body)).encode() + body


class ThreadedServer(BaseApplication):
    """Gunicorn on a socket that is already bound, with the application made in each worker after the fork."""

    def __init__(
        self, settings: ManagementSettings, listener: socket.socket, make_application: MakeApplication
    ) -> None:
        self._settings = settings
        # Gunicorn closes this number and goes on with one of its own; an object that still held it would close others'.
        self._bind = f"fd://{listener.detach()}"
        self._make_application = make_application
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's defaults; no file and no variable of its own changes that."""
        settings = self._settings
        chosen: dict[str, Any] = {
            "bind": self._bind,
            "worker_class": RefusingWorker,
            "workers": settings.management_workers,
            "threads": settings.management_threads,
            "logger_class": ProcessLog,
            "proc_name": "onboarding-management",
            "worker_connections": MAX_CONNECTIONS,
            "keepalive": 30,
            "timeout": 60,
            "graceful_timeout": STOP_SECONDS,
            "limit_request_line": 8190,
            "limit_request_fields": 64,
            # As much as the edge takes of a whole head: a token that is too long is no good token, but good HTTP.
            "limit_request_field_size": 16 * 1024,
            # Nothing that a client says about a proxy is believed here.
            "forwarded_allow_ips": "",
            "forwarder_headers": "",
            "secure_scheme_headers": {},
            "control_socket_disable": True,
            # Bytes that go past the worker's buffers would overtake those inside them.
            "sendfile": False,
        }
        if MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK | os.X_OK):
            chosen["worker_tmp_dir"] = str(MEMORY_FOLDER)
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        """Serve until told to stop."""
        # What was made by now stays for good. A process that ends would look through all of it for garbage once more,
        # for most of a second, in which whoever replaces it waits.
        gc.freeze()
        super().run()

    def load(self) -> Any:  # noqa: ANN401 - the stub's type is narrower than WSGI
        """Make the application, with connections of this worker's own."""
        application = self._make_application(self._settings)
        tune_gc()
        return application


def listen_on(host: str, port: int) -> socket.socket:
    """Bind the address of the service. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        # Bound is not enough: two may be bound, one may listen.
        listener.listen(1024)
    except OSError:
        listener.close()
        raise
    return listener
