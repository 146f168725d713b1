"""Runs the edge: gunicorn manages its processes, uvicorn serves in each of them."""

import gc
import logging
import math
import os
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict

import uvicorn
from gunicorn.app.base import BaseApplication
from gunicorn.config import Config
from gunicorn.glogging import Logger
from starlette.types import ASGIApp

from common.errors import SettingsError
from common.process import raise_open_files_limit
from common.settings.sources import read_settings
from common.telemetry.exporter import serve_worker_metrics
from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.tracing import tracing_enabled, validate_tracing_config
from edge_api.app import worker_application
from edge_api.http.fast_path import FastPathProtocol
from edge_api.http.protocol import LimitedHttpProtocol
from edge_api.settings import EdgeSettings
from edge_api.worker import GRACEFUL_SECONDS, STOP_SECONDS, EdgeArbiter, EdgeWorker

_BACKLOG = 2048
#: Memory, where the system has such a folder: a heartbeat must never wait for a disk.
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - gunicorn makes unlinked files of its own in it

ApplicationFactory = Callable[[EdgeSettings], ASGIApp]


class ServerOptions(TypedDict):
    """The options of uvicorn that the edge sets, by uvicorn's names."""

    loop: Literal["uvloop"]
    http: type[LimitedHttpProtocol]
    ws: Literal["none"]
    lifespan: Literal["on"]
    interface: Literal["asgi3"]
    log_config: None
    access_log: bool
    proxy_headers: bool
    server_header: bool
    backlog: int
    timeout_graceful_shutdown: int


def serve(settings: EdgeSettings) -> None:
    """Serve until SIGTERM or SIGINT, then let requests under way finish; an orderly stop exits with status 0.

    Raises SettingsError when the port is taken.
    """
    validate_tracing_config(os.environ)
    port, workers = settings.edge_metrics_port, settings.edge_workers
    raise_open_files_limit()
    listener = _listen(settings)
    with serve_worker_metrics("edge", settings, port=port, workers=workers) as folder:
        EdgeServer(settings, listener, partial(_make_application, folder)).run()


def serve_application(settings: EdgeSettings, make_application: ApplicationFactory) -> None:
    """Serve, without metrics, the application that the factory makes in each worker."""
    EdgeServer(settings, _listen(settings), make_application).run()


def server_options(settings: EdgeSettings) -> ServerOptions:
    """Return how uvicorn serves the edge. The protocol limits the number of connections."""
    # Only the ASGI way makes spans.
    is_fast = settings.edge_http == "fast" and not tracing_enabled(os.environ)
    return {
        "loop": "uvloop",
        "http": FastPathProtocol if is_fast else LimitedHttpProtocol,
        "ws": "none",
        "lifespan": "on",
        "interface": "asgi3",
        "log_config": None,
        "access_log": False,
        "proxy_headers": False,
        "server_header": False,
        "backlog": _BACKLOG,
        "timeout_graceful_shutdown": GRACEFUL_SECONDS,
    }


class ProcessLog(Logger):
    """Sends gunicorn's log to the handlers of the root logger."""

    def setup(self, cfg: Config) -> None:
        """Add no handlers."""
        self.cfg = cfg
        self.error_log.propagate = True
        # At debug level gunicorn logs its whole configuration.
        self.error_log.setLevel(max(logging.INFO, logging.getLogger().level))


class EdgeServer(BaseApplication):
    """gunicorn on a bound socket. Each worker reads the settings again and makes its own application."""

    def __init__(self, settings: EdgeSettings, listener: socket.socket, make_application: ApplicationFactory) -> None:
        self._settings = settings
        # gunicorn closes this descriptor and goes on with a copy.
        self._bind = f"fd://{listener.detach()}"
        self._make_application = make_application
        super().__init__()

    def load_config(self) -> None:
        """Set all that differs from gunicorn's defaults; gunicorn's own files and variables are not read."""
        chosen: dict[str, Any] = {
            "bind": self._bind,
            "worker_class": EdgeWorker,
            "workers": self._settings.edge_workers,
            "timeout": math.ceil(self._settings.edge_worker_timeout_seconds),
            "graceful_timeout": STOP_SECONDS,
            "child_exit": EdgeArbiter.worker_exited,
            "logger_class": ProcessLog,
            "proc_name": "onboarding-edge",
            "control_socket_disable": True,
        }
        if _MEMORY_FOLDER.is_dir() and os.access(_MEMORY_FOLDER, os.W_OK | os.X_OK):
            chosen["worker_tmp_dir"] = str(_MEMORY_FOLDER)
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:  # noqa: ANN401 - only for the worker class; the stub allows no other result than an application
        """Return the function that makes the worker's uvicorn configuration."""
        return self._worker_config

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT."""
        # The workers share these objects with the arbiter until a garbage collection writes to them.
        gc.freeze()
        EdgeArbiter(self).run()

    def _worker_config(self) -> uvicorn.Config:
        # A rolling restart is to find the secrets that have been replaced in their files.
        settings = read_settings(EdgeSettings)
        return uvicorn.Config(self._make_application(settings), **server_options(settings))


def _listen(settings: EdgeSettings) -> socket.socket:
    """Listen on the address of the edge. Raises SettingsError."""
    family = socket.AF_INET6 if ":" in settings.edge_host else socket.AF_INET
    try:
        return socket.create_server((settings.edge_host, settings.edge_port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise SettingsError(f"EDGE_PORT: {error.strerror}") from error


def _make_application(metrics_folder: Path | None, settings: EdgeSettings) -> ASGIApp:
    return worker_application(settings, None if metrics_folder is None else WorkerMetricsWriter(metrics_folder))
