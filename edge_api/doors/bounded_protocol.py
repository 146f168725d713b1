"""uvicorn's HTTP protocol, with bounds on what a client may take and our own words where uvicorn would use its own.

Every door serves through it. It keeps the headers of a request until they are complete, so that a subclass may answer
without the scope, the cycle and the task that uvicorn makes for ASGI.
"""

import asyncio
from typing import Any

import httptools
from uvicorn._types import ASGI3Application, HTTPScope
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from common.errors import RequestError
from edge_api.doors.answer_bytes import answer_bytes
from edge_api.doors.answer_sending import FINISHED_ANSWER
from edge_api.doors.client_memory import MEMORY, ClientMemory
from edge_api.doors.connection_bounds import HEAD_BYTES, Phase
from edge_api.doors.connection_reset import reset
from edge_api.doors.door_parts import PARTS, DoorParts
from edge_api.doors.eager_start import start
from edge_api.doors.one_write_cycle import OneWriteCycle
from edge_api.doors.refusals import (
    HeadTooLargeError,
    LateRequestError,
    MalformedRequestError,
    TooManyConnectionsError,
    refusal_for,
    refusing,
    unread_request,
)
from edge_api.doors.request_scope import ConnectionScope

_CONTINUE = "100-continue"
_VERSIONS = frozenset({"1.0", "1.1"})


