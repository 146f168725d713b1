"""Responses: finished ones, those that wait until their events are durable, and errors."""

from http import HTTPStatus
from typing import final

import msgspec

from common.errors import InternalError, RequestError, error_body
from common.wire.stream_records import StreamRecord

#: Lower-case names and values as they are sent.
HeaderPairs = tuple[tuple[bytes, bytes], ...]

JSON_CONTENT = (b"content-type", b"application/json")
_NOT_MODIFIED = 304
_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}
#: Status line and headers of JSON.
_JSON_HEADS = {
    status: line + b"content-type: application/json\r\ncontent-length: %b\r\n" for status, line in _STATUS_LINES.items()
}


class Response(msgspec.Struct, frozen=True, gc=False):
    """A response without the headers that depend on the request (`http/responses.py`).

    `head` is the status line and `headers` as they are sent over HTTP/1.1. What is sent behind them is `body`, then
    `tail`: responses that begin alike share the first part. Make a response by :func:`make_response`.
    """

    status: int
    headers: HeaderPairs
    body: bytes
    head: bytes
    tail: bytes = b""


@final
class DurableResponse(msgspec.Struct, frozen=True, gc=False):
    """A response that may be sent only after all of its records are durable."""

    records: tuple[StreamRecord, ...]
    response: Response


HandlerResult = Response | DurableResponse


def make_response(status: int, headers: HeaderPairs, body: bytes) -> Response:
    """Return a response with its length, which a 304 must not state."""
    if status != _NOT_MODIFIED:
        headers = (*headers, (b"content-length", b"%d" % len(body)))
    return Response(status, headers, body, _STATUS_LINES[status] + header_lines(headers))


def json_response(status: int, body: bytes, tail: bytes = b"") -> Response:
    """Return finished JSON bytes as a response; the same as `make_response`, in fewer steps."""
    length = b"%d" % (len(body) + len(tail))
    return Response(status, (JSON_CONTENT, (b"content-length", length)), body, _JSON_HEADS[status] % length, tail)


def error_response(error: Exception) -> Response:
    """Return the response to an error; one that is not a RequestError is a 500 without its details."""
    known = error if isinstance(error, RequestError) else InternalError()
    own = tuple((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in known.headers.items())
    return make_response(known.status, (JSON_CONTENT, *own), error_body(known))


def header_lines(pairs: HeaderPairs) -> bytes:
    """Return header lines as they are sent over HTTP/1.1."""
    return b"".join([b"%b: %b\r\n" % pair for pair in pairs])
