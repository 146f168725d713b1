"""Writes lines to standard output or standard error without blocking the callers."""

import os
import select
import threading
from collections import deque

#: The maximum size of lines that wait, for instance for a stopped terminal or pager.
MAX_WAITING_BYTES = 4 * 1024 * 1024
CLOSE_SECONDS = 2.0
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2


class LogWriter:
    """A bounded buffer for a descriptor, and a thread that empties it.

    Lines beyond the bound are dropped, and so are lines that cannot be written (a full disk, a pipe without a reader).
    The next line that can be written follows a notice with the number of dropped lines.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._change = threading.Condition()
        # Protected by the condition.
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._rejected = 0
        self._is_writing = False
        # Used by the thread only.
        self._lost = 0
        self._is_torn = False
        threading.Thread(target=self._run, name="log writer", daemon=True).start()

    def write(self, line: str) -> None:
        """Put a line into the buffer, or drop it when there is no room."""
        content = f"{line}\n".encode(errors="replace")
        with self._change:
            if self._waiting_bytes + len(content) > MAX_WAITING_BYTES:
                self._rejected += 1
                return
            if self._rejected:
                content = _notice(self._rejected) + content
                self._rejected = 0
            self._waiting.append(content)
            self._waiting_bytes += len(content)
            self._change.notify_all()

    def close(self) -> None:
        """Wait for a limited time until the buffer is written; the reader may have stopped."""
        with self._change:
            self._change.wait_for(lambda: not self._waiting and not self._is_writing, CLOSE_SECONDS)

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting)
                content = self._waiting.popleft()
                self._is_writing = True
            self._write(content)
            with self._change:
                self._waiting_bytes -= len(content)
                self._is_writing = False
                self._change.notify_all()

    def _write(self, content: bytes) -> None:
        left = (b"\n" if self._is_torn else b"") + (_notice(self._lost) if self._lost else b"") + content
        try:
            while left:
                left = left[_write_some(self._descriptor, left) :]
                self._is_torn = bool(left)
            self._lost = 0
        except OSError:
            self._lost += 1


def _write_some(descriptor: int, content: bytes) -> int:
    while True:
        try:
            return os.write(descriptor, content)
        except BlockingIOError:
            # A pager or a shell may have left the descriptor non-blocking.
            select.select([], [descriptor], [])


def _notice(count: int) -> bytes:
    return f"stack       | {count} lines of the log were dropped\n".encode()
