"""A gunicorn worker whose threads never wait for a client: the poller gathers requests and sends answers.

In gunicorn's own worker a thread reads the request and writes the answer, so as many slow clients as there are threads
stop the service. Here a slow client costs memory, within a bound, until its time is up (docs/operations.md).
"""

import selectors
import socket
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import cast

from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.workers.gthread import TConn, ThreadWorker

from management_api.resources.exchange import MAX_BODY_BYTES
from management_api.serving.buffered_socket import BufferedSocket
from management_api.serving.connection import Connection, Phase

#: For a client's farewell, and for what it may be sending when the worker stops.
LINGER_SECONDS = 2.0
#: What a body that is too large is let in by, so that the application can say that it is.
BODY_SLACK_BYTES = 64 * 1024
_SWEEP_SECONDS = 0.25
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
#: Such requests have a thread of their own: they are answered when all others wait for the database.
_HEALTH_REQUESTS = (b"GET /health/", b"HEAD /health/")


class BufferingWorker(ThreadWorker):
    """Gunicorn's threaded worker with everything that a client can draw out moved into its poller."""

    #: In which a client must have sent its whole request, and have taken its whole answer.
    request_seconds = 30.0
    answer_seconds = 60.0
    #: For requests on their way in and answers on their way out, in one worker.
    max_held_bytes = 64 * 1024 * 1024

    def init_process(self) -> None:
        """Begin with no connection."""
        # In the order in which they began to wait.
        self._watched: dict[Connection, None] = {}
        self._held_bytes = 0
        self._next_sweep = 0.0
        self._steps: dict[Phase, Callable[[Connection], None]] = {
            Phase.IDLE: self._gather,
            Phase.GATHERING: self._gather,
            Phase.SENDING: self._send,
            Phase.LINGERING: self._linger,
        }
        self._health_thread = ThreadPoolExecutor(max_workers=1)
        super().init_process()

    # --- a connection's way through its phases ---

    def accept(self, listener: socket.socket) -> None:
        """Take a connection and look at once whether its request is there."""
        try:
            accepted, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        limit = MAX_BODY_BYTES + BODY_SLACK_BYTES
        connection = Connection(self.cfg, BufferedSocket(accepted), address, listener.getsockname(), limit)
        self.nr_conns += 1
        if self.nr_conns >= self.worker_connections:
            # Whoever has been waiting longest makes room, so that slow clients cannot keep others out.
            self._drop_first()
        self._watch(connection, Phase.GATHERING, self.request_seconds)
        self._gather(connection)

    def enqueue_req(self, conn: TConn) -> None:
        """Give a request to a thread."""
        connection = cast("Connection", conn)
        pool = self._health_thread if connection.request.data.startswith(_HEALTH_REQUESTS) else self.tpool
        connection.hand_over()
        self._submit(pool, self.handle, connection)

    def _submit(self, pool: Executor, step: Callable[[Connection], bool], connection: Connection) -> None:
        pool.submit(step, connection).add_done_callback(
            lambda done: self.method_queue.defer(self.finish_request, connection, done)
        )

    def _refuse(self, connection: Connection) -> bool:
        """Answer, in a thread, what has a head larger than any that is served."""
        self.handle_error(None, connection.sock, connection.client, LimitRequestHeaders("the head is too large"))
        return False

    def handle(self, conn: TConn) -> bool:
        """Answer a request, in a thread, and send as much of the answer as the client takes at once."""
        connection = cast("Connection", conn)
        goes_on = bool(super().handle(connection))
        connection.sock.flush()
        return goes_on

    def handle_request(self, req: Request, conn: TConn) -> bool:
        """Have the application answer; the client is told when this connection can take no other request."""
        if not cast("Connection", conn).request.whole:
            req.force_close()
        return bool(super().handle_request(req, conn))

    def _keepalive_after(self, conn: TConn, keepalive: bool) -> bool:  # noqa: FBT001 - gunicorn's signature
        """Pass over what the application has left of the body: it is in memory, so that no bound is needed."""
        # The stub knows no result; it is whether the end was found.
        return keepalive and cast("Callable[[], bool]", cast("RequestParser", conn.parser).finish_body)()

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        """Send what the thread has left to be sent, then go on or say goodbye."""
        connection = cast("Connection", conn)
        succeeded = not fs.cancelled() and fs.exception() is None
        connection.goes_on = succeeded and fs.result() and connection.may_go_on()
        if connection.goes_on:
            connection.next_request()
        self._send(connection)

    def _gather(self, connection: Connection) -> None:
        """Take in what has arrived; called when something has."""
        try:
            received = connection.sock.arrived()
        except OSError:
            self._drop(connection)
            return
        if received is None:
            return
        request = connection.request
        if received:
            if connection.phase is Phase.IDLE:
                self._watch(connection, Phase.GATHERING, self.request_seconds)
            request.feed(received)
        elif not request.has_head:
            self._drop(connection)
            return
        else:
            # The client has closed its side; what is there of the body is judged as it is.
            request.ready = True
        self._dispatch(connection)

    def _dispatch(self, connection: Connection) -> None:
        """Hand a request on that is ready; else wait for the rest of it."""
        request = connection.request
        if request.oversized:
            self._unwatch(connection)
            self._submit(self.tpool, self._refuse, connection)
        elif connection.dropped:
            return
        elif request.ready:
            self._unwatch(connection)
            self.enqueue_req(connection)
        else:
            if request.has_head and request.expects_continue:
                request.expects_continue = False
                connection.sock.send_now(_CONTINUE)
            self._count(connection)

    def _send(self, connection: Connection) -> None:
        """Send what the client takes of the answer; called when there is one, and when the client takes some more."""
        try:
            all_sent = connection.sock.flush()
        except OSError:
            self._drop(connection)
            return
        if not all_sent and connection.phase is Phase.SENDING:
            self._count(connection)
        elif not all_sent:
            self._watch(connection, Phase.SENDING, self.answer_seconds)
        elif not connection.goes_on:
            self._say_goodbye(connection)
        elif connection.request.data:
            # The client has not waited for the answer with its next request.
            self._watch(connection, Phase.GATHERING, self.request_seconds)
            self._dispatch(connection)
        else:
            self._watch(connection, Phase.IDLE, self.cfg.keepalive if self.alive else LINGER_SECONDS)

    def _say_goodbye(self, connection: Connection) -> None:
        try:
            connection.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(connection)
            return
        self._watch(connection, Phase.LINGERING, LINGER_SECONDS)

    def _linger(self, connection: Connection) -> None:
        """Pass over what the client goes on to send until it closes too."""
        try:
            gone = connection.sock.arrived() == b""
        except OSError:
            gone = True
        if gone:
            self._drop(connection)

    # --- the poller's side ---

    def _watch(self, connection: Connection, phase: Phase, seconds: float) -> None:
        """Have the poller look after a connection, for so long."""
        self._unwatch(connection)
        step = self._steps[phase]
        if connection.sock.fileno() < 0:
            # The thread has cut an answer off that had begun.
            self._drop(connection)
            return
        event = selectors.EVENT_WRITE if phase is Phase.SENDING else selectors.EVENT_READ
        self.poller.register(connection.sock, event, lambda _socket: step(connection))
        connection.phase = phase
        connection.deadline = time.monotonic() + seconds
        self._watched[connection] = None
        self._count(connection)

    def _unwatch(self, connection: Connection) -> None:
        if connection in self._watched:
            del self._watched[connection]
            self._held_bytes -= connection.watched_bytes
            connection.watched_bytes = 0
            self.poller.unregister(connection.sock)

    def _count(self, connection: Connection) -> None:
        """Keep account of the memory; past the limit the client that takes most of it is dropped."""
        self._held_bytes += connection.held_bytes - connection.watched_bytes
        connection.watched_bytes = connection.held_bytes
        if self._held_bytes > self.max_held_bytes:
            self._drop(max(self._watched, key=lambda one: one.watched_bytes))

    def _drop(self, connection: Connection) -> None:
        if not connection.dropped:
            connection.dropped = True
            self._unwatch(connection)
            self.nr_conns -= 1
            connection.close()

    def _drop_first(self) -> None:
        first = next(iter(self._watched), None)
        if first is not None:
            self._drop(first)

    def murder_pending(self) -> None:
        """Drop the connections whose time is up; gunicorn calls this each time round its loop."""
        now = time.monotonic()
        if now < self._next_sweep:
            return
        self._next_sweep = now + _SWEEP_SECONDS
        for connection in [one for one in self._watched if one.deadline <= now]:
            self._drop(connection)

    # --- stopping ---

    def set_accept_enabled(self, enabled: bool | None) -> None:  # noqa: FBT001 - gunicorn's signature
        """Refuse connections for good once the worker stops, so that nobody queues up in vain."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            for listener in self.sockets:
                listener.close()

    def _cap_keepalive(self, deadline: float) -> None:
        """Give clients that have not sent a whole request until then; gunicorn calls this when it stops."""
        for connection in self._watched:
            if connection.phase in {Phase.IDLE, Phase.GATHERING}:
                connection.deadline = min(connection.deadline, deadline)
