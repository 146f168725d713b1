"""The lines of processes, printed with the name of the process as prefix, without blocking the callers."""

import errno
import os
import select
import subprocess
import threading
from collections import deque
from typing import IO

#: The maximum size of lines that wait, for instance for a stopped terminal or pager.
MAX_WAITING_BYTES = 4 * 1024 * 1024
CLOSE_SECONDS = 2.0
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2

_NAME_WIDTH = len("postgresql")
_MAX_LINE_BYTES = 64 * 1024
_KEPT_LINES = 20
_NO_SPACE = os.strerror(errno.ENOSPC)


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


class ProcessOutput:
    """Prints the output of one process over all its restarts, and keeps the last lines."""

    def __init__(self, name: str, log: LogWriter) -> None:
        self._log = log
        self._prefix = f"{name:<{_NAME_WIDTH}} | "
        self._last_lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._reader: threading.Thread | None = None

    def follow(self, process: subprocess.Popen[bytes]) -> None:
        """Read the output of the process, a pipe, to its end in a thread."""
        if process.stdout is None:
            raise ValueError("the output of the process is no pipe")
        self._last_lines.clear()
        self._reader = threading.Thread(target=self._print_all, args=(process.stdout,), daemon=True)
        self._reader.start()

    def last_line(self) -> str:
        """Return the last line that is not blank, after the end of the process."""
        self._read_to_end()
        return next((line for line in reversed(self._last_lines) if line.strip()), "it printed nothing")

    def reports_full_disk(self) -> bool:
        """Return whether the last lines of the process, once it has ended, report that a disk is full."""
        self._read_to_end()
        return any(_NO_SPACE in line for line in self._last_lines)

    def _read_to_end(self) -> None:
        if self._reader is not None:
            # The thread may still be reading the last lines.
            self._reader.join(timeout=1)

    def _print_all(self, stream: IO[bytes]) -> None:
        with stream:
            while raw := stream.readline(_MAX_LINE_BYTES):
                line = raw.decode(errors="replace").rstrip()
                self._last_lines.append(line)
                self._log.write(f"{self._prefix}{line}")
