"""The protocol door: public requests answered while they are parsed, without a scope, a cycle or a task.

Why it exists: an ASGI application that does nothing but return constant bytes spends most of its time in uvicorn's
request cycle. The answers of this service come out of memory in one step, so the step is taken as soon as the request
is complete, and head and body go out in one write. What is not plain goes the normal way through ASGI, to the same
answering core: other paths, what has to wait for a snapshot or a lease, a client that does not read, and whatever
comes behind such a request on the same connection. uvicorn keeps them in order. Only an event waits here, because
every event has to: it stands in uvicorn's books where a cycle would, see `later_answer.py`.
"""

from bisect import bisect_left
from time import perf_counter as _now

from common.errors import RequestError, UnavailableError
from common.telemetry.histogram import MEMORY_BOUNDS
from edge_api.answers.answer import DurableResponse
from edge_api.answers.error_answers import error_answer
from edge_api.answers.exchange import RequestContext
from edge_api.answers.request_head import RequestHeaders
from edge_api.doors.answer_bytes import answer_bytes
from edge_api.doors.bounded_protocol import BoundedProtocol
from edge_api.doors.connection_bounds import Phase
from edge_api.doors.door_parts import Shortcut
from edge_api.doors.known_head import KnownHead
from edge_api.doors.later_answer import LaterAnswer
from edge_api.doors.request_log import log_request
from edge_api.events.group_commit import NOT_STORED
from edge_api.figures.request_figures import RouteFigures

# To look a member of an enumeration up costs as much as to call a small function.
_FIRST_REQUEST, _NEXT_REQUEST, _ANSWER = Phase.FIRST_REQUEST, Phase.NEXT_REQUEST, Phase.ANSWER


