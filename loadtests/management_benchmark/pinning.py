"""Which processor each side runs on: the server under test has one to itself, all else shares the others."""

import os
from collections.abc import Iterable
from pathlib import Path


def processors() -> list[int]:
    """Give the processors that this process may use, none where the system cannot say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def pin(process: int, to: Iterable[int]) -> None:
    """Keep a process with all its threads and children on these processors, where the system can do that."""
    chosen = set(to)
    if not chosen or not hasattr(os, "sched_setaffinity"):
        return
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
