"""Runs the edge on uvicorn."""

import contextlib
import os
import signal
import sys
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Literal, NoReturn, TypedDict

import uvicorn

from common.telemetry.multiprocess_store import WorkerMetricsWriter
from common.telemetry.serve_worker_metrics import serve_worker_metrics
from common.telemetry.tracing_config import traces_are_wanted, validate_tracing_config
from edge_api.doors.bounded_protocol import BoundedProtocol
from edge_api.doors.protocol_door import ProtocolDoor
from edge_api.figures.folder_of_workers import leave_figures_in
from edge_api.settings import EdgeSettings
from edge_api.traces.worker_application import worker_application
from edge_api.workers.supervisor import Supervisor
from edge_api.workers.worker_bounds import WorkerBounds
from edge_api.workers.worker_process import WorkerProcess


class ServerOptions(TypedDict):
    """The options of uvicorn that we set, by its names."""

    loop: Literal["uvloop"]
    http: type[BoundedProtocol]
    ws: Literal["none"]
    lifespan: Literal["on"]
    interface: Literal["asgi3"]
    log_config: None
    access_log: bool
    proxy_headers: bool
    server_header: bool
    backlog: int
    timeout_graceful_shutdown: int


_GRACEFUL_SECONDS = 10
_BACKLOG = 2048
#: A worker that is started reads its snapshots before it serves.
_START_SECONDS = 30
#: Beside answering what is under way: to store what waits, and to say goodbye to Redis and a collector of traces.
END_SECONDS = _GRACEFUL_SECONDS + 15


def serve(settings: EdgeSettings) -> None:
    """Serve until SIGTERM or SIGINT, then let requests under way finish; a clean stop ends with status 0.

    Several workers are processes of their own, which read the same settings from the environment.
    """
    validate_tracing_config(os.environ)
    # uvicorn raises the signal again when it has stopped; that is the end of a clean run, not a death by signal.
    signal.signal(signal.SIGTERM, _leave)
    with contextlib.suppress(KeyboardInterrupt), _shown(settings) as folder:
        if settings.edge_workers > 1:
            leave_figures_in(folder)
            serve_with_workers(settings, "edge_api.worker:worker_app")
            return
        application = worker_application(settings, None if folder is None else WorkerMetricsWriter(folder))
        uvicorn.run(
            application, workers=1, host=settings.edge_host, port=settings.edge_port, **server_options(settings)
        )


def serve_with_workers(settings: EdgeSettings, factory: str) -> None:
    """Serve with as many processes as the settings say, in each an application of the factory that the path names."""
    config = uvicorn.Config(
        factory, factory=True, host=settings.edge_host, port=settings.edge_port, **server_options(settings)
    )
    bounds = WorkerBounds(
        start_seconds=_START_SECONDS,
        silence_seconds=settings.edge_worker_timeout_seconds,
        end_seconds=END_SECONDS,
    )
    with config.bind_socket() as listener:
        Supervisor(partial(WorkerProcess, config, listener), settings.edge_workers, bounds).run()


def _shown(settings: EdgeSettings) -> AbstractContextManager[Path | None]:
    return serve_worker_metrics("edge", settings, port=settings.edge_metrics_port, workers=settings.edge_workers)


def server_options(settings: EdgeSettings) -> ServerOptions:
    """Say how uvicorn serves the edge, wherever it listens. The number of connections is bounded by the protocol."""
    # Spans are made at the ASGI door alone, so that the other one knows nothing of them.
    is_short = settings.edge_http == "fast" and not traces_are_wanted(os.environ)
    return {
        "loop": "uvloop",
        "http": ProtocolDoor if is_short else BoundedProtocol,
        "ws": "none",
        "lifespan": "on",
        "interface": "asgi3",
        "log_config": None,
        "access_log": False,
        "proxy_headers": False,
        "server_header": False,
        "backlog": _BACKLOG,
        "timeout_graceful_shutdown": _GRACEFUL_SECONDS,
    }


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)
