"""A stop that was asked for: SIGTERM and SIGINT set a flag that a process's loop looks at and waits on."""

import signal
import threading
from types import FrameType


class StopRequest:
    """Becomes set at the first SIGTERM or SIGINT after :meth:`listen`; a loop finishes its step and returns."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def listen(self) -> None:
        """Take over the process's SIGTERM and SIGINT (main thread only)."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._set)

    def set(self) -> None:
        """Ask for the stop from within."""
        self._event.set()

    def is_set(self) -> bool:
        """Tell whether a stop was asked for."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait that long, or until the stop is asked for; tells which."""
        return self._event.wait(seconds)

    def _set(self, _number: int, _frame: FrameType | None) -> None:
        self._event.set()
