"""An answer as the bytes that go out: status line, headers and body in one piece."""

from http import HTTPStatus

from edge_api.answers.answer import Answer, header_lines
from edge_api.answers.exchange import Exchange

_OK = 200
_NOT_MODIFIED = 304
_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


class SharedHeaders:
    """The header lines that uvicorn puts on every answer: once a second it makes new ones, for the date."""

    def __init__(self) -> None:
        self._made_of: list[tuple[bytes, bytes]] = []
        self._lines = b""

    def lines(self, pairs: list[tuple[bytes, bytes]]) -> bytes:
        """Give the lines of uvicorn's list, which it replaces and never changes."""
        if pairs is not self._made_of:
            self._made_of, self._lines = pairs, header_lines(tuple(pairs))
        return self._lines


def answer_bytes(answer: Answer, exchange: Exchange, shared: bytes, keep_alive: bool, with_body: bool) -> bytes:  # noqa: FBT001 - names cost
    """Give the whole answer; `shared` are the header lines that all answers of the server begin with.

    The order of the headers is that of the ASGI door.
    """
    body = answer.body
    if keep_alive and with_body and answer.status == _OK:
        return b"HTTP/1.1 200 OK\r\n%b%b%bcontent-length: %d\r\n\r\n%b" % (
            shared,
            answer.lines,
            exchange.header_lines(),
            len(body),
            body,
        )
    length = b"" if answer.status == _NOT_MODIFIED else b"content-length: %d\r\n" % len(body)
    return b"".join(
        (
            _STATUS_LINES[answer.status],
            shared,
            answer.lines,
            exchange.header_lines(),
            length,
            b"\r\n" if keep_alive else b"connection: close\r\n\r\n",
            body if with_body else b"",
        )
    )
