"""Kills a process of a stack again and again, at random moments."""

import random
import threading
from types import TracebackType
from typing import Self

from tests.support.servers.local_stack import RunningStack

#: Seconds between kills: from before the process is up to well into its work.
_MIN_PAUSE, _MAX_PAUSE = 0.2, 1.5


class RepeatedKills:
    """Send SIGKILL in a loop until the end of a `with` block; the stack starts the process again each time."""

    def __init__(self, stack: RunningStack, process: str) -> None:
        self.count = 0
        self._stack = stack
        self._process = process
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._kill_until_stopped, name=f"kills {process}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _kill_until_stopped(self) -> None:
        while not self._stop.wait(random.uniform(_MIN_PAUSE, _MAX_PAUSE)):
            self._stack.kill(self._process)
            self.count += 1