class ProtocolDoor(BoundedProtocol):
    """One connection."""

    #: Of the request that is being read, if it goes the short way.
    _shortcut: Shortcut | None = None
    _head = RequestHeaders()
    _body: bytes | bytearray = b""
    #: The whole head of the request before.
    _known: KnownHead | None = None
    _later: LaterAnswer | None = None
    #: What is being parsed, if it began between two requests.
    _chunk: bytes | None = None

    def data_received(self, data: bytes) -> None:
        """Answer a request whose head is that of the one before, byte by byte, and parse all others."""
        known = self._known
        if (
            known is not None
            and len(data) == known.size
            and self.phase is _NEXT_REQUEST
            and data.startswith(known.head)
            and not self.flow.write_paused
            and not self.is_deaf
            and self._is_answered(known.shortcut, known.read, data[known.head_size :], known.method)
        ):
            return
        self._chunk = data if self.phase is _NEXT_REQUEST or self.phase is _FIRST_REQUEST else None
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Look once whether this is a request for the short way."""
        self.begin_body()
        shortcut = self.parts.shortcuts.get(self.url)
        if shortcut is not None and self._is_plain(shortcut):
            self._shortcut = shortcut
            self._body = b""
        else:
            self._shortcut = None
            self.begin_cycle()

    def on_body(self, body: bytes) -> None:
        """Keep a piece of the body; one that is too large is left to ASGI to refuse."""
        shortcut = self._shortcut
        if shortcut is None:
            super().on_body(body)
            return
        if not self._body:
            self._body = body
        else:
            if not isinstance(self._body, bytearray):
                self._body = bytearray(self._body)
            self._body += body
        if len(self._body) > shortcut.body_limit:
            self._hand_over()

    def on_message_complete(self) -> None:
        """Answer the request, which is complete."""
        shortcut = self._shortcut
        if shortcut is None:
            super().on_message_complete()
            return
        body, method, stays = bytes(self._body), self.parser.get_method(), self.parser.should_keep_alive()
        if not self._is_answered(shortcut, self._head, body, method, stays=stays):
            self._hand_over()
            super().on_message_complete()
            return
        self._shortcut = None
        self._known = KnownHead.of(self._chunk, body, shortcut, method, self._head) if stays else None

    def _is_plain(self, shortcut: Shortcut) -> bool:
        """Tell whether the request can be answered at once, as far as its head and the connection say."""
        parser, cycle = self.parser, self.cycle
        if self.flow.write_paused or not (cycle is None or cycle.response_complete):
            return False
        if parser.get_method() not in shortcut.methods or self.http_version != "1.1":
            return False
        self._head = self.memory.head_of(self.raw_headers)
        return self._head.expect is None and not parser.should_upgrade()

    def _hand_over(self) -> None:
        """Let ASGI have the request after all, with what there is of its body."""
        self._shortcut = None
        self.begin_cycle()
        if self._body:
            super().on_body(bytes(self._body))

    def _is_answered(
        self, shortcut: Shortcut, head: RequestHeaders, body: bytes, method: bytes, *, stays: bool = True
    ) -> bool:
        """Answer from memory; False when something has to be waited for, and then nothing has happened."""
        parts = self.parts
        started_at = _now()
        exchange = self.memory.exchange(shortcut.path, head)
        outcome = parts.answers.now(shortcut.endpoint, exchange, body)
        if outcome is None:
            return False
        keep_alive = stays and not self.sweep.is_draining
        if isinstance(outcome, DurableResponse):
            self._answer_later(shortcut.figures, exchange, outcome, started_at, keep_alive=keep_alive)
            return True
        shared = parts.shared.lines(self.server_state.default_headers)
        self._send(answer_bytes(outcome, exchange, shared, keep_alive, method != b"HEAD"), keep_alive)
        self._end_request()
        figures, seconds = shortcut.figures, _now() - started_at
        figures.cells[outcome.status][bisect_left(MEMORY_BOUNDS, seconds)] += 1
        figures.seconds += seconds
        if parts.logs_requests:
            log_request(exchange, method.decode(), outcome.status, started_at)
        return True

    def _send(self, written: bytes, keep_alive: bool) -> None:  # noqa: FBT001 - names cost
        outbox = self.parts.outbox
        outbox.put(self.transport, written)
        if not keep_alive:
            outbox.flush()
            self.transport.close()

    def _end_request(self) -> None:
        self.server_state.total_requests += 1
        self.phase = _NEXT_REQUEST
        self.since = self.sweep.now

    def _answer_later(
        self,
        figures: RouteFigures,
        exchange: RequestContext,
        outcome: DurableResponse,
        started_at: float,
        *,
        keep_alive: bool,
    ) -> None:
        """Answer once the events are durable, or at once if they cannot even wait for that."""
        later = self._later
        if later is None:
            later = self._later = LaterAnswer()
        answer = outcome.answer
        written = answer_bytes(answer, exchange, self.shared_headers(), keep_alive)
        later.begin(figures, exchange, answer.status, written, started_at, keep_alive=keep_alive)
        try:
            self.parts.commits.submit(outcome.records, self._settle)
        except RequestError as error:
            later.response_complete = True
            answer = error_answer(error)
            self._send(answer_bytes(answer, exchange, self.shared_headers(), keep_alive), keep_alive)
            self._end_request()
            figures.count(answer.status, _now() - started_at)
        else:
            self.cycle = later
            self.phase = _ANSWER

    def _settle(self, failure: Exception | None) -> None:
        """Answer, now that the fate of the events is known."""
        later = self._later
        if later is None or later.disconnected:
            return
        later.response_complete = True
        status, written = later.status, later.written
        if failure is not None:
            refusal = error_answer(UnavailableError(NOT_STORED))
            status = refusal.status
            written = answer_bytes(refusal, later.exchange, self.shared_headers(), later.keep_alive)
        self.parts.outbox.send(self.transport, written)
        if not later.keep_alive:
            self.transport.close()
        if self.phase is _ANSWER and not self.pipeline:
            self._end_request()
        else:
            # Something has arrived meanwhile.
            self.on_response_complete()
        later.figures.count(status, _now() - later.started_at)
        if self.parts.logs_requests:
            log_request(later.exchange, "POST", status, later.started_at)
