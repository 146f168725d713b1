"""A finished answer, and an answer that may only be given once something is durable."""

from dataclasses import dataclass

from common.stream_records import StreamRecord

#: Pairs of lower-case names and values, as they go out.
HeaderPairs = tuple[tuple[bytes, bytes], ...]

JSON_CONTENT = (b"content-type", b"application/json")


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes out, but for Content-Length and the headers that every answer carries (`request_context.py`)."""

    status: int
    headers: HeaderPairs
    body: bytes


@dataclass(frozen=True, slots=True)
class AnswerOnceDurable:
    """An answer that is a promise: it may be sent only after all of its records are durable."""

    records: tuple[StreamRecord, ...]
    answer: Answer


Outcome = Answer | AnswerOnceDurable


def json_answer(status: int, body: bytes) -> Answer:
    """Give finished JSON bytes as an answer."""
    return Answer(status, (JSON_CONTENT,), body)
