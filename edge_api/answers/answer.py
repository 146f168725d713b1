"""A finished answer, and an answer that may only be given once something is durable."""

import msgspec

from common.stream_records import StreamRecord

#: Pairs of lower-case names and values, as they go out.
HeaderPairs = tuple[tuple[bytes, bytes], ...]

JSON_CONTENT = (b"content-type", b"application/json")


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What goes out, but for Content-Length and the headers that every answer carries (`request_context.py`)."""

    status: int
    headers: HeaderPairs
    body: bytes
    #: The headers as they stand in an HTTP/1.1 answer.
    lines: bytes


class AnswerOnceDurable(msgspec.Struct, frozen=True, gc=False):
    """An answer that is a promise: it may be sent only after all of its records are durable."""

    records: tuple[StreamRecord, ...]
    answer: Answer


Outcome = Answer | AnswerOnceDurable


def json_answer(status: int, body: bytes) -> Answer:
    """Give finished JSON bytes as an answer."""
    return Answer(status, _JSON_HEADERS, body, _JSON_LINES)


def header_lines(pairs: HeaderPairs) -> bytes:
    """Give header lines as they stand in an HTTP/1.1 answer."""
    return b"".join([b"%b: %b\r\n" % pair for pair in pairs])


_JSON_HEADERS = (JSON_CONTENT,)
_JSON_LINES = header_lines(_JSON_HEADERS)
