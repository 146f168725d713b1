"""Sets processor affinities: the measured server has a processor to itself, the rest shares the others."""

import os
from collections.abc import Iterable
from pathlib import Path


def processors() -> list[int]:
    """Return the processors that this process may use, none on systems without affinities."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def pin_to_own_processor(measured: Iterable[int]) -> bool:
    """Pin the measured programs, which take turns, to one processor and the rest of the benchmark to the others.

    Returns False and does nothing on a system with one processor or without affinities.
    """
    first, *others = processors() or [-1]
    if not others:
        return False
    # The measured programs are children of this process, so they are pinned last.
    _pin(os.getpid(), others)
    for process in measured:
        _pin(process, [first])
    return True


def _pin(process: int, to: Iterable[int]) -> None:
    """Pin a process with all its threads and children to these processors."""
    chosen = set(to)
    for member in _with_descendants(process):
        for thread in Path(f"/proc/{member}/task").iterdir():
            os.sched_setaffinity(int(thread.name), chosen)


def cpu_seconds(process: int) -> float:
    """Return the processor time of a process and its children, in seconds."""
    ticks = 0
    for member in _with_descendants(process):
        fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _with_descendants(process: int) -> list[int]:
    found = [process]
    for member in found:
        for children in Path(f"/proc/{member}/task").glob("*/children"):
            found.extend(int(child) for child in children.read_text().split())
    return found
