"""An edge whose workers start slowly, fail to start, or block their event loop: a program for `StartedEdge`."""

import asyncio
import os
import time
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from common.logging import configure_logging
from common.settings.sources import read_settings
from edge_api.app import Edge, create_app
from edge_api.main import serve_application
from edge_api.settings import EdgeSettings

PROGRAM = "from tests.integration.edge_api.faulty_worker import serve; serve()"
#: Environment variables: the seconds of a start, and a file whose existence makes a start fail.
START_SECONDS, FAILURE_FILE = "FAULTY_START_SECONDS", "FAULTY_FAILURE_FILE"
#: A request for this path blocks the event loop.
BLOCK_PATH = "/block"
_BLOCK_SECONDS = 600


class FaultyApplication:
    """Wraps the edge's application."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or the lifespan after a pause."""
        if scope["type"] == "lifespan":
            await asyncio.sleep(float(os.environ[START_SECONDS]))
        elif scope["path"] == BLOCK_PATH:
            time.sleep(_BLOCK_SECONDS)
        await self._application(scope, receive, send)


def serve() -> None:
    settings = read_settings(EdgeSettings)
    configure_logging(settings, "edge")
    serve_application(settings, _make_application)


def _make_application(settings: EdgeSettings) -> ASGIApp:
    if Path(os.environ[FAILURE_FILE]).exists():
        raise RuntimeError("the start fails")
    return FaultyApplication(create_app(Edge(settings)))
