"""Which processor each side runs on: the server under test has one to itself, all else shares the others."""

import os
from collections.abc import Iterable
from pathlib import Path


def processors() -> list[int]:
    """Give the processors that this process may use, none where the system cannot say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def give_own_processor(measured: Iterable[int]) -> bool:
    """Give the programs that are measured, by turns, one processor, and all else of this benchmark the others.

    False, and nothing is done, where there are no two processors to tell apart.
    """
    first, *others = processors() or [-1]
    if not others:
        return False
    # What is measured are children of this process, so theirs comes last.
    _pin(os.getpid(), others)
    for process in measured:
        _pin(process, [first])
    return True


def _pin(process: int, to: Iterable[int]) -> None:
    """Keep a process with all its threads and children on these processors."""
    chosen = set(to)
    for each in _with_descendants(process):
        for thread in Path(f"/proc/{each}/task").iterdir():
            os.sched_setaffinity(int(thread.name), chosen)


def cpu_seconds(process: int) -> float:
    """Give the processor time that a process and its children have used, 0 where the system cannot say."""
    ticks = 0
    for each in _with_descendants(process):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _with_descendants(process: int) -> list[int]:
    found = [process]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            found.extend(int(child) for child in children.read_text().split())
    return found
