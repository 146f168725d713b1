"""The Starlette application: every path of the edge, wired to its parts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from common.errors import MethodNotAllowedError, NotFoundError
from common.process import tune_gc
from common.telemetry.metrics_source import MetricsWriter
from edge_api.answers.health import LIVE_PATH, READY_PATH
from edge_api.doors.connection_bounds import ConnectionBounds, ConnectionSweep
from edge_api.doors.door_parts import PARTS, DoorParts
from edge_api.doors.health_door import LiveDoor, ReadyDoor
from edge_api.doors.public_door import PublicDoor
from edge_api.doors.request_boundary import RequestBoundary
from edge_api.doors.waiting_answers import AsyncRequestHandler
from edge_api.edge import Edge
from edge_api.figures.edge_figures import EdgeFigures
from edge_api.figures.reporting import figures_reported

_METHOD_NOT_ALLOWED = 405


def create_app(edge: Edge, desk: MetricsWriter | None = None) -> ASGIApp:
    """Wire the application; its lifespan is the edge's, and leaves what protocols need where uvicorn takes it from.

    The worker's figures are put up at the desk.
    """
    sweep = ConnectionSweep(ConnectionBounds.of(edge.settings))
    figures = EdgeFigures(edge, sweep)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, object]]:
        async with figures_reported(desk, figures), edge.running(), sweep.running():
            tune_gc()
            yield {PARTS: DoorParts.of(edge, sweep)}

    answers = AsyncRequestHandler(edge.store, edge.limits, edge.commits)
    app = Starlette(
        routes=[
            Route(LIVE_PATH, LiveDoor(), methods=["GET"]),
            Route(READY_PATH, ReadyDoor(edge.snapshots, edge.events, edge.tokens), methods=["GET"]),
        ],
        middleware=[Middleware(RequestBoundary, answers, edge.requests)],
        exception_handlers={HTTPException: _translate},
        lifespan=lifespan,
    )
    # A path with a slash too many is an unknown path, not a reason for another request.
    app.router.redirect_slashes = False
    return PublicDoor(edge.endpoints, answers, edge.requests, app)


async def _translate(_request: Request, error: Exception) -> NoReturn:
    """Turn what Starlette's routing raises into our own errors, which the boundary answers."""
    if isinstance(error, HTTPException) and error.status_code == _METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "")
        raise MethodNotAllowedError(sorted(allowed.split(", ")))
    raise NotFoundError("Not found")
