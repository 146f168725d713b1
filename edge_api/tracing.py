"""Spans of public requests. Only the ASGI way makes them: while traces are on, the fast path is off."""

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.telemetry.tracing import valid_traceparent
from common.wire.stream_records import EventRecord
from edge_api.api.handler import Endpoint
from edge_api.api.headers import header_text
from edge_api.api.request import REQUEST_ID, AuthenticatedProject, RequestContext, read_headers
from edge_api.api.response import DurableResponse, HandlerResult
from edge_api.api.routes import Credential, route_of
from edge_api.http.responses import request_id_from

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

_TRACEPARENT = b"traceparent"
#: The names of spans must be few: no path and no method that a client made up.
_METHODS = frozenset({"GET", "HEAD", "POST"})


class TracingMiddleware:
    """Makes a span for each request to a route with a credential."""

    def __init__(self, app: ASGIApp, spans: "Spans") -> None:
        self._app = app
        self._spans = spans

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
            return
        route = route_of(scope["path"])
        if not route.methods or route.credential is Credential.NONE or scope["method"] not in _METHODS:
            await self._app(scope, receive, send)
            return
        # Choose the request id here, for the span, and pass it on.
        request_id = request_id_from(read_headers(scope["headers"]))
        headers = [(name, value) for name, value in scope["headers"] if name.lower() != REQUEST_ID]
        attributes = {
            "http.request.method": scope["method"],
            "http.route": route.path,
            "onboarding.request_id": request_id.decode(),
        }
        name = f"{scope['method']} {route.path}"
        with self._spans.request(name, valid_traceparent(_traceparents(scope)), attributes) as span:

            async def send_noting_status(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_status(message["status"])
                await send(message)

            await self._app({**scope, "headers": [*headers, (REQUEST_ID, request_id)]}, receive, send_noting_status)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the last spans before the shutdown is complete: after it the process has no time left."""

        async def send_flushing(message: Message) -> None:
            if message["type"] == "lifespan.shutdown.complete":
                await asyncio.to_thread(self._spans.flush)
            await send(message)

        await self._app(scope, receive, send_flushing)


class TracingEndpoint:
    """An endpoint whose events carry the trace and the request id that they came with."""

    def __init__(self, endpoint: Endpoint, spans: "Spans") -> None:
        self._endpoint = endpoint
        self._spans = spans

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Return the result of an authenticated request. Raises RequestError."""
        result = self._endpoint.handle(project, request)
        if not isinstance(result, DurableResponse) or (traceparent := self._spans.current()) is None:
            return result
        request_id = header_text(request.headers, REQUEST_ID)
        records = tuple(
            replace(record, traceparent=traceparent, request_id=request_id)
            if isinstance(record, EventRecord)
            else record
            for record in result.records
        )
        return DurableResponse(records, result.response)


def _traceparents(scope: Scope) -> list[str]:
    return [value.decode("latin-1").strip() for name, value in scope["headers"] if name.lower() == _TRACEPARENT]
