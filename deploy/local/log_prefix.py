"""The output of processes, printed by lines with the name of the process as prefix."""

import errno
import os
import subprocess
import threading
from collections import deque
from typing import IO

from deploy.local.log_writer import LogWriter

_NAME_WIDTH = len("postgresql")
_MAX_LINE_BYTES = 64 * 1024
_KEPT_LINES = 20
_NO_SPACE = os.strerror(errno.ENOSPC)


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
