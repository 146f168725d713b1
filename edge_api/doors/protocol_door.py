"""The protocol door: public requests answered while they are parsed, without a scope, a cycle or a task.

Why it exists: an ASGI application that does nothing but return constant bytes spends most of its time in uvicorn's
request cycle. The answers of this service come out of memory in one step, so the step is taken as soon as the request
is complete, and head and body go out in one write. What is not plain goes the normal way through ASGI, to the same
answering core: other paths, what has to wait for a snapshot or a lease, a client that does not read, and whatever
comes behind such a request on the same connection. uvicorn keeps them in order. Only an event waits here, because
every event has to: it stands in uvicorn's books where a cycle would, see `later_answer.py`.
"""

import asyncio
import time

from common.errors import RequestError
from edge_api.answers.answer import Answer, AnswerOnceDurable
from edge_api.answers.error_answers import error_answer
from edge_api.answers.exchange import Exchange, request_id_from
from edge_api.answers.request_head import RequestHead
from edge_api.doors.answer_bytes import answer_bytes
from edge_api.doors.bounded_protocol import BoundedProtocol
from edge_api.doors.connection_bounds import Phase
from edge_api.doors.door_parts import Shortcut
from edge_api.doors.later_answer import LaterAnswer
from edge_api.doors.request_log import log_request


class ProtocolDoor(BoundedProtocol):
    """One connection."""

    #: Of the request that is being read, if it goes the short way.
    _shortcut: Shortcut | None = None
    _head: RequestHead
    #: The headers that `_head` was read from, and the exchange before.
    _headers_before: list[tuple[bytes, bytes]] | None = None
    _before: Exchange | None = None
    _body: bytes | bytearray

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
        parts, head = self.parts, self._head
        started_at = time.perf_counter() if parts.logs_requests else 0.0
        before = self._before
        if before is not None and before.head is head:
            exchange = before.again(shortcut.path, request_id_from(head.request_id))
        else:
            exchange = Exchange(shortcut.path, head, self._peer, request_id_from(head.request_id))
        self._before = exchange
        outcome = parts.answers.now(shortcut.endpoint, exchange, bytes(self._body))
        if outcome is None:
            self._hand_over()
            super().on_message_complete()
            return
        self._shortcut = None
        parser, sweep = self.parser, self.sweep
        keep_alive = parser.should_keep_alive() and not sweep.is_draining
        if isinstance(outcome, AnswerOnceDurable):
            outcome = self._answer_later(exchange, outcome, keep_alive=keep_alive)
        if outcome is not None:
            method = parser.get_method()
            self._write(exchange, outcome, keep_alive=keep_alive, with_body=method != b"HEAD")
            self.server_state.total_requests += 1
            self.phase = Phase.NEXT_REQUEST
            self.since = sweep.now
            if parts.logs_requests:
                log_request(exchange, method.decode(), outcome.status, started_at)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Note who is connected."""
        super().connection_made(transport)
        self._peer = self.client[0] if self.client else None

    def _is_plain(self, shortcut: Shortcut) -> bool:
        """Tell whether the request can be answered at once, as far as its head and the connection say."""
        parser, cycle = self.parser, self.cycle
        if self.flow.write_paused or not (cycle is None or cycle.response_complete):
            return False
        if parser.get_method() not in shortcut.methods or self.http_version != "1.1":
            return False
        # A client that asks again sends the same headers, but for an SDK's next kind of request or another's by proxy.
        if self.raw_headers != self._headers_before:
            self._headers_before = self.raw_headers
            self._head = RequestHead.of(self.raw_headers)
        head = self._head
        return head.expect is None and not parser.should_upgrade()

    def _hand_over(self) -> None:
        """Let ASGI have the request after all, with what there is of its body."""
        self._shortcut = None
        self.begin_cycle()
        if self._body:
            super().on_body(bytes(self._body))

    def _write(self, exchange: Exchange, answer: Answer, *, keep_alive: bool, with_body: bool = True) -> None:
        shared = self.shared_headers()
        data = answer_bytes(answer, exchange, shared=shared, keep_alive=keep_alive, with_body=with_body)
        self.parts.outbox.put(self.transport, data)
        if not keep_alive:
            self.parts.outbox.flush()
            self.transport.close()

    def _answer_later(self, exchange: Exchange, outcome: AnswerOnceDurable, *, keep_alive: bool) -> Answer | None:
        """Answer once the events are durable; gives what is to be said at once if they cannot even wait for that."""
        later = LaterAnswer(exchange, outcome.answer, self._finish, keep_alive=keep_alive)
        try:
            self.parts.commits.promise(outcome.records, later.settle)
        except RequestError as error:
            return error_answer(error)
        self.cycle = later
        self.phase = Phase.ANSWER
        return None

    def _finish(self, later: LaterAnswer, answer: Answer) -> None:
        self._write(later.exchange, answer, keep_alive=later.keep_alive)
        self.on_response_complete()
        if self.parts.logs_requests:
            log_request(later.exchange, "POST", answer.status, later.started_at)
