"""Requests to stop the launcher: signals, and an interrupt of the `make` that runs it."""

import signal
import time
from pathlib import Path
from types import FrameType

from deploy.local.errors import StopRequested
from deploy.local.supervision.exec_with_parent_death_signal import die_with

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CHECK_SECONDS = 0.5


class Shutdown:
    """Raises StopRequested at the next check after a signal, so that a signal interrupts no operation."""

    def __init__(self, parent: int | None) -> None:
        self._parent = parent
        self._requested = False
        self._parent_caught_interrupts = parent is not None and _catches_interrupts(parent)
        self._check_at = 0.0

    def listen(self) -> None:
        """Install the signal handlers (main thread only)."""
        for number in _SIGNALS:
            signal.signal(number, self._on_signal)
        if self._parent is not None:
            die_with(self._parent, signal.SIGTERM)

    def check(self) -> None:
        """Raise StopRequested after a request to stop."""
        if self._requested or self._parent_was_interrupted():
            raise StopRequested("a stop was requested")

    def _parent_was_interrupted(self) -> bool:
        """Return whether `make` got a SIGINT that this process did not get.

        Ctrl-C at a terminal reaches both. After a SIGINT to make alone, make waits for this process and no longer
        catches the signal; there is no other sign of it.
        """
        if self._parent is None or not self._parent_caught_interrupts or time.monotonic() < self._check_at:
            return False
        self._check_at = time.monotonic() + _CHECK_SECONDS
        return not _catches_interrupts(self._parent)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._requested = True


def _catches_interrupts(process: int) -> bool:
    """Return whether the process has a handler for SIGINT; without /proc it counts as having none."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return bool(int(caught, 16) >> (signal.SIGINT - 1) & 1)
