"""Runs the edge on uvicorn."""

import contextlib
import signal
import sys
from types import FrameType
from typing import NoReturn

import uvicorn

from common.settings import EdgeSettings
from edge_api.application import create_app
from edge_api.edge import Edge

_GRACEFUL_SECONDS = 10
_KEEP_ALIVE_SECONDS = 30
_MOST_CONNECTIONS = 10_000
_BACKLOG = 2048


def serve(settings: EdgeSettings) -> None:
    """Serve until SIGTERM or SIGINT, then let requests under way finish; a clean stop ends with status 0.

    Several workers are processes of uvicorn's own, which read the same settings from the environment.
    """
    # uvicorn raises the signal again when it has stopped; that is the end of a clean run, not a death by signal.
    signal.signal(signal.SIGTERM, _leave)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.run(
            create_app(Edge(settings)) if settings.edge_workers == 1 else "edge_api.worker:worker_app",
            factory=settings.edge_workers > 1,
            workers=settings.edge_workers,
            host=settings.edge_host,
            port=settings.edge_port,
            loop="uvloop",
            http="httptools",
            ws="none",
            lifespan="on",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=_BACKLOG,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACEFUL_SECONDS,
        )


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)
