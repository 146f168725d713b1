"""Kills of several victims at random moments, in random order."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

import psutil

from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

#: Seconds between kills: from before a process has started until long after.
_MIN_PAUSE, _MAX_PAUSE = 0.1, 1.5


class RandomKills:
    """Kills victims while a `with` block runs. The stack restarts them."""

    def __init__(self, victims: Mapping[str, Callable[[], object]], seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self._victims = victims
        self._chance = random.Random(seed)
        self._over = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._kill_until_over, name="random kills")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        if self._failure is not None and error is None:
            raise self._failure

    def _kill_until_over(self) -> None:
        try:
            left: list[str] = []
            while not self._over.wait(self._chance.uniform(_MIN_PAUSE, _MAX_PAUSE)):
                # In rounds, so that every victim gets its share.
                left = left or self._chance.sample(sorted(self._victims), len(self._victims))
                name = left.pop()
                self._victims[name]()
                self.counts[name] += 1
        except BaseException as error:  # noqa: BLE001 - raised by the thread of the test
            self._failure = error


def kill_a_worker(stack: RunningStack, process: str) -> None:
    """Send SIGKILL to one worker of a process that manages workers, which replaces it."""

    def is_killed() -> bool:
        try:
            workers = psutil.Process(stack.pid_of(process)).children()
            if workers:
                random.choice(workers).kill()
        except psutil.Error:
            # One that was killed before is still there or just gone.
            return False
        return bool(workers)

    eventually(is_killed, within=30)
