"""Responses as bytes, and the errors of requests that cannot be read, in the contract's form."""

import httptools
import structlog

from common.errors import ErrorCode, InternalError, RequestError, UnavailableError
from common.rate_limit.limiter import LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER
from edge_api.api.handler import RequestHandler, request_id_from
from edge_api.api.request import RequestContext
from edge_api.api.response import HeaderPairs, Response, header_lines
from edge_api.http.request_metrics import RequestMetrics

_LOG = structlog.stdlib.get_logger(__name__)

_REQUEST_TIMEOUT = 408
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_LIMIT, _REMAINING, _RESET = (name.lower().encode() for name in (LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER))
#: :func:`response_headers` of a request that was authenticated and counted.
_HEADER_LINES = (
    b"x-request-id: %%b\r\nx-content-type-options: nosniff\r\n"
    b"%b: %%d\r\n%b: %%d\r\n%b: %%d\r\nx-config-version: %%d\r\n"
) % (_LIMIT, _REMAINING, _RESET)


class DefaultHeaders:
    """The header lines that uvicorn adds to every response; it replaces its list once a second, for the date."""

    def __init__(self) -> None:
        self._pairs: list[tuple[bytes, bytes]] = []
        self._lines = b""

    def lines(self, pairs: list[tuple[bytes, bytes]]) -> bytes:
        """Return the lines of uvicorn's present list."""
        if pairs is not self._pairs:
            self._pairs, self._lines = pairs, header_lines(tuple(pairs))
        return self._lines


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
    return (*pairs, (b"x-config-version", b"%d" % context.project.snapshot.revision))


def response_bytes(
    response: Response, context: RequestContext, default_lines: bytes, *, keep_alive: bool, with_body: bool = True
) -> bytes:
    """Return a response over HTTP/1.1: status line, headers and body."""
    decision, project = context.decision, context.project
    if decision is None or project is None:
        lines = header_lines(response_headers(context))
    else:
        lines = _HEADER_LINES % (
            context.request_id,
            decision.limit,
            decision.remaining,
            decision.resets_at,
            project.snapshot.snapshot.revision,
        )
    return b"".join(
        (
            response.head,
            lines,
            default_lines,
            b"\r\n" if keep_alive else b"connection: close\r\n\r\n",
            response.body if with_body else b"",
        )
    )


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
    handler: RequestHandler, metrics: RequestMetrics, error: RequestError, peer: str, default_lines: bytes
) -> bytes:
    """Return the response to a request of which only the peer is known; it closes the connection."""
    metrics.count_unreadable(error.status)
    context = RequestContext("", {}, peer, request_id_from({}))
    return response_bytes(handler.reject_malformed(context, error), context, default_lines, keep_alive=False)
