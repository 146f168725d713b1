"""Kills of several victims at random moments, in random order."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import psutil

from tests.support.background import in_background
from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack

#: Seconds between kills: from before a process has started until long after.
_MIN_PAUSE, _MAX_PAUSE = 0.1, 1.5


@contextmanager
def random_kills(victims: Mapping[str, Callable[[], object]], seed: int) -> Iterator[Counter[str]]:
    """Kill victims during the block, and count the kills. The stack restarts them."""
    counts: Counter[str] = Counter()
    rng = random.Random(seed)

    def kill(stop: threading.Event) -> None:
        left: list[str] = []
        while not stop.wait(rng.uniform(_MIN_PAUSE, _MAX_PAUSE)):
            # In rounds, so that every victim gets its share.
            left = left or rng.sample(sorted(victims), len(victims))
            name = left.pop()
            victims[name]()
            counts[name] += 1

    with in_background(threading.Event(), kill):
        yield counts


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
