"""A finished answer, and an answer that may only be given once something is durable."""

from http import HTTPStatus

import msgspec

from common.wire.stream_records import StreamRecord

#: Pairs of lower-case names and values, as they go out.
HeaderPairs = tuple[tuple[bytes, bytes], ...]

JSON_CONTENT = (b"content-type", b"application/json")
_JSON_HEADERS = (JSON_CONTENT,)
_NOT_MODIFIED = 304
_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What goes out, but for the headers that every answer carries (`exchange.py`).

    `head` is the same as `status` and `headers`, as an HTTP/1.1 answer begins with them. Make it by :meth:`of`.
    """

    status: int
    headers: HeaderPairs
    body: bytes
    head: bytes

    @classmethod
    def of(cls, status: int, headers: HeaderPairs, body: bytes) -> "Answer":
        """Make an answer that states its length, which one without content must not."""
        if status != _NOT_MODIFIED:
            headers = (*headers, (b"content-length", b"%d" % len(body)))
        return cls(status, headers, body, _STATUS_LINES[status] + header_lines(headers))


class DurableResponse(msgspec.Struct, frozen=True, gc=False):
    """An answer that is a promise: it may be sent only after all of its records are durable."""

    records: tuple[StreamRecord, ...]
    answer: Answer


Outcome = Answer | DurableResponse


def json_answer(status: int, body: bytes) -> Answer:
    """Give finished JSON bytes as an answer."""
    return Answer.of(status, _JSON_HEADERS, body)


def header_lines(pairs: HeaderPairs) -> bytes:
    """Give header lines as they stand in an HTTP/1.1 answer."""
    return b"".join([b"%b: %b\r\n" % pair for pair in pairs])
