"""The ASGI door with a span around each public request.

Traces go this way alone: the protocol door knows nothing of them, so that without them nothing costs anything.
"""

import asyncio
from collections.abc import Container

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.telemetry.trace_context import sane_traceparent
from common.telemetry.tracing import Spans
from edge_api.answers.exchange import request_id_from
from edge_api.doors.answer_sending import FINISHED_ANSWER
from edge_api.doors.client_memory import MEMORY

_REQUEST_ID, _TRACEPARENT = b"x-request-id", b"traceparent"
#: Names of spans are ours: what a stranger makes up as a path or a method has none.
_METHODS = frozenset({"GET", "HEAD", "POST"})


class TracedDoor:
    """Stands in front of the public door."""

    def __init__(self, app: ASGIApp, spans: Spans, paths: Container[str]) -> None:
        self._app = app
        self._spans = spans
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what is no public endpoint's has no span."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        if scope["type"] != "http" or scope["path"] not in self._paths or scope["method"] not in _METHODS:
            await self._app(scope, receive, send)
            return
        request_id, own_scope = _with_request_id(scope)
        attributes = {
            "http.request.method": scope["method"],
            "http.route": scope["path"],
            "onboarding.request_id": request_id,
        }
        name = f"{scope['method']} {scope['path']}"
        with self._spans.request(name, sane_traceparent(_values(scope, _TRACEPARENT)), attributes) as span:

            async def noting(message: Message) -> None:
                if message["type"] == FINISHED_ANSWER:
                    span.answered(message["answer"].status)
                elif message["type"] == "http.response.start":
                    span.answered(message["status"])
                await send(message)

            await self._app(own_scope, receive, noting)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the last spans before the worker is done: the signal that ends it leaves no time for that."""

        async def flushing(message: Message) -> None:
            if message["type"] == "lifespan.shutdown.complete":
                await asyncio.to_thread(self._spans.flush)
            await send(message)

        await self._app(scope, receive, flushing)


def _with_request_id(scope: Scope) -> tuple[str, Scope]:
    """Settle the request's id here, where the span needs it; behind this door it is the one that came."""
    offered = _values(scope, _REQUEST_ID)
    request_id = request_id_from(offered[0] if len(offered) == 1 else None)
    headers = [(name, value) for name, value in scope["headers"] if name.lower() != _REQUEST_ID]
    # What the connection remembers of its head is another head than this.
    extensions = {name: value for name, value in scope.get("extensions", {}).items() if name != MEMORY}
    changed = {**scope, "headers": [*headers, (_REQUEST_ID, request_id)], "extensions": extensions}
    return request_id.decode(), changed


def _values(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for name, value in scope["headers"] if name.lower() == wanted]
