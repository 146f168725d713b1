"""The fast path: public requests are answered while they are parsed, without a scope, a cycle or a task.

An ASGI application that returns constant bytes spends most of its time in uvicorn's request cycle, and the responses of
the edge come out of memory in one step. A request that has to wait for a snapshot or a lease is handed to ASGI, as is
every path that is not public, a method that is not allowed, HTTP/1.0, `Expect`, an upgrade, a script of another origin
where CORS is on, a client that does not read, and a request behind one that waits; uvicorn keeps their order. An event
waits here for its group: it takes the place of uvicorn's cycle (`PendingResponse`).
"""

import asyncio
from time import perf_counter
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from common.errors import PayloadTooLargeError, RequestError, UnavailableError
from edge_api.api.handler import MustWaitError
from edge_api.api.headers import is_longer
from edge_api.api.request import CONTENT_LENGTH, EXPECT, HOST, ORIGIN, Headers, RequestContext, usual_name
from edge_api.api.response import DurableResponse, Response, error_response
from edge_api.events.group_commit import NOT_STORED
from edge_api.http.connection_limits import MAX_DISCARDED_BYTES, Phase
from edge_api.http.protocol import LimitedHttpProtocol
from edge_api.http.request_log import log_request
from edge_api.http.responses import MalformedRequestError, request_id_from, response_bytes
from edge_api.http.worker_context import FastRoute

_HEADERS, _BODY, _RESPONSE = Phase.HEADERS, Phase.BODY, Phase.RESPONSE
_NEXT_REQUEST, _LINGERING = Phase.NEXT_REQUEST, Phase.LINGERING
_CONTINUE = b"100-continue"
_HEAD = b"HEAD"
#: A larger body is written by itself, without a copy for each client.
_MAX_COPIED_BYTES = 64 * 1024


class PendingResponse(RequestResponseCycle):
    """The response to an event that is not durable yet. A connection has one, as it answers one request at a time.

    It has the attributes of a cycle that uvicorn reads while the response is not complete.
    """

    #: uvicorn sets it for a cycle that waits for its body; this one never does.
    message_event = asyncio.Event()

    def __init__(self) -> None:
        self.response_started = False
        self.response_complete = True
        self.disconnected = False
        self.keep_alive = True

    def begin(
        self,
        route: FastRoute,
        context: RequestContext,
        status: int,
        written: bytes,
        started_at: float,
        *,
        keep_alive: bool,
    ) -> None:
        """Wait for the records of a request; `written` is what is sent once they are durable."""
        self.route = route
        self.context = context
        self.status = status
        self.written = written
        self.started_at = started_at
        self.keep_alive = keep_alive
        self.response_complete = False


