"""The protocol door: public requests answered while they are parsed, without a scope, a cycle or a task.

Why it exists: an ASGI application that does nothing but return constant bytes spends most of its time in uvicorn's
request cycle. The answers of this service come out of memory in one step, so the step is taken as soon as the request
is complete, and head and body go out in one write. What is not plain goes the normal way through ASGI, to the same
answering core: other paths, what has to wait for a snapshot or a lease, a client that does not read, and whatever
comes behind such a request on the same connection. uvicorn keeps them in order. Only an event waits here, because
every event has to: it stands in uvicorn's books where a cycle would, see `later_answer.py`.
"""

import time

from common.errors import RequestError
from edge_api.answers.answer import Answer, AnswerOnceDurable
from edge_api.answers.endpoint import Endpoint
from edge_api.answers.error_answers import error_answer
from edge_api.answers.exchange import Exchange, request_id_from
from edge_api.answers.request_head import RequestHead
from edge_api.doors.answer_bytes import answer_bytes
from edge_api.doors.bounded_protocol import BoundedProtocol
from edge_api.doors.connection_bounds import Phase
from edge_api.doors.later_answer import LaterAnswer
from edge_api.doors.request_log import log_request


class ProtocolDoor(BoundedProtocol):
    """One connection."""

    #: Of the request that is being read, if it goes the short way.
    _endpoint: Endpoint | None = None
    _head: RequestHead
    _body: bytes | bytearray

    def on_headers_complete(self) -> None:
        """Look once whether this is a request for the short way."""
        self.begin_body()
        endpoint = self.parts.shortcuts.get(self.url)
        if endpoint is not None and self._is_plain(endpoint):
            self._endpoint = endpoint
            self._body = b""
        else:
            self._endpoint = None
            self.begin_cycle()

    def on_body(self, body: bytes) -> None:
        """Keep a piece of the body; one that is too large is left to ASGI to refuse."""
        endpoint = self._endpoint
        if endpoint is None:
            super().on_body(body)
            return
        if endpoint.body_limit is None:
            return
        if not self._body:
            self._body = body
        else:
            if not isinstance(self._body, bytearray):
                self._body = bytearray(self._body)
            self._body += body
        if len(self._body) > endpoint.body_limit:
            self._hand_over()

    def on_message_complete(self) -> None:
        """Answer the request, which is complete."""
        endpoint = self._endpoint
        if endpoint is None:
            super().on_message_complete()
            return
        started_at = time.perf_counter() if self.parts.logs_requests else 0.0
        peer = self.client[0] if self.client else None
        exchange = Exchange(self.url.decode(), self._head, peer, request_id_from(self._head.request_id))
        outcome = self.parts.answers.now(endpoint, exchange, bytes(self._body))
        if outcome is None:
            self._hand_over()
            super().on_message_complete()
            return
        self._endpoint = None
        keep_alive = self.parser.should_keep_alive() and not self.sweep.is_draining
        if isinstance(outcome, AnswerOnceDurable):
            outcome = self._answer_later(exchange, outcome, keep_alive=keep_alive)
        if outcome is not None:
            method = self.parser.get_method()
            self._write(exchange, outcome, keep_alive=keep_alive, with_body=method != b"HEAD")
            self.server_state.total_requests += 1
            self.phase = Phase.NEXT_REQUEST
            self.since = self.sweep.now
            if self.parts.logs_requests:
                log_request(exchange, method.decode(), outcome.status, started_at)

    def _is_plain(self, endpoint: Endpoint) -> bool:
        """Tell whether the request can be answered at once, as far as its head and the connection say."""
        parser = self.parser
        if not (self.cycle is None or self.cycle.response_complete) or self.flow.write_paused:
            return False
        if parser.get_method().decode() not in endpoint.methods or parser.get_http_version() != "1.1":
            return False
        self._head = RequestHead.of(self.raw_headers)
        return self._head.expect is None and not parser.should_upgrade()

    def _hand_over(self) -> None:
        """Let ASGI have the request after all, with what there is of its body."""
        self._endpoint = None
        self.begin_cycle()
        if self._body:
            super().on_body(bytes(self._body))

    def _write(self, exchange: Exchange, answer: Answer, *, keep_alive: bool, with_body: bool = True) -> None:
        shared = self.shared_headers()
        self.transport.write(answer_bytes(answer, exchange, shared=shared, keep_alive=keep_alive, with_body=with_body))
        if not keep_alive:
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
