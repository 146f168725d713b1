"""Parts of every long-running process: shutdown on signals, waits between attempts, tuning of the garbage collector."""

import gc
import queue
import random
import resource
import signal
import time
from contextlib import suppress
from types import FrameType

#: How often a wait checks the flag. Linux delivers a signal to any thread, but Python runs its handler on the main
#: thread, which is not woken by it.
CHECK_SECONDS = 0.5

#: The limit of open files that a server with many connections requests.
_WANTED_FILES = 65_536

#: Requests and batches of rows leave few reference cycles, so CPython's threshold of 700 objects only costs time.
_YOUNG_OBJECTS = 20_000
_YOUNG_COLLECTIONS = 20
_MIDDLE_COLLECTIONS = 50


class ShutdownSignal:
    """Is set by the first SIGTERM or SIGINT after :meth:`listen`; a loop finishes its step and returns.

    The handler runs between any two steps of the main thread. The thread could hold the lock of a `threading.Event`
    then, and the handler would wait for it for ever; `SimpleQueue.put` may interrupt anything.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._wakeups: queue.SimpleQueue[None] = queue.SimpleQueue()

    def listen(self) -> None:
        """Handle the process's SIGTERM and SIGINT (main thread only)."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._handle)

    def set(self) -> None:
        """Request the shutdown from within."""
        self._is_set = True
        self._wakeups.put(None)

    def is_set(self) -> bool:
        """Return whether a shutdown was requested."""
        return self._is_set

    def wait(self, seconds: float) -> bool:
        """Wait that long, or until a shutdown is requested; return whether it was. Only one thread may wait."""
        deadline = time.monotonic() + seconds
        while not self._is_set and (remaining := deadline - time.monotonic()) > 0:
            with suppress(queue.Empty):
                self._wakeups.get(timeout=min(remaining, CHECK_SECONDS))
        return self._is_set

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self.set()


#: It has no state. Forked processes would share the state of a generator, and threads would change it for all others.
_SPREAD = random.SystemRandom()


class Backoff:
    """Delays between attempts: twice as long after each failure, up to a limit, with jitter. Times are in seconds."""

    def __init__(self, *, first: float, limit: float) -> None:
        self._first = first
        self._limit = limit
        self._failures = 0

    def next_delay(self) -> float:
        """Count a failure and return the delay: between half and all of it, so that clients do not return at once."""
        delay = min(self._limit, self._first * (1 << min(self._failures, 30)))
        self._failures += 1
        return delay * _SPREAD.uniform(0.5, 1.0)

    def reset(self) -> None:
        """Start again with the first delay, after a success."""
        self._failures = 0


def tune_gc() -> None:
    """Collect the garbage of the start, exclude the remaining objects from collections, and make collections rare.

    A full collection visits every object: with the modules, and the snapshots that were read from the disk, that would
    be a pause of many milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, _YOUNG_COLLECTIONS, _MIDDLE_COLLECTIONS)


def open_files_limit() -> int:
    """Return the hard limit of open files (RLIMIT_NOFILE), up to which a server raises its own."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _WANTED_FILES if hard == resource.RLIM_INFINITY else hard


def raise_open_files_limit() -> None:
    """Raise the soft limit as far as is allowed: many systems start processes with 1,024 files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(_WANTED_FILES, open_files_limit())
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
