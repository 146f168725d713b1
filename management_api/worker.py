"""gunicorn's threaded worker with buffers: no thread waits for a client (decision 98).

The worker's loop receives a request to its end before a thread handles it, and sends what the client does not take at
once. So a client that is slow or silent holds a connection and a bounded buffer, never a thread. The requests of one
user get a quarter of the threads; health endpoints, and files that no rate limit counts, have a thread each.
"""

import errno
import selectors
import socket
import time
import uuid
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Protocol, cast

import structlog
from gunicorn.http.errors import ParseException
from gunicorn.http.message import Request
from gunicorn.workers.gthread import TConn, ThreadWorker

from common.errors import InternalError, RequestError, UnavailableError, error_body
from management_api.client_connection import RECEIVE_BYTES, Connection, Owner
from management_api.incoming_request import Lane, Progress

#: For a request, from its first byte or the start of the connection to its last byte.
RECEIVE_SECONDS = 20.0
#: For a request whose body is a file, in place of RECEIVE_SECONDS: 30 MiB over a phone's connection.
UPLOAD_SECONDS = 120.0
#: Uploads that one worker receives at once, on its disk: of one credential a quarter of them, and of credentials that
#: were never valid half of them.
MAX_UPLOADS = 16
#: For the part of a response that the client did not take at once.
SEND_SECONDS = 60.0
#: For the rest of a body that was not read: a connection that closes before it is a reset, which loses the response.
LINGER_SECONDS = 5.0
#: Of such a rest. A file that is somewhat too large gets its 413.
MAX_DRAINED_BYTES = 64 * 1024 * 1024
#: Of one worker, for requests and for responses. Above, the connection that has waited longest is closed.
MAX_RECEIVED_BYTES = 64 * 1024 * 1024
MAX_UNSENT_BYTES = 64 * 1024 * 1024
#: Requests of one credential that wait for one of its threads.
MAX_WAITING = 64
#: Credentials whose users a worker remembers.
MAX_USERS = 10_000
#: The part of the threads that the requests of one credential get: one in this number.
_SHARE = 4
#: Of one connection, before others get their turn.
_READS_AT_ONCE = 16
#: The pause after an accept without a free descriptor: the queue stays readable.
_PAUSE_SECONDS = 0.05
_WARN_SECONDS = 60.0
_OUT_OF_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

_LOG = structlog.stdlib.get_logger(__name__)

#: Counts a request that is not HTTP; takes the address of the client, returns the error and the rate limit headers.
RejectMalformed = Callable[[str], tuple[RequestError, Mapping[str, str]]]


class WorkerServer(Protocol):
    """The application of gunicorn, as far as a worker uses it."""

    reject_malformed: RejectMalformed


