"""The parts of a worker that its connections use: uvicorn creates the protocols itself, with the lifespan state.

Apart from the protocols because `app.py` makes it.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from edge_api.api.handler import Endpoint, RequestHandler
from edge_api.api.routes import ROUTES, EdgeRoute
from edge_api.events.group_commit import EventCommits
from edge_api.http.connection_limits import ConnectionReaper
from edge_api.http.request_log import requests_are_logged
from edge_api.http.request_metrics import RequestMetrics, RouteMetrics
from edge_api.http.responses import DefaultHeaders, WriteBatcher
from edge_api.page_assets import PageAssets

#: Its name in the lifespan state.
WORKER_CONTEXT = "onboarding.worker_context"
#: The name, in the state of a request that ASGI answers, of the time of `perf_counter` at which it was complete.
COMPLETED_AT = "onboarding.completed_at"


class FastRoute(msgspec.Struct, frozen=True, gc=False):
    """A route of the fast path; methods as requests have them. `request_line` is of the first method."""

    edge_route: EdgeRoute
    endpoint: Endpoint
    methods: frozenset[bytes]
    method: bytes
    request_line: bytes
    body_limit: int | None
    metrics: RouteMetrics


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """`routes` by the bytes of their paths, as requests have them."""

    handler: RequestHandler
    commits: EventCommits
    reaper: ConnectionReaper
    routes: Mapping[bytes, FastRoute]
    metrics: RequestMetrics
    default_headers: DefaultHeaders
    writes: WriteBatcher
    assets: PageAssets
    logs_requests: bool
    #: Whether scripts of other origins may be allowed.
    has_other_origins: bool


def create_worker_context(
    handler: RequestHandler,
    commits: EventCommits,
    reaper: ConnectionReaper,
    endpoints: Mapping[EdgeRoute, Endpoint],
    metrics: RequestMetrics,
    assets: PageAssets,
    *,
    has_other_origins: bool,
) -> WorkerContext:
    """Return the context of a worker, in its event loop."""
    routes = {
        path.encode(): _fast_route(route, path, endpoints[route], metrics.of(route))
        for route in ROUTES
        if route.is_fast
        for path in route.paths
    }
    return WorkerContext(
        handler,
        commits,
        reaper,
        routes,
        metrics,
        # As the middleware of all other responses does.
        DefaultHeaders(((b"vary", b"Origin"),) if has_other_origins else ()),
        WriteBatcher(asyncio.get_running_loop()),
        assets,
        requests_are_logged(),
        has_other_origins,
    )


def _fast_route(route: EdgeRoute, path: str, endpoint: Endpoint, metrics: RouteMetrics) -> FastRoute:
    methods = tuple(map(str.encode, route.methods))
    request_line = b"%b %b HTTP/1.1\r\n" % (methods[0], path.encode())
    return FastRoute(route, endpoint, frozenset(methods), methods[0], request_line, route.body_limit, metrics)
