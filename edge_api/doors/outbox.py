"""Answers on their way out: written together once everything that had arrived has been answered.

Written one by one, each would wake a client that waits, and on a busy machine the waking costs more than the writing.
A write that follows others at once finds the other side awake.
"""

import asyncio

_MOST_BYTES = 256 * 1024


class Outbox:
    """One for each worker. What is put in goes out before the event loop waits again, in the order it was put in."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: list[tuple[asyncio.Transport, bytes]] = []
        self._bytes = 0

    def put(self, transport: asyncio.Transport, answer: bytes) -> None:
        """Send an answer soon."""
        if not self._waiting:
            self._loop.call_soon(self.flush)
        self._waiting.append((transport, answer))
        self._bytes += len(answer)
        if self._bytes > _MOST_BYTES:
            self.flush()

    def flush(self) -> None:
        """Send everything now. To be called before anything else is written to a connection, or it is closed."""
        waiting, self._waiting = self._waiting, []
        self._bytes = 0
        for transport, answer in waiting:
            _write(transport, answer)

    def send(self, transport: asyncio.Transport, answer: bytes) -> None:
        """Send an answer now, which is for those of a group: they are given together anyway."""
        if self._waiting:
            self.flush()
        _write(transport, answer)


def _write(transport: asyncio.Transport, answer: bytes) -> None:
    if not transport.is_closing():
        try:
            transport.write(answer)
        except RuntimeError:
            # So uvloop says that the connection was cut a moment ago; the others still get their answers.
            transport.abort()
