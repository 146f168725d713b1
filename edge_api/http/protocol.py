"""uvicorn's HTTP protocol with limits for each client, and rejections in the contract's form.

All requests are served through it; `fast_path.py` answers most of them without ASGI.

The private members of uvicorn 0.54 that this package uses, all of `uvicorn.protocols.http.httptools_impl`:

- `HttpToolsProtocol`: its parser callbacks (`on_message_begin` to `on_message_complete`), `on_response_complete`,
  `_should_upgrade`, `_start_asgi_task`, `shutdown`, and the attributes `app`, `client`, `cycle`,
  `expect_100_continue`, `flow`, `headers`, `parser`, `pipeline`, `server_state`, `transport`, `url`;
- `RequestResponseCycle`: `disconnected`, `keep_alive`, `message_event`, `response_complete`, `response_started`,
  `transport`;
- of `uvicorn.server`, `ServerState`: `default_headers`, `total_requests`.
"""

import asyncio
import re
from time import perf_counter
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from common.errors import PayloadTooLargeError, RequestError, UnavailableError
from common.wire.public_bodies import BATCH_BODY_BYTES
from edge_api.api.headers import is_longer
from edge_api.api.request import CONTENT_LENGTH
from edge_api.http.connection_limits import (
    MAX_DISCARDED_BYTES,
    MAX_HEADER_BYTES,
    TOO_MANY_BODIES,
    Phase,
    abort_with_reset,
)
from edge_api.http.responses import (
    HeadersTooLargeError,
    MalformedRequestError,
    RequestTimeoutError,
    TooManyConnectionsError,
    rejection_bytes,
    rejection_for,
)
from edge_api.http.worker_context import COMPLETED_AT, WORKER_CONTEXT, WorkerContext

_BODY, _NEXT_REQUEST, _RESPONSE = Phase.BODY, Phase.NEXT_REQUEST, Phase.RESPONSE
_SPACE = ord(" ")
_VERSIONS = frozenset({"1.0", "1.1"})
#: The parser accepts this protocol and reports its version as one of HTTP.
_RTSP_LINE = re.compile(rb"(?:^|\n)[A-Z_]+ [^ \r\n]+ RTSP/\d\.\d\r?\n")