class BoundedProtocol(HttpToolsProtocol):
    """One connection, whose answers never overtake each other.

    Whatever is refused is answered once, in its place behind earlier requests, and closes the connection.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.parts: DoorParts = app_state[PARTS]
        self.sweep = self.parts.sweep
        self.phase = Phase.FIRST_REQUEST
        self.since = self.sweep.now
        self.stalled_since: float | None = None
        self.url = b""
        self.raw_headers: list[tuple[bytes, bytes]] = []
        #: Whether the request that is being read was handed to ASGI.
        self.has_cycle = False
        #: Whether nothing more is read.
        self.is_deaf = False
        #: How much of the head under way came with earlier chunks (above 0 if any did), how long the present chunk is,
        #: and how much of it belongs to earlier requests at most.
        self._head_bytes = 0
        self._chunk_bytes = 0
        self._passed_bytes = 0
        self.http_version = "1.1"
        #: What is to be started before the chunk under way is done with.
        self._unstarted: tuple[OneWriteCycle, ASGI3Application] | None = None

    # --- asyncio ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Watch the connection."""
        super().connection_made(transport)
        self.memory = ClientMemory(self.client[0] if self.client else None)
        self._scope = ConnectionScope(self.server, self.client, self.scheme or "http", self.app_state)
        self.sweep.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.sweep.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived."""
        if self.is_deaf:
            return
        self._chunk_bytes = len(data)
        self._passed_bytes = self._chunk_bytes if self.phase is Phase.BODY or self.phase is Phase.HEAD else 0
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Nothing that we speak. The request is answered as if it had not asked; what follows may not be HTTP.
            self.is_deaf = True
        except httptools.HttpParserCallbackError as error:
            self._refuse(refusal_for(error))
        except httptools.HttpParserError:
            self._refuse(MalformedRequestError())
        else:
            if self.phase is Phase.HEAD:
                self._head_bytes += len(data) + 1
                if self._head_bytes > HEAD_BYTES:
                    self._refuse(HeadTooLargeError())
        if self._unstarted is not None:
            # It has not all arrived, so that the application will have to wait.
            (cycle, app), self._unstarted = self._unstarted, None
            self._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        self.stalled_since = self.sweep.now
        super().pause_writing()

    def resume_writing(self) -> None:
        """Note that it does."""
        self.stalled_since = None
        super().resume_writing()

    # --- the parser ---

    def on_message_begin(self) -> None:
        """Begin a request; its scope is made only once it is known to need one."""
        self.url = b""
        self.raw_headers = []
        self.has_cycle = False
        self.phase = Phase.HEAD
        self.since = self.sweep.now
        # Where in a chunk a request begins is known of the first only, if no other was under way.
        self._head_bytes = -self._passed_bytes
        self._passed_bytes = self._chunk_bytes

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header as it came."""
        self.raw_headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Hand the request to ASGI."""
        self.begin_body()
        self.begin_cycle()

    def on_message_complete(self) -> None:
        """End the request's body."""
        super().on_message_complete()
        if self._unstarted is not None and self.url in self.parts.shortcuts:
            (cycle, app), self._unstarted = self._unstarted, None
            start(cycle.run_asgi(app), self.loop, self.tasks)
        self.phase = Phase.NEXT_REQUEST if self.cycle.response_complete else Phase.ANSWER
        self.since = self.sweep.now

    def begin_body(self) -> None:
        """Check the head, which is complete. Raises RequestError, which ends the parsing."""
        if self.transport.is_closing():
            # The answer before was the last.
            raise MalformedRequestError
        # Of a head that came in one chunk, the chunk's length says in most cases that it is short enough.
        if self._head_bytes > 0 or self._chunk_bytes > HEAD_BYTES:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.raw_headers)
            if size > HEAD_BYTES:
                raise HeadTooLargeError
        self.http_version = self.parser.get_http_version()
        if self.http_version not in _VERSIONS:
            raise MalformedRequestError
        if len(self.connections) > self.sweep.bounds.connections:
            raise TooManyConnectionsError
        self.phase = Phase.BODY
        self.since = self.sweep.now

    def begin_cycle(self) -> None:
        """Hand the request to ASGI, in its place behind earlier ones."""
        parser = self.parser
        head = self.memory.head_of(self.raw_headers)
        self.expect_100_continue = head.expect is not None and head.expect.lower() == _CONTINUE
        # A client that is answered before it sends the body it announced might send it or not: nobody could tell.
        is_last = self.expect_100_continue or self.sweep.is_draining or parser.should_upgrade()
        keep_alive = not is_last and self.http_version != "1.0" and parser.should_keep_alive()
        headers = [(name.lower(), value) for name, value in self.raw_headers]
        scope = self._scope.of_request(parser.get_method(), self.url, self.http_version, headers)
        # uvicorn's own log of requests, where somebody wants it, is written with its own messages.
        offered: dict[str, Any] = {MEMORY: (self.memory, head)}
        if not self.access_log:
            offered[FINISHED_ANSWER] = {}
        scope["extensions"] = offered
        self._line_up(self.app, scope, keep_alive=keep_alive)
        self.has_cycle = True

    def _line_up(self, app: ASGI3Application, scope: HTTPScope, *, keep_alive: bool) -> None:
        """Start the request's cycle, or let it wait in uvicorn's line until those before are answered."""
        before = self.cycle
        self.cycle = cycle = OneWriteCycle(
            scope=scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=keep_alive,
            on_response=self.on_response_complete,
        )
        cycle.parts = self.parts
        if before is None or before.response_complete:
            self._unstarted = (cycle, app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((cycle, app))

    # --- uvicorn ---

    def on_response_complete(self) -> None:
        """Go on with the next request; the sweep stands in for uvicorn's timer."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self.phase is Phase.ANSWER:
            self.phase = Phase.NEXT_REQUEST
            self.since = self.sweep.now

    def _should_upgrade(self) -> bool:
        return False

    def shutdown(self) -> None:
        """Let what is under way be the last; between two requests of a busy client there is nothing to cut off."""
        self.sweep.drain()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False

    def expire(self) -> None:
        """End the connection, whose time is up."""
        if self.stalled_since is not None:
            reset(self.transport)
        elif self.phase is Phase.END:
            self.transport.abort()
        elif self.phase is Phase.FIRST_REQUEST or self.phase is Phase.NEXT_REQUEST:
            self.transport.close()
        else:
            self._refuse(LateRequestError())

    # --- refusals ---

    def shared_headers(self) -> bytes:
        """Give the header lines that uvicorn puts on every answer."""
        return self.parts.shared.lines(self.server_state.default_headers)

    def _refuse(self, error: RequestError) -> None:
        """Refuse the request that is being read, and read no more: where the next one begins, nobody knows."""
        self.is_deaf = True
        if self.transport.is_closing():
            return
        cycle = self.cycle
        is_free = cycle is None or cycle.response_complete
        if not self.has_cycle:
            if is_free:
                self._say_last(error)
            else:
                self.phase = Phase.ANSWER
                self._line_up(self._refusing(error), self._scope.of_nothing(), keep_alive=False)
        elif self.pipeline:
            cycle.keep_alive = False
            self.pipeline[0] = (cycle, self._refusing(error))
            self.phase = Phase.ANSWER
        else:
            # It has been answered before its body was complete, or waits for the rest of it: never twice.
            answered = cycle.response_started
            cycle.disconnected = True
            cycle.message_event.set()
            self._say_last(None if answered else error)

    def _refusing(self, error: RequestError) -> ASGI3Application:
        return refusing(self.parts.answers, self.parts.requests, error)

    def _say_last(self, error: RequestError | None) -> None:
        self.parts.outbox.flush()
        if error is not None:
            exchange, answer = unread_request(self.parts.answers, self.parts.requests, error, self.client)
            said = answer_bytes(answer, exchange, self.shared_headers(), keep_alive=False, with_body=True)
            self.transport.write(said)
        self.phase = Phase.END
        self.since = self.sweep.now
        if self.transport.can_write_eof():
            # To close while the client still sends would reset the connection, and the client would not read this.
            self.flow.resume_reading()
            self.transport.write_eof()
        else:
            self.transport.close()