class ManagementWorker(ThreadWorker):
    """Overrides methods of gunicorn 27 by which its loop gives connections to threads; a test names them."""

    #: When a lack of descriptors is logged again.
    _warn_at = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - gunicorn's arguments
        super().__init__(*args, **kwargs)
        self._share = max(1, self.cfg.threads // _SHARE)
        #: Connections in the order of their deadlines: while a request is received, a response sent, a body drained.
        self._receiving: dict[Connection, None] = {}
        self._uploading: dict[Connection, None] = {}
        self._sending: dict[Connection, None] = {}
        self._draining: dict[Connection, None] = {}
        #: Connections whose requests a thread has, or will have.
        self._handled: set[Connection] = set()
        self._running: Counter[Owner] = Counter()
        self._waiting: defaultdict[Owner, deque[Connection]] = defaultdict(deque)
        #: The users of credentials that were valid. An unknown credential is an owner itself.
        self._users: dict[bytes, str] = {}

    def get_thread_pool(self) -> ThreadPoolExecutor:
        """Make the threads of the lanes."""
        self._lanes = {lane: ThreadPoolExecutor(max_workers=1) for lane in (Lane.PROBE, Lane.FILE)}
        pool: ThreadPoolExecutor = super().get_thread_pool()
        return pool

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection, or reject it at the limit. Without a free descriptor the worker goes on."""
        try:
            client, address = listener.accept()
        except OSError as error:
            self._note_failed_accept(error)
            return
        # gunicorn itself would stop accepting at its limit, and clients would wait in the queue.
        if self.nr_conns >= self.worker_connections - 1:
            _reject(client)
            return
        self.nr_conns += 1
        self.enqueue_req(Connection(self.cfg, client, address, listener.getsockname()))

    def enqueue_req(self, conn: TConn) -> None:
        """Receive a request on a connection that is new, or kept alive after a response."""
        conn = cast("Connection", conn)
        progress = self._read(conn, conn.take_rest())
        if progress is None:
            self._close(conn)
        elif progress is Progress.PARTIAL:
            self._wait(conn, self._receiving, RECEIVE_SECONDS, selectors.EVENT_READ, self._receive)
            self._expect_more(conn)
        else:
            self._dispatch(conn, progress)

    def handle_request(self, req: Request, conn: TConn) -> bool:
        """Handle a request in a thread. The connection closes after an upload, and where the request was cut."""
        connection = cast("Connection", conn)
        if connection.is_cut or connection.sock.upload is not None:
            req.force_close()
        return super().handle_request(req, conn)

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        """Go on in the loop with the connection of a handled request, and give its thread to the next one."""
        conn = cast("Connection", conn)
        conn.sock.end_upload()
        self._handled.discard(conn)
        if conn.request.lane is Lane.SHARED:
            self._remember_user(conn)
            self._release(conn.owner)
        if conn.sock.unsent_bytes:
            self._wait(conn, self._sending, SEND_SECONDS, selectors.EVENT_WRITE, partial(self._send, fs))
            while sum(other.sock.unsent_bytes for other in self._sending) > MAX_UNSENT_BYTES:
                self._drop(next(iter(self._sending)))
        else:
            self._finish(conn, fs)

    def murder_pending(self) -> None:
        """Close connections whose time is over."""
        now = time.monotonic()
        for waiting in (self._receiving, self._uploading, self._sending, self._draining):
            while waiting and (first := next(iter(waiting))).deadline <= now:
                self._drop(first)

    def handle_error(self, _req: object, client: socket.socket, addr: object, exc: BaseException) -> None:
        """Respond to a request that is not HTTP, or one that failed outside the application."""
        error: RequestError = InternalError()
        headers: Mapping[str, str] = {}
        if isinstance(exc, ParseException):
            host, *_ = cast("tuple[str, ...]", addr)
            error, headers = cast("WorkerServer", self.app).reject_malformed(host)
        else:
            _LOG.error("request_failed_outside_application", reason=type(exc).__name__)
        request_id = uuid.uuid4().hex
        # The application logs all other requests.
        _LOG.info("request", request_id=request_id, user=None, project=None, route=None, status=error.status)
        with suppress(OSError):
            client.sendall(_response(error, request_id, headers))

    # --- receiving ---

    def _receive(self, conn: Connection, _socket: object) -> None:
        progress = self._read(conn)
        if progress is None:
            self._drop(conn)
        elif progress is Progress.PARTIAL:
            self._expect_more(conn)
        else:
            self._stop_waiting(conn)
            self._dispatch(conn, progress)

    def _read(self, conn: Connection, rest: bytes = b"") -> Progress | None:
        """Read what has arrived of a request, after the rest of the last one. None: the client has closed instead."""
        progress = Progress.PARTIAL
        for _ in range(_READS_AT_ONCE):
            data, rest = rest or conn.sock.receive(), b""
            if data is None:
                break
            if not data and not conn.request.data:
                return None
            progress = conn.request.add(data)
            if progress is not Progress.PARTIAL:
                break
        return progress

    def _expect_more(self, conn: Connection) -> None:
        if conn.request.upload is not None and conn not in self._uploading and not self._begin_upload(conn):
            return
        if conn.request.expects_continue:
            conn.request.expects_continue = False
            with suppress(OSError):
                conn.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if len(conn.request.data) > RECEIVE_BYTES:
            self._keep_within_budget()

    def _begin_upload(self, conn: Connection) -> bool:
        """Give a file more time to arrive than other bodies. Without a place for it, respond with 503."""
        credential = conn.request.owner
        own = sum(other.request.owner == credential for other in self._uploading)
        unknown = sum(other.request.owner not in self._users for other in self._uploading)
        is_crowded = credential not in self._users and unknown >= MAX_UPLOADS // 2
        self._stop_waiting(conn)
        if len(self._uploading) >= MAX_UPLOADS or own >= MAX_UPLOADS // _SHARE or is_crowded:
            with suppress(OSError):
                conn.sock.sendall(_response(UnavailableError("Too many uploads at once"), uuid.uuid4().hex, {}))
            self._drain(conn)
            return False
        self._wait(conn, self._uploading, UPLOAD_SECONDS, selectors.EVENT_READ, self._receive)
        return True

    def _keep_within_budget(self) -> None:
        """Close the connections that receive for longest while requests take too much memory."""
        handled = sum(len(conn.request.data) for conn in self._handled)
        received = {conn: len(conn.request.data) for conn in self._receiving}
        excess = handled + sum(received.values()) - MAX_RECEIVED_BYTES
        for conn, size in received.items():
            if excess <= 0:
                return
            if size:
                self._drop(conn)
                excess -= size

    # --- threads ---

    def _dispatch(self, conn: Connection, progress: Progress) -> None:
        """Start a request on a thread, or queue it while its credential has its share of the threads."""
        conn.is_cut = progress is Progress.CUT
        self._handled.add(conn)
        lane, credential = conn.request.lane, conn.request.owner
        conn.owner = owner = self._users.get(credential, credential)
        if lane is not Lane.SHARED:
            self._submit(conn, self._lanes[lane])
        elif self._running[owner] < self._share:
            self._running[owner] += 1
            self._submit(conn, self.tpool)
        elif len(self._waiting[owner]) < MAX_WAITING:
            self._waiting[owner].append(conn)
        else:
            self._handled.discard(conn)
            with suppress(OSError):
                conn.sock.sendall(_response(UnavailableError("Too many requests at once"), uuid.uuid4().hex, {}))
            self._drain(conn)

    def _submit(self, conn: Connection, pool: ThreadPoolExecutor) -> None:
        future = pool.submit(self.handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))

    def _remember_user(self, conn: Connection) -> None:
        user_id, conn.sock.user_id = conn.sock.user_id, None
        if user_id is None:
            return
        if len(self._users) >= MAX_USERS:
            self._users.clear()
        self._users[conn.request.owner] = user_id

    def _release(self, owner: Owner) -> None:
        waiting = self._waiting.get(owner)
        if waiting:
            self._submit(waiting.popleft(), self.tpool)
            return
        self._waiting.pop(owner, None)
        self._running[owner] -= 1
        if not self._running[owner]:
            del self._running[owner]

    # --- sending and closing ---

    def _send(self, fs: Future[bool], conn: Connection, _socket: object) -> None:
        try:
            conn.sock.flush()
        except OSError:
            self._drop(conn)
            return
        if not conn.sock.unsent_bytes:
            self._stop_waiting(conn)
            self._finish(conn, fs)

    def _finish(self, conn: Connection, fs: Future[bool]) -> None:
        if not fs.cancelled() and fs.exception() is None and fs.result():
            super().finish_request(conn, fs)
        else:
            self._drain(conn)

    def _drain(self, conn: Connection) -> None:
        """End the response, and discard what the client still sends. gunicorn would wait for it in its loop."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
            return
        self._wait(conn, self._draining, LINGER_SECONDS, selectors.EVENT_READ, self._discard)

    def _discard(self, conn: Connection, _socket: object) -> None:
        data = conn.sock.receive()
        conn.drained += len(data or b"")
        if data == b"" or conn.drained > MAX_DRAINED_BYTES:
            self._drop(conn)

    def _wait(
        self,
        conn: Connection,
        waiting: dict[Connection, None],
        seconds: float,
        event: int,
        then: Callable[[Connection, object], None],
    ) -> None:
        """Call a method when the socket of a connection is ready, and close the connection at the deadline."""
        conn.deadline = time.monotonic() + seconds
        waiting[conn] = None
        self.poller.register(conn.sock, event, partial(then, conn))

    def _stop_waiting(self, conn: Connection) -> None:
        for waiting in (self._receiving, self._uploading, self._sending, self._draining):
            waiting.pop(conn, None)
        self.poller.unregister(conn.sock)

    def _drop(self, conn: Connection) -> None:
        self._stop_waiting(conn)
        self._close(conn)

    def _close(self, conn: Connection) -> None:
        self.nr_conns -= 1
        conn.sock.close()

    def _note_failed_accept(self, error: OSError) -> None:
        if error.errno in _OUT_OF_DESCRIPTORS:
            now = time.monotonic()
            if now >= self._warn_at:
                self._warn_at = now + _WARN_SECONDS
                _LOG.error("connections_not_accepted", reason=error.strerror)
            time.sleep(_PAUSE_SECONDS)
        # EINVAL: the arbiter has closed the port, and will stop this worker.
        elif error.errno not in {errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED, errno.EINVAL}:
            raise error


def _reject(client: socket.socket) -> None:
    error = UnavailableError("Too many connections, please try again")
    with client, suppress(OSError):
        client.setblocking(False)  # noqa: FBT003 - the standard library's
        client.send(_response(error, uuid.uuid4().hex, {}))
        client.shutdown(socket.SHUT_WR)
        # Unread bytes would turn the end of the connection into a reset, which discards the response.
        client.recv(64 * 1024)


def _response(error: RequestError, request_id: str, headers: Mapping[str, str]) -> bytes:
    body = error_body(error)
    fields = {
        **error.headers,
        **headers,
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-Request-Id": request_id,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    lines = (f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n{''.join(lines)}\r\n".encode("latin-1") + body
