"""The ASGI way: a plain Starlette application for the health endpoints and all requests that the fast path leaves."""

import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import NoReturn, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from common.errors import MethodNotAllowedError, NotFoundError, OnboardingError, PayloadTooLargeError, RequestError
from common.wire.assignment_tokens import AssignmentTokens
from edge_api.api.handler import Endpoint, MustWaitError, RequestHandler, log_internal_error
from edge_api.api.health import RateLimitState, live_response, ready_response
from edge_api.api.request import RequestContext, read_headers
from edge_api.api.response import DurableResponse, Response, error_response
from edge_api.api.routes import ROUTES, EdgeRoute, route_of, ticket_in
from edge_api.events.group_commit import EventCommits
from edge_api.events.worker_events import WorkerEvents
from edge_api.http.cross_origin import CrossOriginMiddleware
from edge_api.http.error_pages import error_page
from edge_api.http.request_log import log_request, requests_are_logged
from edge_api.http.request_metrics import RequestMetrics
from edge_api.http.responses import request_id_from, response_headers
from edge_api.http.worker_context import COMPLETED_AT, WORKER_CONTEXT, WorkerContext
from edge_api.rate_limiter import RateLimiter
from edge_api.snapshots.worker_snapshots import WorkerSnapshots

#: The name of the context in the scope of a request.
CONTEXT = "onboarding.request_context"
#: For the snapshot, for the count of the key, and for the count of the address.
_MAX_WAITS = 3
_METHOD_NOT_ALLOWED = 405
_FIRST_ERROR = 400


R = TypeVar("R")


class ClientDisconnectedError(OnboardingError):
    """The client closed the connection before its request was complete."""


async def when_ready(
    handler: RequestHandler, context: RequestContext, step: Callable[[], R | Response]
) -> R | Response:
    """Return the result of a step that may have to wait: for a snapshot, then for the rate limiter."""
    for _ in range(_MAX_WAITS):
        try:
            return step()
        except MustWaitError as needed:
            try:
                await needed.wait()
            except RequestError as error:
                # To count the address may take a wait, too.
                step = partial(handler.reject, context, error)
    return step()


class PublicEndpoint:
    """An endpoint of the public interface as an ASGI application."""

    def __init__(self, route: EdgeRoute, endpoint: Endpoint, handler: RequestHandler, commits: EventCommits) -> None:
        self._body_limit = route.body_limit
        self._endpoint = endpoint
        self._handler = handler
        self._commits = commits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request; credentials and the rate limit come before the body is read."""
        context: RequestContext = scope[CONTEXT]
        await send_response(scope, send, await self.respond(scope, context, receive), context)

    async def respond(self, scope: Scope, context: RequestContext, receive: Receive) -> Response:
        """Return the response to one request."""
        handler = self._handler
        response = await when_ready(handler, context, lambda: handler.admit(context))
        return response or await self._handle(scope, context, receive)

    async def _handle(self, scope: Scope, context: RequestContext, receive: Receive) -> Response:
        try:
            context.query = Request(scope).query_params
            if self._body_limit is not None:
                context.body = await read_body(receive, self._body_limit)
            context.parameters = scope["path_params"]
            result = self._handler.handle(self._endpoint, context)
            if isinstance(result, DurableResponse):
                await self._commits.commit(result.records)
                return result.response
        except RequestError as error:
            return error_response(error)
        return result


class LivenessEndpoint:
    """GET /health/live."""

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Respond with 200 while the process runs."""
        await send_response(scope, send, live_response(), scope[CONTEXT])


