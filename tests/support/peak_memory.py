"""The growth of this process's peak memory, which Linux measures."""

import ctypes
import gc
from collections.abc import Callable
from pathlib import Path

_PROCESS = Path("/proc/self")


def peak_growth(work: Callable[[], object]) -> int:
    """Run some work, and return the bytes by which the peak of the resident memory grew."""
    # Memory that was freed and is still resident would hide a growth.
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    # Sets the peak to the present size.
    (_PROCESS / "clear_refs").write_text("5")
    before = _status("VmRSS")
    work()
    return _status("VmHWM") - before


def _status(name: str) -> int:
    lines = (_PROCESS / "status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1]) * 1024