class LingeringTransport(asyncio.Transport):
    """The transport of a cycle whose client may still send: to close at once would reset its connection."""

    def __init__(self, protocol: "LimitedHttpProtocol") -> None:
        super().__init__()
        self._protocol = protocol

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send a part of the response."""
        self._protocol.transport.write(data)

    def is_closing(self) -> bool:
        """Return whether the connection is closing."""
        return self._protocol.transport.is_closing()

    def close(self) -> None:
        """Close the connection behind the response."""
        self._protocol.close_behind_response()


class LimitedHttpProtocol(HttpToolsProtocol):
    """One connection. A rejection is sent once, behind the responses to earlier requests, and ends the connection."""

    # With more than 30 attributes in its dictionary an instance would lose Python's fast access to them.
    __slots__ = (
        *("worker", "reaper", "phase", "since", "write_blocked_since", "reading_stopped", "peer"),
        *("has_cycle", "has_response", "method", "http_version", "body_bytes", "unfinished_bytes"),
        *("_holds_body", "_piece", "_rejection"),
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.worker: WorkerContext = app_state[WORKER_CONTEXT]
        self.reaper = self.worker.reaper
        self.phase = Phase.FIRST_REQUEST
        self.since = self.reaper.now
        self.write_blocked_since: float | None = None
        self.reading_stopped = False
        #: Whether the request that is being read was handed to ASGI, or else has its response already.
        self.has_cycle = False
        self.has_response = False
        self.method = b""
        self.url = b""
        self.http_version = "1.1"
        self.body_bytes = 0
        #: The bytes received since the end of the headers or since a piece of the body.
        self.unfinished_bytes = 0
        #: Whether the worker's budget has bytes of the unfinished body.
        self._holds_body = False
        self._piece = b""
        #: The rejection that is to be sent behind the responses to earlier requests.
        self._rejection: RequestError | None = None

    # --- asyncio ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Accept the connection if there is room, otherwise answer 503 and close it."""
        super().connection_made(transport)
        self.peer = self.worker.handler.peer_address(self.client[0] if self.client else None)
        if not self.reaper.try_add(self):
            self.reading_stopped = True
            self.transport.write(self._rejection_bytes(TooManyConnectionsError()))
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the resources of the connection."""
        self.reaper.discard(self)
        self._release_body()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received data, in pieces that end where headers must have ended."""
        if self.reading_stopped:
            return
        unfinished = self.unfinished_bytes + len(data)
        if unfinished > MAX_HEADER_BYTES:
            room = MAX_HEADER_BYTES - self.unfinished_bytes
            self.data_received(data[:room])
            self.data_received(data[room:])
            return
        self.unfinished_bytes = unfinished
        self._piece = data
        try:
            self.parser.feed_data(data)
            if self.unfinished_bytes >= MAX_HEADER_BYTES:
                self._reject(HeadersTooLargeError())
            elif self.phase == _BODY:
                self._hold_body()
        except httptools.HttpParserUpgrade:
            # The request is answered without the upgrade; the rest may not be HTTP.
            self.reading_stopped = True
        except httptools.HttpParserCallbackError as error:
            self._reject(rejection_for(error))
        except httptools.HttpParserError:
            self._reject(MalformedRequestError())

    def pause_writing(self) -> None:
        """Record that the client does not read."""
        self.write_blocked_since = self.reaper.now
        super().pause_writing()

    def resume_writing(self) -> None:
        """Record that the client reads again."""
        self.write_blocked_since = None
        super().resume_writing()

    # --- the parser ---

    def on_message_begin(self) -> None:
        """Begin a request. Raises RequestError if no request may follow the one before."""
        if self.reading_stopped:
            raise MalformedRequestError
        super().on_message_begin()
        self.has_cycle = self.has_response = False
        self.body_bytes = 0
        self.phase = Phase.HEADERS
        self.since = self.reaper.now

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; the trailers behind a chunked body are discarded."""
        if self.phase != _BODY:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Pass the request to ASGI."""
        hosts = [value for name, value in self.headers if name == b"host"]
        self.begin_body(b", ".join(hosts) if hosts else None)
        self.begin_cycle()

    def on_body(self, body: bytes) -> None:
        """Pass a piece of the body to ASGI."""
        self.count_body(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the body of a request that ASGI answers."""
        self.scope["state"][COMPLETED_AT] = perf_counter()
        super().on_message_complete()
        self.end_body()
        self.phase = _NEXT_REQUEST if self.cycle.response_complete else _RESPONSE
        self.since = self.reaper.now

    def begin_body(self, host: bytes | None, request_line: bytes | None = None, method: bytes = b"") -> bool:
        """Check the headers, which are complete, and return whether the request began with this request line.

        It is one of this method and of HTTP/1.1. Raises RequestError, which ends the parsing.
        """
        if self.transport.is_closing():
            # The response before was the last.
            raise MalformedRequestError
        piece, version = self._piece, "1.1"
        # A request that begins with the piece needs no call of the parser.
        is_expected = (
            request_line is not None and self.unfinished_bytes == len(piece) and piece.startswith(request_line)
        )
        if not is_expected:
            method = self.parser.get_method()
            version = self.parser.get_http_version()
            if version not in _VERSIONS or _RTSP_LINE.search(piece):
                raise MalformedRequestError
        self.method = method
        self.http_version = version
        if host is None:
            if version != "1.0":
                raise MalformedRequestError
        # Several hosts are joined by a comma and a space; the last one may be empty.
        elif not host or (_SPACE in host and (b", " in host or _SPACE in host.strip())):
            raise MalformedRequestError
        self.unfinished_bytes = 0
        self.phase = _BODY
        self.since = self.reaper.now
        return is_expected

    def begin_cycle(self) -> None:
        """Start the cycle of uvicorn for this request, behind the cycles of earlier requests."""
        super().on_headers_complete()
        # A client that is answered before the body it announced may still send that body or not, which is unknown.
        if self.expect_100_continue or self.reaper.is_draining or self.parser.should_upgrade():
            self.cycle.keep_alive = False
        elif any(name == CONTENT_LENGTH and is_longer(value, MAX_DISCARDED_BYTES) for name, value in self.headers):
            # The response to a rejected request must announce that its body is not read to its end.
            self.cycle.keep_alive = False
            self.cycle.transport = LingeringTransport(self)
        self.has_cycle = True

    def close_behind_response(self) -> None:
        """End the connection, which has its last response."""
        if self.phase == _BODY:
            self._send_last(None)
        else:
            self.transport.close()

    def count_body(self, body: bytes) -> None:
        """Count a piece of the body. Raises PayloadTooLargeError for more bytes than are read or discarded."""
        self.unfinished_bytes = 0
        self.body_bytes += len(body)
        if self.body_bytes > MAX_DISCARDED_BYTES and (self.body_bytes > BATCH_BODY_BYTES or self._has_response()):
            raise PayloadTooLargeError(BATCH_BODY_BYTES)

    def end_body(self) -> None:
        """Release the body, which is complete."""
        self.unfinished_bytes = 0
        if self._holds_body:
            self._release_body()

    # --- uvicorn ---

    def on_response_complete(self) -> None:
        """Continue with the next request. The reaper replaces uvicorn's timer."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self._rejection is not None:
            self._send_last(self._rejection)
        elif self.phase == _RESPONSE:
            self.phase = _NEXT_REQUEST
            self.since = self.reaper.now

    def _should_upgrade(self) -> bool:
        return False

    def shutdown(self) -> None:
        """End the connection with its present or next response. The reaper closes a connection that stays idle."""
        self.reaper.drain()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False

    def time_out(self) -> None:
        """End the connection, whose time limit has passed."""
        if self.write_blocked_since is not None:
            abort_with_reset(self.transport)
        elif self.phase == Phase.LINGERING:
            self.transport.abort()
        elif self.phase in (Phase.FIRST_REQUEST, _NEXT_REQUEST):
            self.transport.close()
        else:
            self._reject(RequestTimeoutError())

    def drop_body(self) -> None:
        """Release the unfinished body, answer 503 and end the connection: the worker needs the room."""
        self._release_body()
        self._reject(UnavailableError(TOO_MANY_BODIES))

    # --- rejections ---

    def default_lines(self) -> bytes:
        """Return the header lines that uvicorn adds to every response."""
        return self.worker.default_headers.lines(self.server_state.default_headers)

    def _has_response(self) -> bool:
        """Return whether the request that is being read has its response already; the rest of it is discarded."""
        return self.has_response or (self.has_cycle and self.cycle.response_started)

    def _hold_body(self) -> None:
        if self._has_response():
            self._release_body()
            return
        self._holds_body = True
        try:
            self.reaper.bodies.hold(self, self.body_bytes)
        except RequestError as error:
            self._reject(error)

    def _release_body(self) -> None:
        self._holds_body = False
        self.reaper.bodies.release(self)

    def _reject(self, error: RequestError) -> None:
        """Reject the request that is being read, and read no more: where the next one begins is unknown."""
        if self.reading_stopped:
            return
        self.reading_stopped = True
        self._release_body()
        if self.transport.is_closing():
            return
        cycle = self.cycle
        if self.has_response:
            self._send_last(None)
        elif self.has_cycle and not self.pipeline:
            # The application may have responded already, or it waits for the rest of the body.
            was_answered = cycle.response_started
            cycle.disconnected = True
            cycle.message_event.set()
            self._send_last(None if was_answered else error)
        elif not self.has_cycle and (cycle is None or cycle.response_complete):
            self._send_last(error)
        else:
            if self.has_cycle:
                self.pipeline.popleft()
            self._rejection = error
            self.phase = _RESPONSE

    def _rejection_bytes(self, error: RequestError) -> bytes:
        worker = self.worker
        return rejection_bytes(worker.handler, worker.metrics, error, self.peer, self.url, self.default_lines())

    def _send_last(self, error: RequestError | None) -> None:
        """Send the last response, if there is one, and end the connection once the client has closed it."""
        self.reading_stopped = True
        self.worker.writes.flush()
        if error is not None:
            self.transport.write(self._rejection_bytes(error))
        self.phase = Phase.LINGERING
        self.since = self.reaper.now
        if self.transport.can_write_eof():
            # To close while the client still sends would reset the connection before the client reads the response.
            self.flow.resume_reading()
            self.transport.write_eof()
        else:
            self.transport.close()
