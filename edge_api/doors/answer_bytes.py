"""An answer as the bytes that go out: status line, headers and body in one piece."""

from edge_api.answers.answer import Answer, header_lines
from edge_api.answers.exchange import RequestContext


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


def answer_bytes(
    answer: Answer,
    exchange: RequestContext,
    shared: bytes,
    keep_alive: bool,  # noqa: FBT001 - named arguments cost on the hot path
    with_body: bool = True,  # noqa: FBT001, FBT002 - as keep_alive
) -> bytes:
    """Give the whole answer; `shared` are the header lines that all answers of the server end with.

    The order of the headers is that of the ASGI door.
    """
    return b"".join(
        (
            answer.head,
            exchange.header_lines(),
            shared,
            b"\r\n" if keep_alive else b"connection: close\r\n\r\n",
            answer.body if with_body else b"",
        )
    )