class ReadinessEndpoint:
    """GET /health/ready."""

    def __init__(
        self, snapshots: WorkerSnapshots, events: WorkerEvents, limiter: RateLimiter | None, tokens: AssignmentTokens
    ) -> None:
        self._snapshots = snapshots
        self._events = events
        self._limiter = limiter
        self._assignment_keys = tokens.fingerprints

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Respond by the snapshots that can be served. Raises UnavailableError, which the middleware renders."""
        response = ready_response(
            can_serve=self._snapshots.can_serve(),
            snapshots=self._snapshots.cache.metrics(),
            copies=self._snapshots.copy_metrics().state,
            events=self._events.status(),
            rate_limits=self._rate_limits(),
            clock_difference=None if self._limiter is None else self._limiter.clock_difference,
            assignment_keys=self._assignment_keys,
        )
        await send_response(scope, send, response, scope[CONTEXT])

    def _rate_limits(self) -> RateLimitState:
        if self._limiter is None:
            return "off"
        return "shared" if self._limiter.redis_available else "local"


class ErrorMiddleware:
    """The outermost layer: the context of each request, its errors, its metrics and its log line.

    The inner layers may raise RequestError before they have sent anything.
    """

    def __init__(self, app: ASGIApp, handler: RequestHandler, metrics: RequestMetrics) -> None:
        self._app = app
        self._handler = handler
        self._metrics = metrics
        self._logs = requests_are_logged()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        context = scope[CONTEXT] = self._context(scope)
        started_at = time.perf_counter()
        status: int | None = None

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            _check_path(scope["path"])
            await self._app(scope, receive, send_noting_status)
        except ClientDisconnectedError:
            pass
        except RequestError as error:
            unrouted = error
            response = await when_ready(
                self._handler, context, lambda: self._handler.reject_unrouted(context, unrouted)
            )
            await send_response(scope, send_noting_status, response, context)
        except Exception:
            failure = log_internal_error(context)
            if status is not None:
                raise
            await send_response(scope, send_noting_status, self._handler.reject(context, failure), context)
        finally:
            # Without it, the response was sent before the body was complete.
            started_at = scope["state"].get(COMPLETED_AT, started_at)
            if status is not None:
                self._metrics.of(context.route).count(status, time.perf_counter() - started_at)
            if self._logs:
                log_request(context, scope["method"], status, started_at)

    def _context(self, scope: Scope) -> RequestContext:
        headers = read_headers(scope["headers"])
        client = scope.get("client")
        peer = self._handler.peer_address(client[0] if client else None)
        path = scope["path"]
        return RequestContext(route_of(path), headers, peer, request_id_from(headers), ticket=ticket_in(path))


def create_starlette(
    apps: Mapping[EdgeRoute, ASGIApp],
    handler: RequestHandler,
    metrics: RequestMetrics,
    lifespan: Lifespan[Starlette],
    origins: Collection[str] = (),
) -> Starlette:
    """Return the application of all paths; each route of the table has its application.

    Scripts of the origins may use the public endpoints.
    """
    cross_origin = [Middleware(CrossOriginMiddleware, origins)] if origins else []
    app = Starlette(
        routes=[Route(path, apps[route], methods=route.methods) for route in ROUTES for path in route.paths],
        middleware=[*cross_origin, Middleware(ErrorMiddleware, handler, metrics)],
        exception_handlers={HTTPException: _translate},
        lifespan=lifespan,
    )
    # A path with a slash too many is unknown; a redirect would be another request.
    app.router.redirect_slashes = False
    return app


async def read_body(receive: Receive, limit_bytes: int) -> bytes:
    """Read the complete body, for any declared length. Raises PayloadTooLargeError, ClientDisconnectedError."""
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnectedError
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit_bytes:
            raise PayloadTooLargeError(limit_bytes)
        chunks.append(chunk)
        if not message.get("more_body"):
            return b"".join(chunks)


async def send_response(scope: Scope, send: Send, response: Response, context: RequestContext) -> None:
    """Send a response, as HTML if it is the error of a page; HEAD gets the length of the body that it does not get."""
    if context.route.is_page and response.status >= _FIRST_ERROR:
        worker: WorkerContext = scope["state"][WORKER_CONTEXT]
        response = error_page(response, scope["raw_path"], worker.assets.manifest, context)
    headers = [*response.headers, *response_headers(context)]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    body = b"" if scope["method"] == "HEAD" else response.body + response.tail
    await send({"type": "http.response.body", "body": body})


def _check_path(path: str) -> None:
    """Raise NotFoundError for a path with a newline at its end, which the patterns of Starlette's routes ignore."""
    if path.endswith("\n"):
        raise NotFoundError("Not found")


async def _translate(_request: Request, error: Exception) -> NoReturn:
    """Turn an error of Starlette's routing into a RequestError, which the middleware renders."""
    if isinstance(error, HTTPException) and error.status_code == _METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "")
        raise MethodNotAllowedError(sorted(allowed.split(", ")))
    raise NotFoundError("Not found")
