"""Responses as bytes, their writes, and the errors of requests that cannot be read, in the contract's form."""

import asyncio
import os
from binascii import hexlify

import httptools
import structlog

from common.errors import ErrorCode, InternalError, RequestError, UnavailableError
from common.ids import MAX_REQUEST_ID_LENGTH, is_safe_request_id
from common.rate_limit.limiter import LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER
from edge_api.api.handler import RequestHandler
from edge_api.api.request import REQUEST_ID, Headers, RequestContext
from edge_api.api.response import HeaderPairs, Response, header_lines
from edge_api.api.routes import route_of
from edge_api.http.error_pages import error_page
from edge_api.http.request_metrics import RequestMetrics

_LOG = structlog.stdlib.get_logger(__name__)

_REQUEST_TIMEOUT = 408
_MAX_BATCH_BYTES = 256 * 1024
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_LIMIT, _REMAINING, _RESET = (name.lower().encode() for name in (LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER))
#: Nearly all responses: to requests that were authenticated and counted, on a connection that stays.
_FREQUENT = (
    b"%%bx-request-id: %%b\r\nx-content-type-options: nosniff\r\n"
    b"%b: %%d\r\n%b: %%d\r\n%b: %%d\r\nx-config-version: %%b\r\n%%b\r\n%%b%%b"
) % (_LIMIT, _REMAINING, _RESET)


class DefaultHeaders:
    """The header lines of every response: those of uvicorn, which replaces its list once a second, and `further`."""

    def __init__(self, further: HeaderPairs = ()) -> None:
        self._further = further
        self._pairs: list[tuple[bytes, bytes]] = []
        self._lines = b""

    def lines(self, pairs: list[tuple[bytes, bytes]]) -> bytes:
        """Return the lines, with those of uvicorn's present list."""
        if pairs is not self._pairs:
            self._pairs, self._lines = pairs, header_lines((*pairs, *self._further))
        return self._lines


def request_id_from(headers: Headers) -> bytes:
    """Return the client's request id if it is safe, otherwise a new one."""
    incoming = headers.get(REQUEST_ID)
    if incoming is not None:
        # Only letters, digits and hyphens, as in a UUID, are always safe.
        if len(incoming) <= MAX_REQUEST_ID_LENGTH and incoming.replace(b"-", b"").isalnum():
            return incoming
        incoming = incoming.strip()
        if is_safe_request_id(incoming.decode("latin-1")):
            return incoming
    # From the kernel: a generator in memory would repeat itself in every worker that is forked from the arbiter.
    return hexlify(os.urandom(8))


def response_headers(context: RequestContext) -> HeaderPairs:
    """Return the headers that a response carries besides its own (contract, sections 1 and 4)."""
    pairs: HeaderPairs = ((b"x-request-id", context.request_id), _NO_SNIFFING)
    decision = context.decision
    if decision is not None:
        pairs += (
            (_LIMIT, b"%d" % decision.limit),
            (_REMAINING, b"%d" % decision.remaining),
            (_RESET, b"%d" % decision.resets_at),
        )
    if context.project is None:
        return pairs
    return (*pairs, (b"x-config-version", context.project.snapshot.version))


def response_bytes(
    response: Response,
    context: RequestContext,
    default_lines: bytes,
    keep_alive: bool,  # noqa: FBT001 - keyword arguments cost on the hot path
    body: bytes,
    tail: bytes = b"",
) -> bytes:
    """Return a response over HTTP/1.1: status line, headers, and as much of its body as is sent with them."""
    decision, project = context.decision, context.project
    if keep_alive and decision is not None and project is not None:
        return _FREQUENT % (
            response.head,
            context.request_id,
            decision.limit,
            decision.remaining,
            decision.resets_at,
            project.snapshot.version,
            default_lines,
            body,
            tail,
        )
    end = b"\r\n" if keep_alive else b"connection: close\r\n\r\n"
    return b"".join((response.head, header_lines(response_headers(context)), default_lines, end, body, tail))


class WriteBatcher:
    """Writes responses together, before the event loop waits again and in their order. One for each worker.

    uvloop writes at once. Each write wakes a waiting client, and pushes the parser and its data out of the processor's
    caches: one by one, a response costs a fifth more.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: list[tuple[asyncio.Transport, bytes]] = []
        self._bytes = 0

    def put(self, transport: asyncio.Transport, data: bytes) -> None:
        """Write a response soon."""
        if not self._queue:
            self._loop.call_soon(self.flush)
        self._queue.append((transport, data))
        self._bytes += len(data)
        if self._bytes > _MAX_BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write everything now. Call it before a connection is closed, or written to past the batcher."""
        if not self._queue:
            return
        queue, self._queue = self._queue, []
        self._bytes = 0
        for transport, data in queue:
            if not transport.is_closing():
                try:
                    transport.write(data)
                except RuntimeError:
                    # uvloop: the connection was lost a moment ago. The others still get their responses.
                    transport.abort()


class MalformedRequestError(RequestError):
    """400: not an HTTP request that the edge reads."""

    code = ErrorCode.INVALID_PARAMETER

    def __init__(self, message: str = "The request is not valid HTTP") -> None:
        super().__init__(message)


class HeadersTooLargeError(MalformedRequestError):
    """400: request line and headers, or the trailers behind a body, are too long."""

    def __init__(self) -> None:
        super().__init__("The headers of the request are too large")


class RequestTimeoutError(RequestError):
    """408: the request did not arrive in time. The contract has no code of its own for it."""

    code = ErrorCode.INVALID_PARAMETER

    def __init__(self) -> None:
        super().__init__("The request took too long to arrive")

    @property
    def status(self) -> int:
        """The one status that does not follow from its code."""
        return _REQUEST_TIMEOUT


class TooManyConnectionsError(UnavailableError):
    """503: the worker has as many connections as it may have."""

    def __init__(self) -> None:
        super().__init__("Too many connections")


def rejection_for(error: httptools.HttpParserCallbackError) -> RequestError:
    """Return the error that one of the parser's callbacks raised, or the one that answers it."""
    cause = error.__context__
    if isinstance(cause, RequestError):
        return cause
    if not isinstance(cause, httptools.HttpParserInvalidURLError | UnicodeDecodeError):
        _LOG.error("connection_failed", exc_info=cause)
        return InternalError()
    return MalformedRequestError()


def rejection_bytes(
    handler: RequestHandler, metrics: RequestMetrics, error: RequestError, peer: str, url: bytes, default_lines: bytes
) -> bytes:
    """Return the response to a request of which only the peer is known, and perhaps its URL.

    It closes the connection.
    """
    metrics.count_unreadable(error.status)
    path = url.partition(b"?")[0]
    context = RequestContext(route_of(path.decode("latin-1")), {}, peer, request_id_from({}))
    response = handler.reject_malformed(context, error)
    if context.route.is_page:
        response = error_page(response, path, None)
    return response_bytes(response, context, default_lines, False, response.body)  # noqa: FBT003 - as there
