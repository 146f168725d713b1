"""How the launcher learns that it shall stop: by a signal, or because the `make` that runs it was interrupted."""

import signal
import time
from pathlib import Path
from types import FrameType

from deploy.local.errors import StopRequested
from deploy.local.exec_with_parent_death_signal import die_with

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOOK_EVERY_SECONDS = 0.5


class Shutdown:
    """Turns signals into a StopRequested at the next check, so that nothing is left half-done by one."""

    def __init__(self, parent: int | None) -> None:
        self._parent = parent
        self._requested = False
        self._parent_caught_interrupts = parent is not None and _catches_interrupts(parent)
        self._look_at = 0.0

    def listen(self) -> None:
        """Take over the signals of this process (main thread only)."""
        for number in _SIGNALS:
            signal.signal(number, self._note)
        if self._parent is not None:
            die_with(self._parent, signal.SIGTERM)

    def check(self) -> None:
        """Raise StopRequested once a stop was asked for."""
        if self._requested or self._parent_was_interrupted():
            raise StopRequested("a stop was asked for")

    def _parent_was_interrupted(self) -> bool:
        """Tell whether `make` got a SIGINT that we did not.

        At a terminal Ctrl-C reaches us too. A SIGINT that is sent to make alone makes it wait for us without a word;
        all that shows is that it no longer catches the signal.
        """
        if self._parent is None or not self._parent_caught_interrupts or time.monotonic() < self._look_at:
            return False
        self._look_at = time.monotonic() + _LOOK_EVERY_SECONDS
        return not _catches_interrupts(self._parent)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._requested = True


def _catches_interrupts(process: int) -> bool:
    """Tell whether the process has a handler for SIGINT; where there is no /proc it counts as having none."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return bool(int(caught, 16) >> (signal.SIGINT - 1) & 1)