class FastPathProtocol(LimitedHttpProtocol):
    """One connection."""

    __slots__ = ("_body", "_context", "_known_headers", "_pending", "_route", "_started_at")

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        #: Of the request that is being read: the headers that the edge reads, and what follows from them.
        self._known_headers: Headers = {}
        self._route: FastRoute
        self._context: RequestContext
        self._body: bytes | bytearray = b""
        self._started_at = 0.0
        self._pending: PendingResponse | None = None

    def on_message_begin(self) -> None:
        """Begin a request; its scope is created only if it is passed to ASGI."""
        if self.reading_stopped:
            raise MalformedRequestError
        self.has_cycle = self.has_response = False
        self.body_bytes = 0
        self.phase = _HEADERS
        self.since = self.reaper.now
        self.url = self._body = b""
        self._known_headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header if the edge reads it."""
        read = usual_name(name)
        if read is None:
            read = usual_name(name.lower(), b"")
        if read:
            headers = self._known_headers
            headers[read] = b"%b, %b" % (headers[read], value) if read in headers else value

    def on_headers_complete(self) -> None:
        """Admit the request, before any of its body is kept."""
        headers = self._known_headers
        # Trailers are headers to the parser.
        self._known_headers = {}
        worker, cycle = self.worker, self.cycle
        route = worker.routes.get(self.url)
        if route is None:
            self.begin_body(headers.get(HOST))
            self._pass_to_asgi(headers)
            return
        is_expected = self.begin_body(headers.get(HOST), route.request_line, route.method)
        if (
            (cycle is not None and not cycle.response_complete)
            or self.flow.write_paused
            or (not is_expected and (self.method not in route.methods or self.http_version != "1.1"))
            or EXPECT in headers
            # Starlette adds the headers of CORS.
            or (ORIGIN in headers and worker.has_other_origins)
            or self.parser.should_upgrade()
        ):
            self._pass_to_asgi(headers)
            return
        self._started_at = perf_counter()
        context = RequestContext(route.edge_route, headers, self.peer, request_id_from(headers))
        try:
            rejection = worker.handler.admit(context)
        except MustWaitError:
            self._pass_to_asgi(headers)
            return
        self._route, self._context = route, context
        if rejection is not None:
            self._respond(rejection)

    def on_body(self, body: bytes) -> None:
        """Keep a piece of the body, unless the request has a response or its endpoint reads none."""
        if self.has_cycle:
            super().on_body(body)
            return
        limit = self._route.body_limit
        if limit is not None and len(body) <= limit and not (self._body or self.has_response):
            # Nearly all bodies: the first piece, without further calls.
            self._body = body
            self.body_bytes = len(body)
            self.unfinished_bytes = 0
            return
        self.count_body(body)
        if self.has_response or limit is None:
            return
        if self.body_bytes > limit:
            self._body = b""
            self._respond(error_response(PayloadTooLargeError(limit)))
        else:
            if not isinstance(self._body, bytearray):
                self._body = bytearray(self._body)
            self._body += body

    def on_message_complete(self) -> None:
        """Respond to the request, which is complete."""
        if self.has_cycle:
            super().on_message_complete()
            return
        self.unfinished_bytes = 0
        if self._holds_body:
            self._release_body()
        if not self.has_response:
            self.phase = _RESPONSE
            body, context = self._body, self._context
            if body:
                # The time of a client that sends slowly does not count.
                self._started_at = perf_counter()
                context.body = body if type(body) is bytes else bytes(body)
            result = self.worker.handler.handle(self._route.endpoint, context)
            if type(result) is DurableResponse:
                self._respond_when_durable(result)
                return
            self._respond(result)
        if self.phase != _LINGERING:
            self.phase = _NEXT_REQUEST
            self.since = self.reaper.now

    def _reject(self, error: RequestError) -> None:
        """Reject the request that is being read, and free its body: the connection lingers for some seconds."""
        super()._reject(error)
        self._body = b""

    def _pass_to_asgi(self, headers: Headers) -> None:
        """Pass the request to ASGI, with the headers that the edge reads."""
        url = self.url
        HttpToolsProtocol.on_message_begin(self)
        self.url = url
        self.headers.extend(headers.items())
        self.expect_100_continue = headers.get(EXPECT, b"").strip().lower() == _CONTINUE
        self.begin_cycle()

    def _respond(self, response: Response) -> None:
        """Send a response: to a complete request, or to one whose body is not read."""
        context, worker, transport = self._context, self.worker, self.transport
        keep_alive = self.parser.should_keep_alive() and not self.reaper.is_draining
        if self.phase == _BODY and is_longer(context.headers.get(CONTENT_LENGTH, b""), MAX_DISCARDED_BYTES):
            keep_alive = False
        self.has_response = True
        default_lines = worker.default_headers.lines(self.server_state.default_headers)
        body, tail = response.body, response.tail
        if self.method == _HEAD:
            body = tail = b""
        if len(body) <= _MAX_COPIED_BYTES:
            worker.writes.put(transport, response_bytes(response, context, default_lines, keep_alive, body, tail))
        else:
            # Clients that read slowly share the bytes of a large body.
            worker.writes.put(transport, response_bytes(response, context, default_lines, keep_alive, b""))
            worker.writes.put(transport, body)
            if tail:
                worker.writes.put(transport, tail)
        if not keep_alive:
            if self.phase == _BODY:
                self._send_last(None)
            else:
                worker.writes.flush()
                transport.close()
        self._route.metrics.count(response.status, perf_counter() - self._started_at)
        if worker.logs_requests:
            log_request(context, self.method.decode(), response.status, self._started_at)

    def _respond_when_durable(self, result: DurableResponse) -> None:
        pending = self._pending
        if pending is None:
            pending = self._pending = PendingResponse()
        response = result.response
        keep_alive = self.parser.should_keep_alive() and not self.reaper.is_draining
        # Made now, from objects that are in the processor's cache; and fewer of them wait for the group.
        written = response_bytes(response, self._context, self.default_lines(), keep_alive, response.body)
        pending.begin(self._route, self._context, response.status, written, self._started_at, keep_alive=keep_alive)
        try:
            self.worker.commits.submit(result.records, self._on_durable)
        except RequestError as error:
            pending.response_complete = True
            self._respond(error_response(error))
            self.phase = _NEXT_REQUEST
            self.since = self.reaper.now
        else:
            self.cycle = pending

    def _on_durable(self, failure: Exception | None) -> None:
        """Send the response, now that the records are durable or are known not to be."""
        pending = self._pending
        if pending is None or pending.disconnected:
            return
        pending.response_complete = True
        status, written = pending.status, pending.written
        if failure is not None:
            rejection = error_response(UnavailableError(NOT_STORED))
            status = rejection.status
            written = response_bytes(
                rejection, pending.context, self.default_lines(), pending.keep_alive, rejection.body
            )
        # The members of a group are notified together, so their responses are one batch anyway.
        self.worker.writes.flush()
        self._write(written)
        if not pending.keep_alive:
            self.transport.close()
        self.on_response_complete()
        pending.route.metrics.count(status, perf_counter() - pending.started_at)
        if self.worker.logs_requests:
            log_request(pending.context, "POST", status, pending.started_at)

    def _write(self, data: bytes) -> None:
        if not self.transport.is_closing():
            try:
                self.transport.write(data)
            except RuntimeError:
                # uvloop: the connection was lost a moment ago.
                self.transport.abort()
