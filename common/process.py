"""A stop that was asked for: SIGTERM and SIGINT set a flag that a process's loop looks at and waits on."""

import queue
import signal
import time
from contextlib import suppress
from types import FrameType

#: How often a wait looks by itself. Linux may hand a signal to any thread, and Python runs its handler on the main
#: thread alone, which may be waiting and know nothing of it.
LOOK_SECONDS = 0.5


class ShutdownSignal:
    """Becomes set at the first SIGTERM or SIGINT after :meth:`listen`; a loop finishes its step and returns.

    The handler runs between any two steps of the main thread. A `threading.Event` could be holding its lock just
    then, and wait for itself for ever; the `put` of a SimpleQueue may interrupt anything.
    """

    def __init__(self) -> None:
        self._asked = False
        self._wakeups: queue.SimpleQueue[None] = queue.SimpleQueue()

    def listen(self) -> None:
        """Take over the process's SIGTERM and SIGINT (main thread only)."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._handle)

    def set(self) -> None:
        """Ask for the stop from within."""
        self._asked = True
        self._wakeups.put(None)

    def is_set(self) -> bool:
        """Tell whether a stop was asked for."""
        return self._asked

    def wait(self, seconds: float) -> bool:
        """Wait that long, or until the stop is asked for; tells which. One thread may wait."""
        until = time.monotonic() + seconds
        while not self._asked and (left := until - time.monotonic()) > 0:
            with suppress(queue.Empty):
                self._wakeups.get(timeout=min(left, LOOK_SECONDS))
        return self._asked

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self.set()
