"""Kills one process of a stack again and again, at moments that nobody chose."""

import random
import threading
from types import TracebackType
from typing import Self

from tests.stack import RunningStack

#: Seconds between kills: from before the process is up to well into its work.
_SHORTEST, _LONGEST = 0.2, 1.5


class RepeatedKills:
    """Kill -9 in a loop, for the length of a `with` block; the stack starts the process anew each time."""

    def __init__(self, stack: RunningStack, process: str) -> None:
        self.count = 0
        self._stack = stack
        self._process = process
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._kill_until_over, name=f"kills {process}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _kill_until_over(self) -> None:
        while not self._over.wait(random.uniform(_SHORTEST, _LONGEST)):
            self._stack.kill(self._process)
            self.count += 1
